import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemaValidation } from "@toolstile/schema";
import { describe, expect, it } from "vitest";
import { Guards } from "../src/replay/guards.js";
import { replayConversation } from "../src/replay/replay-conversation.js";

const shared =
  process.env["TOOLSTILE_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const reports = join(shared, "bug-reports", "dev.jsonl");

interface Report {
  readonly id: string;
  readonly class: string;
  readonly input: {
    readonly messages?: unknown[];
    readonly tools?: unknown[];
    readonly recipe?: Recipe;
  };
  readonly expect: { readonly valid: boolean | "depends"; readonly codes?: readonly string[] };
}
interface Recipe {
  readonly message: { readonly tool_calls: readonly { readonly function: object }[] };
  readonly arguments: {
    readonly prefix: string;
    readonly repeat: Fragment;
    readonly suffix?: string;
    readonly close?: Fragment;
    readonly end?: string;
  };
}
interface Fragment {
  readonly fragment: string;
  readonly times: number;
}

/** The names that the reports give to kinds of finding, and ours for them. */
const ours: Record<string, string> = {
  args_not_json: "invalid_json",
  args_not_object: "not_an_object",
  content_null: "malformed_content",
  content_part_invalid: "malformed_content",
  content_wrong_type: "malformed_content",
  id_duplicate_in_turn: "duplicate_call_id",
  id_missing: "missing_call_id",
  result_id_missing: "missing_call_id",
  result_missing: "unanswered_call",
  result_unknown_id: "unknown_call_id",
  schema_unresolvable_ref: "schema_invalid",
  tool_calls_wrong_type: "malformed_calls",
  truncated: "invalid_json",
  undeclared_tool: "not_allowed",
};

/** What replay does where a report leaves it to the configuration, or where it decides otherwise; and why. */
const decided: Record<string, { readonly codes: readonly string[]; readonly why: string }> = {
  "bug-026": { codes: ["not_an_object"], why: "the text null is JSON, and no object" },
  "bug-031": { codes: [], why: "an object is as good as its text, and its schema is checked" },
  "bug-032": { codes: [], why: "an object is read as it is, never as {}" },
  "bug-042": { codes: ["unsafe_integer"], why: "a rounded number is another number" },
  "bug-046": { codes: ["proto_key"], why: "refused before anybody can merge it" },
  "bug-047": { codes: [], why: "a result is not arguments; whoever sends it on encodes it" },
  "bug-049": { codes: ["lone_surrogate"], why: "UTF-8 cannot hold it" },
  "bug-062": { codes: [], why: "name alphabets differ by provider, and none is imposed" },
  "bug-064": { codes: [], why: "name lengths differ by provider, and none is imposed" },
  "bug-076": { codes: [], why: "ids are matched within an assistant turn" },
  "bug-087": { codes: [], why: "an empty name is an absent one" },
  "bug-089": { codes: [], why: "an empty list of calls is no calls" },
  "bug-096": { codes: ["malformed_content"], why: "null is neither text nor parts" },
  "bug-099": { codes: [], why: "a definition in MCP's form is read, not dropped" },
  "bug-101": { codes: [], why: "finish_reason proves nothing" },
  "bug-102": { codes: [], why: "how many calls a turn may have is the request's, not replay's" },
  "bug-104": { codes: ["no_tools_declared"], why: "said so, and not counted as not allowed" },
  "bug-107": { codes: ["schema_invalid"], why: "required: null is no schema" },
  "bug-114": { codes: ["schema_invalid"], why: "a $ref that leads nowhere is refused at load" },
  "bug-119": { codes: ["schema_invalid"], why: "2020-12 has no list under items" },
  "bug-122": { codes: [], why: "run on a linear engine, or proved harmless" },
  "bug-127": { codes: [], why: "valid by its schema; forbidUndeclared is an option" },
};

describe.skipIf(!existsSync(reports))(
  "inputs after public bug reports (needs ../shared/data/bug-reports)",
  () => {
    const cases = existsSync(reports)
      ? readFileSync(reports, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Report)
          .filter((report) => report.class !== "stream")
      : [];

    it.each(cases.map((report) => [report.id, report.class, report] as const))(
      "get their right behaviour, or the one decided here: %s, %s",
      async (id, _, report) => {
        const codes = await codesOf(report);
        const decision = decided[id];
        if (decision !== undefined) expect(codes, decision.why).toEqual(decision.codes);
        else if (report.expect.valid === true) expect(codes).toEqual([]);
        else {
          const wanted = (report.expect.codes ?? []).map((code) => ours[code] ?? code);
          expect(wanted.filter((code) => codes.includes(code))).not.toEqual([]);
        }
      },
    );

    it("are decided here only where the report leaves it open, or the reason is written", () => {
      const open = cases.filter(({ expect: { valid } }) => valid === "depends").map(({ id }) => id);
      expect(Object.keys(decided).filter((id) => !open.includes(id))).toEqual(["bug-099"]);
      expect(open.filter((id) => decided[id] === undefined)).toEqual([]);
    });
  },
);

async function codesOf({ id, input }: Report): Promise<string[]> {
  const guards = new Guards({
    schema: schemaValidation(),
    observers: [],
    onUnrecorded: (error) => {
      throw error;
    },
  });
  const messages = input.recipe === undefined ? (input.messages ?? []) : [cooked(input.recipe)];
  const conversation = { id, tools: input.tools ?? [], messages };
  const { findings } = await replayConversation(conversation, id, guards, {});
  return [...new Set(findings.map(({ code }) => code))];
}

/** The message of a recipe, its first call's arguments as long as it says. */
function cooked({ message, arguments: parts }: Recipe): object {
  const repeated = ({ fragment, times }: Fragment) => fragment.repeat(times);
  const text = [
    parts.prefix,
    repeated(parts.repeat),
    parts.suffix ?? "",
    parts.close === undefined ? "" : repeated(parts.close),
    parts.end ?? "",
  ].join("");
  const [first, ...rest] = message.tool_calls;
  const call = { ...first, function: { ...first?.function, arguments: text } };
  return { ...message, tool_calls: [call, ...rest] };
}
