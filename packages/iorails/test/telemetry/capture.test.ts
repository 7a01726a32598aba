import { describe, expect, it } from "vitest";
import type { Completion } from "../../src/chat/message.js";
import { namedResults } from "../../src/telemetry/capture.js";
import { chat, generate, recorded } from "./recorded.js";

const variable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const latest = { OTEL_SEMCONV_STABILITY_OPT_IN: "http, gen_ai_latest_experimental" };
const messages = [
  { role: "system", content: "secret-system" },
  { role: "user", content: [{ type: "text", text: "secret-user" }] },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c1", type: "function", function: { name: "mail", arguments: '{"to":"secret-args"}' } },
    ],
  },
  { role: "tool", tool_call_id: "c1", name: "mail", content: "result-text" },
];
const completion: Completion = {
  content: "secret-answer",
  calls: [{ id: "c2", type: "function", name: "mail", arguments: '{"to":"secret-call"}' }],
  finishReason: "tool_calls",
};

async function request(r: ReturnType<typeof recorded>): Promise<void> {
  const facts = { ...generate, input: () => messages };
  await r.telemetry.request(facts, async (span) => {
    const input = () => ({ text: "secret-judged" });
    await span.rail({ type: "Input", name: "x", input }, async (rail) => {
      rail.blocked("secret-reason");
    });
    await span.chat({ ...chat, messages }, async (exchange) => exchange.completed(completion));
    span.output(() => "secret-output");
  });
}
const everything = (r: ReturnType<typeof recorded>): string =>
  JSON.stringify(
    r.spans().map(({ attributes, events, status }) => ({ attributes, events, status })),
  );

describe("content", () => {
  it("P2 is in no span unless it is asked for", async () => {
    const r = recorded();
    await request(r);
    expect(r.spans()).toHaveLength(4);
    expect(everything(r)).not.toMatch(/secret|result-text/);
  });

  it("is not even read unless it is asked for", async () => {
    const r = recorded();
    const read = () => {
      throw new Error("read");
    };
    await r.telemetry.request({ ...generate, input: read }, async (span) => span.output(read));
    expect(r.spans()).toHaveLength(1);
  });

  it.each([
    [true, {}, true],
    [false, {}, false],
    [false, { [variable]: "true" }, true],
    [false, { [variable]: " TRUE " }, true],
    [false, { [variable]: "1" }, true],
    [true, { [variable]: "false" }, false],
    [true, { [variable]: "0" }, false],
    [true, { [variable]: "no idea" }, false],
    [true, { [variable]: "" }, true],
  ])("with the configuration's %s and %j is captured: %s", async (capture, env, expected) => {
    const r = recorded({ capture, env });
    await request(r);
    expect(everything(r).includes("secret")).toBe(expected);
  });

  it("of a request and a rail is captured as attributes", async () => {
    const r = recorded({ capture: true });
    await request(r);
    expect(r.span("guardrails.request").attributes).toMatchObject({
      "guardrails.request.input": JSON.stringify(messages),
      "guardrails.request.output": "secret-output",
    });
    expect(r.span("guardrails.rail").attributes).toMatchObject({
      "guardrails.rail.input": '{"text":"secret-judged"}',
      "guardrails.rail.reason": "secret-reason",
    });
  });

  it("of an exchange is captured as events, as older conventions have it", async () => {
    const r = recorded({ capture: true });
    await request(r);
    const { events, attributes } = r.span("chat gpt-x");
    expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["gen_ai.system.message", { role: "system", content: "secret-system" }],
      ["gen_ai.user.message", { role: "user", content: JSON.stringify(messages[1]?.content) }],
      [
        "gen_ai.assistant.message",
        { role: "assistant", content: "null", tool_calls: JSON.stringify(messages[2]?.tool_calls) },
      ],
      ["gen_ai.tool.message", { role: "tool", id: "c1", name: "mail" }],
      [
        "gen_ai.choice",
        { index: 0, finish_reason: "tool_calls", message: expect.stringContaining("secret-call") },
      ],
    ]);
    expect(attributes).not.toHaveProperty(["gen_ai.input.messages"]);
  });

  it("of an exchange is captured as JSON where the newest conventions are asked for", async () => {
    const r = recorded({ capture: true, env: latest });
    await request(r);
    const { events, attributes } = r.span("chat gpt-x");
    expect(events).toEqual([]);
    expect(JSON.parse(String(attributes["gen_ai.input.messages"]))).toEqual([
      { role: "system", parts: [{ type: "text", content: "secret-system" }] },
      { role: "user", parts: [{ type: "text", content: "secret-user" }] },
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "c1", name: "mail", arguments: '{"to":"secret-args"}' }],
      },
      {
        role: "tool",
        parts: [{ type: "tool_call_response", id: "c1", name: "mail", response: null }],
      },
    ]);
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "text", content: "secret-answer" },
          { type: "tool_call", id: "c2", name: "mail", arguments: '{"to":"secret-call"}' },
        ],
        finish_reason: "tool_calls",
      },
    ]);
  });

  it("of tools' results is left out of what a model is asked, and named for their rail", async () => {
    for (const env of [{}, latest]) {
      const r = recorded({ capture: true, env });
      await r.telemetry.request(generate, (span) =>
        span.chat({ ...chat, messages }, async () => {}),
      );
      expect(everything(r)).not.toContain("result-text");
    }
    expect(namedResults(messages)).toEqual([{ tool_call_id: "c1", name: "mail" }]);
  });

  it.each([{}, latest])("that JSON cannot hold changes nothing: %j", async (env) => {
    const r = recorded({ capture: true, env });
    const odd = [{ role: "user", content: 1n }, null] as never;
    const answer = await r.telemetry.request({ ...generate, input: () => odd }, (span) =>
      span.chat({ ...chat, messages: odd }, async (exchange) => {
        exchange.completed({ ...completion, calls: [{ arguments: 1n } as never] });
        return "answer";
      }),
    );
    expect(answer).toBe("answer");
    expect(r.spans()).toHaveLength(2);
  });
});
