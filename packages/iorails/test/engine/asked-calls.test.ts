import { completionBody, completionChunk } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, textOf, toolRails, weather } from "./engine.js";

describe("a call of another type than its tool's", () => {
  it.each(["code_interpreter", "shell", "custom"])("is blocked: %s", async (type) => {
    const { rails } = await engine(toolRails, [
      { body: completionBody({ content: null, tool_calls: [{ ...call, type }] }) },
    ]);
    const options = { llm_params: { tools: [weather] } };
    const { violations } = await rails.generate({ messages: [question], options });
    expect(violations).toMatchObject([{ violationType: "tool_not_allowed" }]);
  });
});

describe("a request without tool rails", () => {
  it("P15 is on record all the same, and blocks arguments that cannot be read", async () => {
    const settled: unknown[] = [];
    const observers = [
      {
        name: "log",
        settle: ({ outcome }: { outcome?: { status: string } | undefined }) =>
          void settled.push(outcome?.status),
      },
    ];
    const deep = `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    const { rails } = await engine(
      toolRails,
      [
        call,
        { ...call, function: { name: "undeclared", arguments: "{}" } },
        { ...call, function: { name: "weather", arguments: deep } },
      ].map((each) => ({ body: completionBody({ content: null, tool_calls: [each] }) })),
      { observers },
    );
    const options = { llm_params: { tools: [weather] }, rails: { tool_output: false } };
    expect((await rails.generate({ messages: [question], options })).status).toBe("passed");
    expect((await rails.generate({ messages: [question], options })).status).toBe("passed");
    expect((await rails.generate({ messages: [question], options })).violations).toMatchObject([
      { violationType: "malformed_arguments" },
    ]);
    expect(settled).toEqual(["released", "released", "invalid"]);
  });
});

describe("a stream that the provider ends with an error event", () => {
  it.each(['event: error\ndata: {"message":"x"}\n\n', 'data: {"type":"error","message":"x"}\n\n'])(
    "hands out no call: %j",
    async (event) => {
      const { rails } = await engine(toolRails, [
        { events: [completionChunk({ tool_calls: [{ index: 0, ...call }] }), event] },
      ]);
      const options = { llm_params: { tools: [weather] } };
      expect(await textOf(rails.stream({ messages: [question], options }))).toBe("[error]");
    },
  );
});

describe("violations", () => {
  it("P17 cut the names and ids that a model makes up", async () => {
    const long = "x".repeat(10_000);
    const { rails } = await engine(toolRails, [
      {
        body: completionBody({
          content: null,
          tool_calls: [{ id: long, type: "function", function: { name: long, arguments: "{}" } }],
        }),
      },
    ]);
    const { violations } = await rails.generate({ messages: [question] });
    expect(JSON.stringify(violations).length).toBeLessThan(1_500);
  });
});

describe("receipts that are required", () => {
  it("P19 are issued also where no rail judges calls", async () => {
    const { receipts } = await import("@toolstile/result-linkage");
    const keys = [{ id: "k", algorithm: "hmac-sha256", secret: "s".repeat(32) }] as const;
    const { rails } = await engine(
      "rails: {tool_input: {flows: [tool result validation], provenance: required}}",
      [{ body: completionBody({ content: null, tool_calls: [call] }) }],
      { receipts: receipts({ keys }) },
    );
    const { message } = await rails.generate({ messages: [question] });
    expect(message.tool_calls?.[0]?.receipt).toMatch(/^toolstile1\.call\./);
  });
});
