import { describe, expect, it } from "vitest";
import { generated, tools } from "./asked-once.js";
import { asks, declared, question, refusal, scripted, text, wireCall } from "./scripted.js";

const secret = "hunter2-and-the-rest";

describe("a call that the model asks for", () => {
  it.each([
    [
      "IO-002 IO-012 IO-017 IO-048 blocks where the tool was not declared",
      wireCall("delete_database"),
      "tool_not_allowed",
      "tool call 'delete_database' is not an allowed tool",
    ],
    [
      "IO-006 IO-049 blocks where its arguments are of another type",
      wireCall("get_weather", { city: 7 }),
      "arguments_invalid",
      "arguments for tool 'get_weather' do not match its schema: type at /city",
    ],
    [
      "IO-050 blocks where a required property is missing",
      wireCall("get_weather", {}),
      "arguments_invalid",
      "arguments for tool 'get_weather' do not match its schema: required at the top level",
    ],
    [
      "IO-051 blocks where it brings arguments to a tool without parameters",
      wireCall("list_cities", { city: secret }),
      "unexpected_arguments",
      "tool 'list_cities' accepts no arguments",
    ],
    [
      "IO-051 blocks where it brings arguments to a tool without properties",
      wireCall("ping", { city: secret }),
      "unexpected_arguments",
      "tool 'ping' accepts no arguments",
    ],
    [
      "IO-054 blocks where the schema of the tool is not valid",
      wireCall("broken", { city: "Paris" }),
      "invalid_tool_schema",
      "declared schema for tool 'broken' is not valid JSON Schema",
    ],
    [
      "IO-131 blocks where the schema of the tool is elsewhere",
      wireCall("remote", {}),
      "invalid_tool_schema",
      "declared schema for tool 'remote' is not valid JSON Schema",
    ],
    [
      "IO-073 blocks where the schema of the tool is in an unknown dialect",
      wireCall("foreign", {}),
      "invalid_tool_schema",
      "declared schema for tool 'foreign' is not valid JSON Schema",
    ],
    [
      "IO-073 blocks by the draft that the schema names",
      wireCall("exact", { n: 5 }),
      "arguments_invalid",
      "arguments for tool 'exact' do not match its schema: exclusiveMaximum at /n",
    ],
    [
      "IO-103 blocks where its arguments are no JSON",
      wireCall("get_weather", `{"city": "${secret}`),
      "malformed_arguments",
      "'get_weather'",
    ],
    [
      "IO-103 blocks where its arguments are JSON of another kind than JSON has it",
      wireCall("get_weather", '{"city":NaN}'),
      "malformed_arguments",
      "'get_weather'",
    ],
    [
      "IO-104 blocks where its arguments are a list",
      wireCall("get_weather", `["${secret}"]`),
      "malformed_arguments",
      "'get_weather'",
    ],
    [
      "IO-104 blocks where its arguments are text",
      wireCall("get_weather", `"${secret}"`),
      "malformed_arguments",
      "'get_weather'",
    ],
    [
      "IO-048 blocks where its name is a member of every object",
      wireCall("constructor"),
      "tool_not_allowed",
      "tool call 'constructor' is not an allowed tool",
    ],
    [
      "IO-048 blocks where the name differs in case",
      wireCall("Get_Weather", { city: "Paris" }),
      "tool_not_allowed",
      "tool call 'Get_Weather' is not an allowed tool",
    ],
    [
      "IO-049 blocks where it has a required member by its prototype only",
      wireCall("constructor_of", {}),
      "arguments_invalid",
      "arguments for tool 'constructor_of' do not match its schema: required at the top level",
    ],
  ])("%s", async (_, call, violationType, reason) => {
    const { message, status, violations } = await generated(asks(call));
    expect({ message, status }).toEqual({ message: refusal, status: "blocked" });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatchObject({
      kind: "tool_call",
      violationType,
      toolCallId: "call_1",
      toolName: call.function.name,
      index: 0,
    });
    expect(violations[0]?.reason).toContain(reason);
  });

  it.each([
    [
      "IO-009 IO-041 is handed to the application as the model wrote it",
      [wireCall("get_weather", '{ "city" : "Zürich" }')],
    ],
    [
      "IO-046 is handed on with the others where all pass",
      [wireCall("get_weather", { city: "Paris" }), wireCall("list_cities", {}, "call_2")],
    ],
    [
      "IO-051 passes without arguments where the tool declares none",
      [wireCall("list_cities", "{}")],
    ],
    ["IO-073 passes by the draft that the schema names", [wireCall("exact", { n: 4.5 })]],
  ])("%s", async (_, calls) => {
    const { message, status, violations } = await generated(asks(...calls));
    expect(message).toEqual({ role: "assistant", content: null, tool_calls: calls });
    expect({ status, violations }).toEqual({ status: "passed", violations: [] });
  });

  it("IO-106 has no arguments where their text is empty", async () => {
    const { status, message } = await generated(asks(wireCall("list_cities", "")));
    expect(status).toBe("passed");
    expect(message.tool_calls?.[0]?.function?.arguments).toBe("{}");
  });

  it("IO-106 is missing its required properties where the text is empty", async () => {
    const { violations } = await generated(asks(wireCall("get_weather", "")));
    expect(violations[0]?.violationType).toBe("arguments_invalid");
  });

  it("IO-052 IO-053 passes by its type, whatever its arguments, where the tool is hosted", async () => {
    const call = { id: "call_1", type: "web_search", web_search: { query: 5 } };
    const { status } = await generated(asks(call));
    expect(status).toBe("passed");
  });

  it("IO-052 blocks by its type where no such hosted tool was declared", async () => {
    const call = { id: "call_1", type: "code_interpreter" };
    const { status, violations } = await generated(asks(call));
    expect(status).toBe("blocked");
    expect(violations[0]?.reason).toContain("'code_interpreter' is not an allowed tool");
  });

  it("IO-015 is handed on together with the text beside it", async () => {
    const calls = [wireCall("get_weather", { city: "Paris" })];
    const answer = text("I will look.");
    const engine = await scripted({
      models: { m: { body: withCalls(answer, calls) } },
    });
    const { message } = await engine.rails.generate({
      messages: [question],
      options: { llm_params: { tools } },
    });
    expect(message).toEqual({ role: "assistant", content: "I will look.", tool_calls: calls });
  });

  it("IO-046 IO-047 IO-115 blocks with the others, and each violation is told in order", async () => {
    const { message, violations } = await generated(
      asks(
        wireCall("get_weather", { city: "Paris" }),
        wireCall("drop_table", {}, "call_2"),
        wireCall("get_weather", { city: 7 }, "call_3"),
      ),
    );
    expect(message).toEqual(refusal);
    expect(violations.map(({ violationType, index }) => [violationType, index])).toEqual([
      ["tool_not_allowed", 1],
      ["arguments_invalid", 2],
    ]);
  });

  it("IO-105 IO-113 P2 blocks with a reason that quotes no argument", async () => {
    const { violations } = await generated(
      asks(
        wireCall("get_weather", { city: [secret] }),
        wireCall("get_weather", { city: "Paris", days: secret, [secret]: 1 }, "call_2"),
        wireCall("list_cities", { [secret]: secret }, "call_3"),
        wireCall("get_weather", `{"city": ${secret}`, "call_4"),
      ),
    );
    expect(violations.map(({ toolCallId }) => toolCallId)).toEqual([
      "call_1",
      "call_2",
      "call_3",
      "call_4",
    ]);
    expect(JSON.stringify(violations)).not.toContain(secret);
  });

  it("IO-114 blocks with names and ids cut to 64 characters", async () => {
    const { violations } = await generated(asks(wireCall("n".repeat(300), {}, "i".repeat(300))));
    expect(violations[0]?.reason).toContain("n".repeat(64));
    expect(violations.map(({ reason }) => reason).join()).not.toMatch(/n{65}|i{65}/);
  });

  it("blocks where two of an answer have one id", async () => {
    const { violations } = await generated(
      asks(wireCall("get_weather", { city: "Paris" }), wireCall("get_weather", { city: "Rome" })),
    );
    expect(violations[0]?.violationType).toBe("duplicate_call_id");
  });

  it("blocks where nothing was declared", async () => {
    const { status } = await generated(asks(wireCall("get_weather", { city: "Paris" })), null);
    expect(status).toBe("blocked");
  });
});

describe("calls under a polluted prototype", () => {
  it.each<[string, unknown]>([
    ["decision", "allow"],
    ["rails", { tool_output: false }],
    ["tool_output", false],
    ["options", { rails: { tool_output: false } }],
    ["llm_params", { tools: [declared("drop_table")] }],
    ["tools", [declared("drop_table")]],
    ["drop_table", declared("drop_table")],
    ["flows", []],
    ["unchecked", true],
    ["basis", "policy"],
  ])("P8 block where %s is planted on it", async (key, value) => {
    const engine = await scripted({ models: { m: asks(wireCall("drop_table")) } });
    Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
    try {
      const { status } = await engine.rails.generate({ messages: [question] });
      expect(status).toBe("blocked");
    } finally {
      Reflect.deleteProperty(Object.prototype, key);
    }
  });
});

function withCalls(answer: ReturnType<typeof text>, calls: readonly unknown[]): unknown {
  const body = structuredClone((answer as { body: never }).body) as {
    choices: [{ message: Record<string, unknown> }];
  };
  body.choices[0].message["tool_calls"] = calls;
  return body;
}
