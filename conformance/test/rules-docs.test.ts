import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspectGuardFile } from "@toolstile/config";
import { readYaml } from "@toolstile/config/yaml";
import type { CallContext, GuardrailProvider, ResultGuardrail } from "@toolstile/core";
import { type RulesOptions, rules } from "@toolstile/rules";
import { call, result } from "@toolstile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
// From conformance, where every package is a dependency.
const folder = join(root, "conformance", ".toolstile-rules");
const page = readFileSync(join(root, "docs", "rules.md"), "utf8");

/** Each list of rules on the page, with the lines below it that say what the rules decide. */
const blocks = [...page.matchAll(/^```yaml\n(- id: .*?)^```\n(?:\n```text\n(.*?)^```)?/gms)].map(
  ([, yaml = "", lines = ""], index) => ({
    index,
    yaml,
    name: /^- id: (.*)$/m.exec(yaml)?.[1] ?? "",
    lines: lines.split("\n").filter((line) => line !== ""),
  }),
);

const form =
  /^(?:as (?<host>\{.*?\}): |at (?<time>\S+): )?(?<tool>\w+) (?<args>\{.*?\})(?: gives (?:(?<length>\d+) characters|(?<text>".*")))? -> (?<verdict>.*)$/;

async function verdictOf(yaml: string, line: string): Promise<readonly [unknown, unknown]> {
  const said = form.exec(line)?.groups;
  if (said === undefined) throw new Error(`cannot read: ${line}`);
  const { host, time, tool, args, length, text, verdict } = said;
  const options = {
    rules: readYaml(yaml).data,
    now: () => Date.parse(time ?? "2026-01-15T12:00:00Z"),
  };
  const guard = rules(options as unknown as RulesOptions);
  const asked = call(JSON.parse(args as string), tool, {
    context: host === undefined ? {} : (JSON.parse(host) as CallContext),
  });
  const wanted = /^\{/.test(verdict as string) ? JSON.parse(verdict as string) : verdict;
  if (length !== undefined || text !== undefined) {
    const content = text === undefined ? "x".repeat(Number(length)) : JSON.parse(text);
    const answer = await (guard as ResultGuardrail).evaluateResult(asked, result(asked, content));
    const words = { allow: "allow", deny: "withhold", modify: "cut" };
    return [words[answer.decision], wanted];
  }
  const answer = await (guard as GuardrailProvider).evaluate(asked);
  if (answer.decision === "modify") return [answer.modifiedArgs, wanted];
  const isQuestion = answer.decision === "deny" && answer.approval !== undefined;
  return [isQuestion ? "ask" : answer.decision, wanted];
}

describe("the page of rules", () => {
  beforeAll(() => mkdirSync(folder, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has an example of every check", () => {
    const names = [...page.matchAll(/^### .*: (.*)$/gm)].flatMap(([, list = ""]) =>
      list.split(", ").map((name) => name.replaceAll("`", "")),
    );
    const used = blocks.map(({ yaml }) => yaml).join("\n");
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !used.includes(`${name}:`))).toEqual([]);
  });

  it.each(blocks)("P5 has rules that a guard.yaml may have: $name", async ({ yaml, index }) => {
    const path = join(folder, `guard-${index}.yaml`);
    const indented = yaml.replace(/^/gm, "        ");
    const guard = `  - use: "@toolstile/rules"\n    with:\n      rules:\n${indented}`;
    writeFileSync(path, `version: 1\nguards:\n${guard}\n`);
    await using file = await inspectGuardFile(path);
    expect(file.guardrails).toHaveLength(1);
  });

  it.each(blocks.flatMap(({ yaml, name, lines }) => lines.map((line) => ({ yaml, name, line }))))(
    "says what $name decides: $line",
    async ({ yaml, line }) => {
      const [verdict, wanted] = await verdictOf(yaml, line);
      expect(verdict).toEqual(wanted);
    },
  );
});
