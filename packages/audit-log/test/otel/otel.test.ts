import { metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import {
  allowAll,
  deny,
  type GuardrailProvider,
  type ToolObserver,
  ToolRunner,
} from "@toolstile/core";
import { fakeClock, fakeTool } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { otel, plugin } from "../../src/otel.js";
import { recorded } from "./recorded.js";

const noGin: GuardrailProvider = {
  name: "no-gin",
  evaluate: ({ args }) =>
    args["q"] === "gin s3cret" ? deny("reason-s3cret", { code: "ALCOHOL" }) : { decision: "allow" },
};

function runnerWith(observer: ToolObserver, clock = fakeClock()) {
  return new ToolRunner({
    tools: [
      fakeTool("search", {
        execute() {
          clock.advance(250);
          return "result s3cret";
        },
      }),
      fakeTool("fail", {
        execute() {
          throw new TypeError("error s3cret");
        },
      }),
    ],
    guardrails: [allowAll(), noGin],
    observers: [observer],
    clock,
  });
}

/** A call of every kind of end that a runner by itself can give. */
async function everyEnd(runner: ToolRunner) {
  const requests = [
    { callId: "c1", name: "search", arguments: { q: "tea s3cret" } },
    { callId: "c2", name: "search", arguments: { q: "gin s3cret" } },
    { callId: "c3", name: "fail" },
    { callId: "c4", name: "absent" },
    { callId: "c5", name: "search", arguments: '{"q":"s3cret' },
  ];
  const outcomes = [];
  for (const request of requests) outcomes.push(await runner.run(request));
  return outcomes;
}

const statuses = ["executed", "denied", "failed", "not_found", "invalid"];

describe("otel", () => {
  it("makes a span of every call, with the GenAI conventions' attributes and the record's times", async () => {
    const sdk = recorded();
    const clock = fakeClock();
    const start = clock.now();
    const outcomes = await everyEnd(runnerWith(otel(sdkOf(sdk)), clock));
    expect(outcomes.map(({ status }) => status)).toEqual(statuses);
    const spans = sdk.spans();
    expect(spans.map(({ name }) => name)).toEqual(
      ["search", "search", "fail", "absent", "search"].map((tool) => `execute_tool ${tool}`),
    );
    expect(spans.map(({ attributes }) => attributes["toolstile.run_id"])).toEqual(
      outcomes.map(({ runId }) => runId),
    );
    expect(spans.map(({ attributes }) => attributes["toolstile.status"])).toEqual(statuses);
    expect(spans[0]).toMatchObject({
      kind: SpanKind.INTERNAL,
      status: { code: SpanStatusCode.UNSET },
      startTime: [Math.floor(start / 1_000), (start % 1_000) * 1e6],
      duration: [0, 250e6],
    });
    expect(spans[0]?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "search",
      "gen_ai.tool.call.id": "c1",
      "toolstile.run_id": outcomes[0]?.runId,
      "toolstile.status": "executed",
    });
    expect(spans[1]?.attributes).toMatchObject({
      "toolstile.basis": "policy",
      "toolstile.decided_by": "no-gin",
      "toolstile.code": "ALCOHOL",
    });
    expect(spans[2]?.attributes).toMatchObject({ "error.type": "TypeError" });
    expect(spans.map(({ status }) => status)).toEqual(
      statuses.map((status) => ({
        code: status === "failed" ? SpanStatusCode.ERROR : SpanStatusCode.UNSET,
      })),
    );
  });

  it("counts calls by status and denials by provider, and measures how long calls took", async () => {
    const sdk = recorded();
    await everyEnd(runnerWith(otel(sdkOf(sdk))));
    const calls = await sdk.points("toolstile.tool.calls");
    expect(calls.map(({ value, attributes }) => [attributes["toolstile.status"], value])).toEqual(
      statuses.map((status) => [status, 1]),
    );
    expect(await sdk.points("toolstile.tool.denials")).toEqual([
      {
        value: 1,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "search",
          "toolstile.status": "denied",
          "toolstile.basis": "policy",
          "toolstile.decided_by": "no-gin",
          "toolstile.code": "ALCOHOL",
        },
      },
    ]);
    const durations = await sdk.points("toolstile.tool.duration");
    expect(durations).toHaveLength(5);
    expect(durations[0]).toMatchObject({ value: { sum: 0.25, count: 1 } });
  });

  it("keeps names that the model invented out of metrics", async () => {
    const sdk = recorded();
    await everyEnd(runnerWith(otel(sdkOf(sdk))));
    const named = (await sdk.points("toolstile.tool.calls")).map(
      ({ attributes }) => attributes["gen_ai.tool.name"],
    );
    expect(named).not.toContain("absent");
    expect(named).toContain("fail");
  });

  it("logs each denial inside its span", async () => {
    const sdk = recorded();
    await everyEnd(runnerWith(otel(sdkOf(sdk))));
    const [span] = sdk.spans().filter((it) => it.attributes["toolstile.status"] === "denied");
    expect(sdk.logs()).toHaveLength(1);
    expect(sdk.logs()[0]).toMatchObject({
      eventName: "toolstile.denial",
      severityText: "WARN",
      attributes: { "toolstile.decided_by": "no-gin", "gen_ai.tool.call.id": "c2" },
      spanContext: { spanId: span?.spanContext().spanId },
    });
  });

  it("logs and counts a withheld result as a denial", async () => {
    const sdk = recorded();
    const runner = new ToolRunner({
      tools: [fakeTool("search")],
      guardrails: [allowAll(), { name: "seal", evaluateResult: () => deny("no") }],
      observers: [otel(sdkOf(sdk))],
    });
    expect(await runner.run({ name: "search" })).toMatchObject({ status: "withheld" });
    expect(sdk.logs()[0]).toMatchObject({ attributes: { "toolstile.decided_by": "seal" } });
    expect(await sdk.points("toolstile.tool.denials")).toMatchObject([{ value: 1 }]);
  });

  it("captures no argument, result, reason or error text", async () => {
    const sdk = recorded();
    await everyEnd(runnerWith(otel(sdkOf(sdk))));
    const spans = sdk
      .spans()
      .map(({ attributes, events, status }) => ({ attributes, events, status }));
    const told = [
      spans,
      sdk.logs().map(({ body, attributes }) => ({ body, attributes })),
      await sdk.points("toolstile.tool.calls"),
      await sdk.points("toolstile.tool.denials"),
    ];
    expect(JSON.stringify(told)).not.toContain("s3cret");
  });

  it("captures arguments and results where it is told to", async () => {
    const sdk = recorded();
    await everyEnd(runnerWith(otel({ ...sdkOf(sdk), captureContent: true })));
    expect(sdk.spans()[0]?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"q":"tea s3cret"}',
      "gen_ai.tool.call.result": "result s3cret",
    });
    expect(sdk.logs()[0]?.attributes).toMatchObject({ "toolstile.reason": "reason-s3cret" });
  });

  it("puts the span under the call's traceparent, and under the active span where there is none", async () => {
    const sdk = recorded();
    const runner = runnerWith(otel(sdkOf(sdk)));
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const spanId = "b7ad6b7169203331";
    const tracer = sdk.tracerProvider.getTracer("test");
    const parents: unknown[] = [];
    for (const traceparent of [
      `00-${traceId}-${spanId}-01`,
      undefined,
      "nonsense",
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `01-${traceId}-${spanId}-01-more`,
    ]) {
      await tracer.startActiveSpan("active", async (active) => {
        await runner.run({ name: "search" }, { context: { traceparent } });
        const parent = sdk.spans().at(-1)?.parentSpanContext;
        parents.push(parent?.spanId === active.spanContext().spanId ? "active" : parent);
      });
    }
    const remote = { traceId, spanId, isRemote: true, traceFlags: 1 };
    expect(parents).toEqual([remote, "active", "active", "active", "active", "active", remote]);
  });

  it("uses what is registered with the API by the first call", async () => {
    const sdk = recorded();
    const runner = runnerWith(otel());
    trace.setGlobalTracerProvider(sdk.tracerProvider);
    metrics.setGlobalMeterProvider(sdk.meterProvider);
    logs.setGlobalLoggerProvider(sdk.loggerProvider);
    await everyEnd(runner);
    expect(sdk.spans()).toHaveLength(5);
    expect(await sdk.points("toolstile.tool.calls")).toHaveLength(5);
    expect(sdk.logs()).toHaveLength(1);
  });

  it("changes no outcome where nothing is registered", async () => {
    const outcomes = await everyEnd(runnerWith(otel()));
    expect(outcomes.map(({ status }) => status)).toEqual(statuses);
  });

  /** Every member, and every member of what it gives, throws after `depth` steps. */
  function throwing(depth: number): never {
    const broken = new Proxy(() => {}, {
      get: () => {
        if (depth === 0) throw new Error("broken");
        return () => throwing(depth - 1);
      },
    });
    return broken as never;
  }

  it.each([1, 2, 3])("changes no outcome where the SDK throws after %i steps", async (depth) => {
    const faults: unknown[] = [];
    const broken = { getTracer: giving(depth), getMeter: giving(depth), getLogger: giving(depth) };
    const observer = otel({
      tracerProvider: broken,
      meterProvider: broken as never,
      loggerProvider: broken,
      captureContent: true,
    });
    const runner = new ToolRunner({
      tools: [fakeTool("search")],
      guardrails: [allowAll(), noGin],
      observers: [{ ...observer, required: true }],
      onFault: (fault) => faults.push(fault),
    });
    const run = (q: string) => runner.run({ name: "search", arguments: { q } });
    expect([(await run("tea")).status, (await run("gin s3cret")).status]).toEqual([
      "executed",
      "denied",
    ]);
    expect(faults).toEqual([]);
  });

  function giving(depth: number): () => never {
    return () => {
      if (depth === 1) throw new Error("broken");
      return throwing(depth - 2);
    };
  }

  it("still measures and logs where only the tracer is broken", async () => {
    const sdk = recorded();
    const tracerProvider = { getTracer: giving(1) };
    await everyEnd(runnerWith(otel({ ...sdkOf(sdk), tracerProvider })));
    expect(await sdk.points("toolstile.tool.calls")).toHaveLength(5);
    expect(sdk.logs()).toHaveLength(1);
  });

  it.each([
    ["a provider that is none", { tracerProvider: {} }, /'tracerProvider' must be a provider/],
    [
      "captureContent that is no switch",
      { captureContent: "yes" },
      /'captureContent' must be a boolean/,
    ],
    ["a misspelt option", { captureContents: true }, /Did you mean 'captureContent'/],
  ])("refuses %s", (_, options, message) => {
    expect(() => otel(options as never)).toThrow(message);
  });
});

function sdkOf({ tracerProvider, meterProvider, loggerProvider }: ReturnType<typeof recorded>) {
  return { tracerProvider, meterProvider, loggerProvider };
}

describe("the plugin of otel", () => {
  it("is made from data, and tells what is registered with the API", async () => {
    const sdk = recorded();
    trace.setGlobalTracerProvider(sdk.tracerProvider);
    const runner = runnerWith(plugin.create({ captureContent: true }) as ToolObserver);
    await runner.run({ name: "search", arguments: { q: "tea" } });
    expect(sdk.spans().map(({ name }) => name)).toEqual(["execute_tool search"]);
    expect(JSON.stringify(sdk.spans()[0]?.attributes)).toContain("tea");
    expect(() => plugin.create({ captureContnt: true } as never)).toThrow(
      "Did you mean 'captureContent'?",
    );
  });
});
