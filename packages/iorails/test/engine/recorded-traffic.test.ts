import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Guardrails, RailsConfig } from "../../src/index.js";

const folder = fileURLToPath(new URL("../../../../../shared/data/traffic/", import.meta.url));
const present = existsSync(folder);

const yaml = `
models:
  - {type: main, engine: openai, model: m, parameters: {base_url: "http://127.0.0.1:9"}}
rails:
  tool_output: {flows: [tool call validation]}
  tool_input: {flows: [tool result validation], require_name: false}
`;

interface Conversation {
  readonly tools: readonly unknown[] | null;
  readonly messages: readonly {
    readonly role: string;
    readonly tool_calls?: readonly unknown[] | null;
  }[];
}

/**
 * What `toolstile replay` finds in the same traffic (docs/replay.md), by the engine's names. Where
 * the two differ, a rule of the specification says why:
 *
 * - `malformed_arguments` are replay's `invalid_json` and `not_an_object`.
 * - A violation is one a call: replay counts an undeclared tool with arguments that are not JSON
 *   twice (1 in tau-retail).
 * - Calls of a conversation that declares no tools are not allowed (`no_tools_declared` there).
 * - Of the 774 ids that are missing in tau-retail, 387 are calls', which nothing asks of (section
 *   4.2 asks for results' ids alone).
 */
const expected: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  ["agentdojo", {}],
  ["bfcl-mutated", { arguments_invalid: 116, malformed_arguments: 49, tool_not_allowed: 26 }],
  ["bfcl", { arguments_invalid: 22, invalid_tool_schema: 15 }],
  ["cassettes", { arguments_invalid: 2, tool_not_allowed: 12 }],
  ["livemcp-native", {}],
  ["livemcp-unwrapped", { arguments_invalid: 39, invalid_tool_schema: 11, tool_not_allowed: 1 }],
  ["sweagent", { tool_not_allowed: 40 }],
  ["tau-airline", {}],
  ["tau-retail", { malformed_arguments: 453, missing_call_id: 387 }],
  ["toolbench", { tool_not_allowed: 3 }],
];

describe.skipIf(!present)("check over recorded traffic (needs ../shared/data)", () => {
  it.each(expected)(
    "finds in %s what replay finds, and nothing else",
    { tags: "long" },
    async (file, counts) => {
      const rails = new Guardrails(await RailsConfig.fromContent({ yaml }));
      const found: Record<string, number> = {};
      for (const { tools, messages } of conversations(file)) {
        for (const turn of turnsOf(messages)) {
          const { violations } = await rails.check({
            messages: turn,
            tools: tools ?? [],
            railTypes: ["tool_call", "tool_result"],
          });
          for (const { violationType } of violations) {
            found[violationType] = (found[violationType] ?? 0) + 1;
          }
        }
      }
      expect(found).toEqual(counts);
    },
  );
});

function conversations(file: string): readonly Conversation[] {
  const lines = readFileSync(`${folder}${file}.jsonl`, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Each message with calls, what was said before without its tool traffic, and the results that follow. */
function turnsOf(messages: Conversation["messages"]): Conversation["messages"][] {
  return messages.flatMap(({ tool_calls: calls }, start) => {
    if (!Array.isArray(calls) || calls.length === 0) return [];
    const after = messages.slice(start + 1);
    const end = after.findIndex(({ role }) => role !== "tool");
    const before = messages
      .slice(0, start)
      .filter((message) => message.role !== "tool" && !message.tool_calls?.length);
    return [[...before, ...messages.slice(start, end < 0 ? undefined : start + 1 + end)]];
  });
}
