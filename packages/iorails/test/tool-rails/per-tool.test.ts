import { completionBody, completionChunk } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../src/index.js";
import { engine, question } from "../engine/engine.js";

const sql = {
  type: "function",
  function: { name: "run_sql", parameters: { type: "object", additionalProperties: true } },
};
const called = (args: object, name = "run_sql", id = "c1") => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});
const asked = (...calls: readonly object[]) => [
  question,
  { role: "assistant", content: null, tool_calls: calls },
];
const regex = (flow: string, patterns: string, more = "") => `
rails:
  config: { regex_detection: { tool_call: { run_sql: { patterns: ${patterns} } } } }
  tool_call: { per_tool: { run_sql: ["${flow}"] }${more} }
`;

async function judge(yaml: string, calls: readonly object[], tools: readonly object[] = [sql]) {
  const { rails, server } = await engine(yaml, []);
  const result = await rails.check({ messages: asked(...calls), tools, railTypes: ["tool_call"] });
  return { ...result, asked: server.requests };
}

describe("a rail of one tool, on calls", () => {
  const drop = regex("regex check tool call", "['DROP\\s+TABLE']");

  it("blocks a call of its tool in which a pattern is found, and names flow, tool and call", async () => {
    const { status, violations, rail } = await judge(drop, [
      called({ query: "SELECT 1" }),
      called({ query: "DROP  TABLE users" }, "run_sql", "c2"),
    ]);
    expect(status).toBe("blocked");
    expect(rail).toBe("regex check tool call");
    expect(violations).toEqual([
      {
        kind: "tool_call",
        violationType: "per_tool_rail",
        reason: "regex check tool call: a pattern of the tool was found",
        toolName: "run_sql",
        toolCallId: "c2",
        index: 1,
        rail: "regex check tool call",
        argumentPath: undefined,
        schemaKeyword: undefined,
      },
    ]);
  });

  it("is not asked of a tool that is not listed, whose calls it leaves alone", async () => {
    const { status } = await judge(drop, [called({ query: "DROP TABLE users" }, "run_sql_2")]);
    expect(status).toBe("passed");
  });

  it.each([
    ["a line's end", "a\\nb", { query: "a\nb" }],
    ["a letter that JSON escapes", "größe", { query: "die größe" }],
    ["a text in a list in an object", "^secret$", { a: [{ b: "secret" }] }],
    ["the name of a member", "^password$", { password: 1 }],
    ["a quotation mark", 'say "no"', { query: 'say "no"' }],
    ["NeMo's JSON of it", '"n": 7, "m"', { n: 7, m: 1 }],
    ["NeMo's escaped JSON of it", "\\\\u00f6", { query: "ö" }],
    ["the start of a text", "^rm ", { command: "rm -rf /" }],
  ])("finds a pattern in %s", async (_, pattern, args) => {
    const { status } = await judge(regex("regex check tool call", JSON.stringify([pattern])), [
      called(args),
    ]);
    expect(status).toBe("blocked");
  });

  it("with $argument judges that one; and all, where the call does not have it", async () => {
    const yaml = regex("regex check tool call $argument=query", "[DROP]");
    expect((await judge(yaml, [called({ query: "SELECT", note: "DROP" })])).status).toBe("passed");
    expect((await judge(yaml, [called({ query: "DROP", note: "x" })])).status).toBe("blocked");
    expect((await judge(yaml, [called({ note: "DROP" })])).status).toBe("blocked");
  });

  it.each([
    [
      "has no such argument",
      { type: "object", properties: { q: {} }, additionalProperties: false },
    ],
    ["declares no schema", undefined],
  ])("with $argument fails if the tool %s", async (_, parameters) => {
    const yaml = regex("regex check tool call $argument=query", "[DROP]");
    const tool = { type: "function", function: { name: "run_sql", parameters } };
    const { violations } = await judge(yaml, [called({})], [tool]);
    expect(violations).toMatchObject([
      {
        violationType: "rail_failed",
        reason:
          "regex check tool call $argument=query failed: the tool's schema does not have $argument",
      },
    ]);
  });

  it("does not judge what is undeclared or breaks its schema: that blocks first, also without the flow", async () => {
    const undeclared = await judge(drop, [called({ query: "SELECT" })], []);
    expect(undeclared.violations).toMatchObject([
      { violationType: "tool_not_allowed", reason: "tool call 'run_sql' is not an allowed tool" },
    ]);
    const strict = { type: "object", properties: { query: { type: "string" } } };
    const tool = { type: "function", function: { name: "run_sql", parameters: strict } };
    const broken = await judge(drop, [called({ query: 7 })], [tool]);
    expect(broken.violations).toMatchObject([{ violationType: "arguments_invalid" }]);
  });

  it("is turned off for a request, whole or by name", async () => {
    const messages = asked(called({ query: "DROP TABLE users" }));
    const { rails } = await engine(drop, []);
    const check = (toggle: unknown) =>
      rails.check({ messages, tools: [sql], options: { rails: toggle as never } });
    expect((await check({ tool_call: false })).status).toBe("passed");
    expect((await check({ tool_output: [] })).status).toBe("passed");
    expect((await check({ tool_call: ["regex check tool call"] })).status).toBe("blocked");
    await expect(check({ tool_call: ["regex chek tool call"] })).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });

  it("judges the calls of an answer and of a stream, which then hand out none", async () => {
    const call = { index: 0, ...called({ query: "DROP TABLE users" }) };
    const options = { llm_params: { tools: [sql] } };
    const whole = await engine(drop, [
      { body: completionBody({ content: "ok", tool_calls: [call] }) },
    ]);
    const { status, message } = await whole.rails.generate({ messages: [question], options });
    expect([status, message.tool_calls]).toEqual(["blocked", undefined]);
    const events = [completionChunk({ tool_calls: [call] }), completionChunk({}, "tool_calls")];
    const { rails } = await engine(drop, [{ events }]);
    const chunks: StreamChunk[] = [];
    for await (const chunk of rails.stream({ messages: [question], options })) chunks.push(chunk);
    expect(chunks).toMatchObject([
      { type: "violation", error: { param: "tool_output_rails", code: "content_blocked" } },
    ]);
  });
});
