import type { ResultDecision, ToolCall, ToolResult } from "@toolstile/core";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { Guardrails, type Mountable, RailsConfig, type Violation } from "../../src/index.js";

const yaml = `
models: [{ type: main, engine: x, model: m, parameters: { base_url: "http://127.0.0.1:9" } }]
rails:
  config:
    regex_detection: { tool_result: { read: { patterns: ["s\\\\d"] } } }
    cel: { tool_result: { list: { expressions: ["result == 'a' && args.n == 1"] } } }
  tool_result:
    flows: [tool result validation]
    schemas: { read: { type: string, maxLength: 5 } }
    per_tool: { read: [regex check tool result], list: [cel check tool result] }
`;

/** A judge that decides by the call and the content alone, by a table. */
function tableJudge(
  name: string,
  table: readonly string[],
  deterministicResults: boolean,
): Mountable {
  return {
    name,
    deterministicResults,
    evaluateResult: ({ toolName, args }: ToolCall, { content }: ToolResult): ResultDecision => {
      const seed = `${toolName}${JSON.stringify(args)}${JSON.stringify(content)}`;
      let sum = 0;
      for (const character of seed) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
      switch (table[sum % table.length]) {
        case "deny":
          return { decision: "deny", reason: `${name} says no` };
        case "rewrite":
          return {
            decision: "modify",
            modifiedResult: { content: `${String(content).slice(0, 3)}!` },
          };
        default:
          return { decision: "allow" };
      }
    },
  };
}

const tables = fc.array(fc.constantFrom("allow", "allow", "allow", "rewrite", "deny"), {
  minLength: 1,
  maxLength: 7,
});
const judges = fc.array(fc.tuple(tables, fc.boolean()), { maxLength: 3 });
/** Few different ones, so that results are alike. */
const result = fc.record({
  tool: fc.constantFrom("read", "list"),
  n: fc.constantFrom(1, 2),
  content: fc.constantFrom("a", "b", "s1", "longer than it may be", "", null),
});

const conversations = fc.array(result, { minLength: 1, maxLength: 8 });

type Result = { tool: string; n: number; content: string | null };

function messagesOf(results: readonly Result[]) {
  return results.flatMap(({ tool, n, content }, at) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: `c${at % 3}`, type: "function", function: { name: tool, arguments: `{"n":${n}}` } },
      ],
    },
    { role: "tool", tool_call_id: `c${at % 3}`, content },
  ]);
}

describe("an engine that keeps findings about results", () => {
  let config: RailsConfig;
  beforeAll(async () => {
    config = await RailsConfig.fromContent({ yaml });
  });

  it("P6 says of each request of a growing conversation what a new engine says of each result alone", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(judges, conversations, async (kinds, results) => {
        const toolResult = kinds.map(([table, deterministic], at) =>
          tableJudge(`judge ${at}`, table, deterministic),
        );
        const judge = async (messages: readonly object[], rails: Guardrails) => {
          const request = { messages: messages as never, railTypes: ["tool_result"] as const };
          return rails.check(request);
        };
        const options = { env: {}, providers: { toolResult } };
        await using old = new Guardrails(config, options);
        const violations: Violation[] = [];
        const messages: object[] = [];
        for (const [at] of results.entries()) {
          const whole = messagesOf(results.slice(0, at + 1));
          // It has seen nothing else: what it says is not what an earlier result was like.
          await using fresh = new Guardrails(config, options);
          const alone = await judge(whole.slice(-2), fresh);
          violations.push(
            ...alone.violations.map((found) => ({ ...found, index: 2 * at + (found.index ?? 0) })),
          );
          messages.push(...alone.messages);
          const found = await judge(whole, old);
          // Rails of tools are not asked where a judge of contents blocks.
          const ofContents = violations.filter(({ rail }) => !rail?.includes("check tool result"));
          expect(found.violations).toEqual(ofContents.length > 0 ? ofContents : violations);
          if (violations.length === 0) expect(found.messages).toEqual(messages);
        }
      }),
      { numRuns: inject("long") ? 300 : 15 },
    );
  });
});
