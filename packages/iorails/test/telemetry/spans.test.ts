import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ToolstileError } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/errors.js";
import { newRequestId } from "../../src/telemetry/trace-id.js";
import { chat, generate, recorded } from "./recorded.js";

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** "name < parent's name" for each span. */
function tree({ spans }: ReturnType<typeof recorded>): readonly string[] {
  const names = new Map(spans().map((span) => [span.spanContext().spanId, span.name]));
  return spans().map(
    (span) => `${span.name} < ${names.get(span.parentSpanContext?.spanId ?? "") ?? "-"}`,
  );
}

async function wholeRequest({ telemetry }: ReturnType<typeof recorded>): Promise<string> {
  return telemetry.request(generate, async (request) => {
    await pause();
    await Promise.all([
      request.rail({ type: "Input", name: "self check input" }, async () => {
        await pause();
        await request.chat({ ...chat, model: "guard" }, pause);
      }),
      request.rail({ type: "Input", name: "jailbreak" }, async () => {
        await pause();
        await request.service("jailbreak_detection", pause);
      }),
    ]);
    await request.chat(chat, pause);
    return "answer";
  });
}

const expectedTree = [
  "chat guard < guardrails.action",
  "api jailbreak_detection < guardrails.action",
  "guardrails.action < guardrails.rail",
  "guardrails.action < guardrails.rail",
  "guardrails.rail < guardrails.request",
  "guardrails.rail < guardrails.request",
  "chat gpt-x < guardrails.request",
  "guardrails.request < -",
].sort();

describe("the spans of a request", () => {
  it("nest across awaits, also where rails run side by side", async () => {
    const r = recorded();
    expect(await wholeRequest(r)).toBe("answer");
    expect([...tree(r)].sort()).toEqual(expectedTree);
    expect(new Set(r.spans().map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it("belong to the request where the application has no context manager", async () => {
    const r = recorded({ contexts: false });
    expect(await wholeRequest(r)).toBe("answer");
    expect(tree(r)).toContain("guardrails.rail < guardrails.request");
    expect(tree(r)).toContain("chat gpt-x < guardrails.request");
  });

  it("have the kinds and names that dashboards know", async () => {
    const r = recorded();
    await wholeRequest(r);
    const { span } = r;
    expect(span("guardrails.request").kind).toBe(SpanKind.SERVER);
    expect(span("chat gpt-x").kind).toBe(SpanKind.CLIENT);
    expect(span("api jailbreak_detection").kind).toBe(SpanKind.CLIENT);
    expect(span("api jailbreak_detection").attributes).toEqual({
      "api.name": "jailbreak_detection",
    });
    expect(span("guardrails.request").attributes).toEqual({
      "gen_ai.operation.name": "guardrails",
      "request.id": generate.requestId,
    });
    const rails = r.spans().filter(({ name }) => name === "guardrails.rail");
    expect(rails.map(({ kind, attributes }) => ({ kind, ...attributes }))).toEqual([
      { kind: SpanKind.INTERNAL, "rail.type": "Input", "rail.name": "self check input" },
      { kind: SpanKind.INTERNAL, "rail.type": "Input", "rail.name": "jailbreak" },
    ]);
    const actions = r.spans().filter(({ name }) => name === "guardrails.action");
    expect(actions.map(({ attributes }) => attributes["action.name"])).toEqual([
      "self check input",
      "jailbreak",
    ]);
    expect(span("guardrails.request").instrumentationScope).toMatchObject({
      name: "@toolstile/iorails",
      schemaUrl: "https://opentelemetry.io/schemas/1.26.0",
    });
  });

  it("hang under the caller's span, and not under one that the caller opens beside them", async () => {
    const r = recorded();
    const tracer = r.tracerProvider.getTracer("host");
    const host = tracer.startSpan("host");
    const started = context.with(trace.setSpan(context.active(), host), () =>
      r.telemetry.startRequest({ mode: "stream" }),
    );
    // A consumer of a stream runs in the caller's context, whose span is of the same trace.
    await context.with(trace.setSpan(context.active(), host), () => started.chat(chat, pause));
    started.end();
    host.end();
    expect([...tree(r)].sort()).toEqual([
      "chat gpt-x < guardrails.request",
      "guardrails.request < host",
      "host < -",
    ]);
  });

  it("of two requests at once are kept apart", async () => {
    const r = recorded();
    await Promise.all([wholeRequest(r), wholeRequest(r)]);
    expect([...tree(r)].sort()).toEqual([...expectedTree, ...expectedTree].sort());
    expect(new Set(r.spans().map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  it("say rail.stop of the rail that blocked, and only of that", async () => {
    const r = recorded();
    await r.telemetry.request(generate, async (request) => {
      await request.rail({ type: "Input", name: "passes" }, pause);
      await request.rail({ type: "Output", name: "blocks" }, async (rail) => rail.blocked("why"));
    });
    const rails = r.spans().filter(({ name }) => name === "guardrails.rail");
    expect(rails.map(({ attributes }) => attributes)).toEqual([
      { "rail.type": "Input", "rail.name": "passes" },
      { "rail.type": "Output", "rail.name": "blocks", "rail.stop": true },
    ]);
  });

  it("say whether the model was asked while input rails judged", async () => {
    const r = recorded();
    await r.telemetry.request({ ...generate, speculative: true }, async () => {});
    expect(r.span("guardrails.request").attributes).toMatchObject({
      "speculative_generation.mode_active": true,
    });
  });
});

describe("an error", () => {
  class Odd extends Error {}
  it.each([
    [new ModelError("status", "main", "hunter2", { status: 503 }), "503"],
    [new ModelError("timeout", "main", "hunter2"), "timeout"],
    [new ToolstileError("ERR_BUSY", "hunter2"), "ERR_BUSY"],
    [new Odd("hunter2"), "Odd"],
    [Object.assign(new Error("hunter2"), { name: "hunter2" }), "Error"],
    ["hunter2", "_OTHER"],
    [null, "_OTHER"],
  ])("P2 is recorded by its kind, without its words, and passed on: %#", async (thrown, type) => {
    const r = recorded({ capture: true });
    const attempt = r.telemetry.request(generate, (request) =>
      request.rail({ type: "Input", name: "x" }, () =>
        request.chat(chat, async () => {
          await pause();
          throw thrown;
        }),
      ),
    );
    await expect(attempt.catch((caught: unknown) => [caught])).resolves.toEqual([thrown]);
    expect(r.spans()).toHaveLength(4);
    for (const span of r.spans()) {
      expect(span.attributes["error.type"]).toBe(type);
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span.events).toEqual([]);
    }
    expect((await r.points("guardrails.requests.errors"))[0]?.attributes).toEqual({
      "error.type": type,
    });
  });

  it("that is thrown at once is passed on as a rejection", async () => {
    const r = recorded();
    const thrown = new Error("at once");
    const run = (): Promise<never> => {
      throw thrown;
    };
    await expect(r.telemetry.request(generate, run)).rejects.toBe(thrown);
    expect(r.span("guardrails.request").status.code).toBe(SpanStatusCode.ERROR);
  });

  it("that a stream swallowed is recorded when the engine says so", async () => {
    const r = recorded();
    const request = r.telemetry.startRequest({ mode: "stream" });
    request.failed(new ModelError("network", "main", "x"));
    request.failed(new Error("later"));
    request.end();
    request.end();
    expect(r.span("guardrails.request").attributes["error.type"]).toBe("network");
    expect(await r.points("guardrails.requests.errors")).toHaveLength(1);
  });
});

describe("a request's id", () => {
  it("is 16 hex characters, random without a trace", () => {
    const ids = new Set(Array.from({ length: 100 }, newRequestId));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });

  it("is the low 64 bits of the active trace's", () => {
    const r = recorded();
    const span = r.tracerProvider.getTracer("host").startSpan("host");
    const id = context.with(trace.setSpan(context.active(), span), newRequestId);
    expect(id).toBe(span.spanContext().traceId.slice(16));
  });

  it("is that of the request's own trace where none was given", () => {
    const r = recorded();
    const request = r.telemetry.startRequest({ mode: "check" });
    request.end();
    const span = r.span("guardrails.request");
    expect(request.requestId).toBe(span.spanContext().traceId.slice(16));
    expect(span.attributes["request.id"]).toBe(request.requestId);
  });

  it("is random where only metrics are on", () => {
    const request = recorded({ tracing: false }).telemetry.startRequest({ mode: "check" });
    expect(request.requestId).toMatch(/^[0-9a-f]{16}$/);
  });
});
