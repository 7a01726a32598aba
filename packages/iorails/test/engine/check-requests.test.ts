import type { GuardrailProvider } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { Guardrails, RailsConfig } from "../../src/index.js";
import { call, engine, question, toolRails, weather } from "./engine.js";

const asked = (name: string, args = "{}") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ ...call, function: { name, arguments: args } }],
});
const tool = (name: string, parameters: object = { type: "object" }, more: object = {}) => ({
  type: "function",
  function: { name, parameters, ...more },
});

describe("check()", () => {
  it("P6 judges the conversation as it was asked with, also if guards are slow", async () => {
    let go = (): void => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const slow: GuardrailProvider = {
      name: "slow",
      evaluate: async () => {
        await waiting;
        return { decision: "allow" };
      },
    };
    const { rails } = await engine(toolRails, [], { providers: { toolCall: [slow] } });
    const message = asked("weather");
    const checking = rails.check({ messages: [question, message], tools: [weather] });
    (message as { content: unknown }).content = "EVIL";
    message.tool_calls.length = 0;
    go();
    const verdict = await checking;
    expect(verdict.messages[1]).toMatchObject({ content: null, tool_calls: [{ id: "c1" }] });
  });

  it("takes tools where generate() does, and not in two places", async () => {
    const { rails } = await engine(toolRails, []);
    const messages = [question, asked("weather")];
    const options = { llm_params: { tools: [weather] } };
    expect((await rails.check({ messages, options })).status).toBe("passed");
    const other = { llm_params: { tools: [tool("other")] } };
    expect((await rails.check({ messages, options: other })).violations).toMatchObject([
      { violationType: "tool_not_allowed" },
    ]);
    await expect(rails.check({ messages, options, tools: [weather] })).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });

  it("has `tools` in place of those of the configuration, and allows nothing by an empty list", async () => {
    const tools = [tool("weather")];
    const config = await RailsConfig.fromContent({
      config: {
        models: [
          { type: "main", engine: "x", model: "m", parameters: { base_url: "http://x", tools } },
        ],
      },
      yaml: toolRails,
    });
    await using rails = new Guardrails(config, { env: {} });
    const messages = [question, asked("weather")];
    const railTypes = ["tool_call"] as const;
    expect((await rails.check({ messages, railTypes })).status).toBe("passed");
    for (const tools of [[tool("other")], []]) {
      const { status, reason } = await rails.check({ messages, tools, railTypes });
      expect(status).toBe("blocked");
      expect(reason).toBe("tool call 'weather' is not an allowed tool");
    }
    const besides = { llm_params: { tools: [tool("other")] } };
    expect((await rails.check({ messages, railTypes, options: besides })).status).toBe("passed");
  });

  it("P5 refuses `tools` where no call is judged: they would say nothing", async () => {
    const { rails } = await engine(toolRails, []);
    const request = { messages: [question], tools: [weather], railTypes: ["tool_result"] as const };
    await expect(rails.check(request)).rejects.toThrow(/railTypes do not have 'tool_call'/);
  });

  it("takes what to judge under the sections' older names too", async () => {
    const { rails } = await engine(toolRails, []);
    const messages = [question, asked("unknown")];
    const { status } = await rails.check({ messages, railTypes: ["tool_output"] });
    expect(status).toBe("blocked");
  });

  it.each<[string, object]>([
    ["no messages at all", { messages: [] }],
    ["an empty list of what to judge", { railTypes: [] }],
    ["one thing to judge in place of a list", { railTypes: "tool_call" }],
    ["a misspelt thing to judge", { railTypes: ["tool_cal"] }],
  ])("P5 refuses %s: it would pass unjudged", async (_, wrong) => {
    const { rails } = await engine(toolRails, []);
    const request = { messages: [question], tools: [weather], ...wrong };
    await expect(rails.check(request as never)).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
    });
  });

  const number = { type: "object", properties: { n: { type: "number" } } };
  it.each<[string, () => object]>([
    [
      "writes itself otherwise to JSON",
      () => ({ ...tool("a"), toJSON: () => tool("weather", number) }),
    ],
    [
      "has a definition that does",
      () => ({ type: "function", function: { toJSON: () => tool("weather", number).function } }),
    ],
    [
      "inherits how it is written",
      () => Object.assign(Object.create({ toJSON: () => tool("weather", number) }), tool("a")),
    ],
  ])("reads a tool as generate() does that %s", async (_, declared) => {
    const { rails } = await engine(toolRails, []);
    const messages = [question, asked("weather", '{"n": "no number"}')];
    const { violations } = await rails.check({ messages, tools: [declared()] });
    expect(violations).toMatchObject([{ violationType: "arguments_invalid" }]);
  });

  it("holds results to the configured tool's outputSchema, also if a request's tools are called", async () => {
    const config = await RailsConfig.fromContent({
      config: {
        models: [
          {
            type: "main",
            engine: "x",
            model: "m",
            parameters: {
              base_url: "http://127.0.0.1:9",
              tools: [tool("read", { type: "object" }, { outputSchema: { type: "object" } })],
            },
          },
        ],
        rails: {
          tool_output: { flows: ["tool call validation"] },
          tool_input: { flows: ["tool result validation"] },
        },
      },
    });
    await using rails = new Guardrails(config, { env: {} });
    const messages = [
      question,
      { ...asked("read") },
      { role: "tool", tool_call_id: "c1", name: "read", content: "[1]" },
      { ...asked("weather"), tool_calls: [{ ...call, id: "c2" }] },
    ];
    const requests = [
      { messages: messages.slice(0, 3) },
      { messages: messages.slice(0, 3), options: { llm_params: { tools: [weather] } } },
      { messages, tools: [weather] },
    ];
    for (const request of requests) {
      const railTypes = "tools" in request ? undefined : (["tool_result"] as const);
      const { violations } = await rails.check({ ...request, railTypes });
      expect(violations).toMatchObject([{ violationType: "result_invalid" }]);
    }
  });
});

describe("a guard that has a code of its own for a schema", () => {
  it("is named as who denied, not the tool's schema", async () => {
    const guard: GuardrailProvider = {
      name: "strict-schemas",
      evaluate: () => ({ decision: "deny", reason: "not today", code: "schema_invalid" }),
    };
    const { rails } = await engine(toolRails, [], { providers: { toolCall: [guard] } });
    const { violations } = await rails.check({
      messages: [question, asked("weather")],
      tools: [weather],
    });
    expect(violations).toMatchObject([
      { violationType: "per_tool_rail", rail: "strict-schemas", reason: "not today" },
    ]);
  });
});
