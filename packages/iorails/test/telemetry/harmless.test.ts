import { context, metrics, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import type { CompletionEvent } from "../../src/chat/message.js";
import type { RequestSpan } from "../../src/telemetry/request-span.js";
import { recorder } from "../../src/telemetry/telemetry.js";
import { type Recorder, unrecordedRequest } from "../../src/telemetry/unrecorded.js";
import { chat, generate, recorded } from "./recorded.js";

const completion = { content: "x", calls: [], usage: { inputTokens: 1, outputTokens: 1 } };

/** Calls every member, and says how often each function that it passed was run. */
async function everything(telemetry: Recorder): Promise<readonly unknown[]> {
  const runs: string[] = [];
  const ran = (name: string) => async () => {
    runs.push(name);
    return name;
  };
  async function* events(): AsyncGenerator<CompletionEvent, void, void> {
    yield { type: "text", text: "x" };
    yield { type: "end", completion };
  }
  const all = async (request: RequestSpan): Promise<string> => {
    await request.within(ran("within"));
    await request.rail({ type: "Input", name: "r", input: () => "i" }, async (rail) => {
      rail.blocked("why");
      return ran("rail")();
    });
    await request.chat({ ...chat, messages: [{ role: "user", content: "x" }] }, async (span) => {
      span.chunk();
      span.completed(completion);
      return ran("chat")();
    });
    for await (const event of request.chatStream(chat, events)) runs.push(event.type);
    await request.service("s", ran("service"));
    request.blocked("Input");
    request.failed(new Error("x"));
    request.output(() => "o");
    return "verdict";
  };
  const verdict = await telemetry.request({ ...generate, input: () => "i" }, all);
  telemetry.queued(1);
  telemetry.active("stream", 1);
  telemetry.rejected("nonstream");
  const error = new Error("the engine's own");
  const failure = telemetry.request(generate, async () => {
    throw error;
  });
  return [verdict, ...runs, await failure.catch((caught: unknown) => caught === error)];
}
const expected = ["verdict", "within", "rail", "chat", "text", "end", "service", true];

/** An object whose every member, and every member of what it gives, throws after `depth` steps. */
function throwing(depth: number): never {
  return new Proxy(() => {}, {
    get: (_, key) => {
      if (key === "then") return undefined;
      if (depth === 0) throw new Error("telemetry is broken");
      return () => throwing(depth - 1);
    },
  }) as never;
}

describe("a telemetry that fails changes nothing:", () => {
  it("without a fault", async () => {
    expect(await everything(recorded({ capture: true }).telemetry)).toEqual(expected);
  });

  it.each(["onStart", "onEnd", "onStart and onEnd"])("a processor throws in %s", async (where) => {
    const broken = (name: string) => () => {
      if (where.includes(name)) throw new Error("broken");
    };
    const processor = {
      onStart: broken("onStart"),
      onEnd: broken("onEnd"),
      forceFlush: async () => {},
      shutdown: async () => {},
    };
    const r = recorded({ capture: true, processors: [processor] });
    expect(await everything(r.telemetry)).toEqual(expected);
  });

  it.each([0, 1, 2, 3])("providers throw %i steps in", async (depth) => {
    const broken = { tracerProvider: throwing(depth), meterProvider: throwing(depth) };
    const r = recorded({ capture: true, ...broken });
    expect(await everything(r.telemetry)).toEqual(expected);
  });

  it.each(["before", "after"])("a context manager throws %s it runs", async (when) => {
    const r = recorded({ capture: true });
    context.disable();
    context.setGlobalContextManager({
      active: () => {
        throw new Error("broken");
      },
      with: (_, run, self, ...args) => {
        if (when === "before") throw new Error("broken");
        run.apply(self as never, args);
        throw new Error("broken");
      },
      bind: (_, target) => target,
      enable: () => context as never,
      disable: () => context as never,
    });
    expect(await everything(r.telemetry)).toEqual(expected);
  });
});

describe("telemetry that is off", () => {
  const settings = (tracing: boolean, metered: boolean) => ({
    tracing: { enabled: tracing, enableContentCapture: true },
    metrics: { enabled: metered },
    env: {},
    now: () => {
      throw new Error("the clock was read");
    },
  });

  it("asks no provider, reads no clock and gives one and the same object", async () => {
    const telemetry = recorder({
      ...settings(false, false),
      tracerProvider: throwing(0),
      meterProvider: throwing(0),
    });
    expect(telemetry.startRequest(generate)).toBe(unrecordedRequest);
    expect(await everything(telemetry)).toEqual(expected);
  });

  it("makes no span where only metrics are on", async () => {
    const r = recorded({ tracing: false, capture: true });
    expect(await everything(r.telemetry)).toEqual(expected);
    expect(r.spans()).toEqual([]);
    expect((await r.metricNames()).length).toBeGreaterThan(8);
  });

  it("makes no instrument where only tracing is on", async () => {
    const r = recorded({ metrics: false });
    expect(await everything(r.telemetry)).toEqual(expected);
    expect(await r.metricNames()).toEqual([]);
    expect(r.spans().length).toBeGreaterThan(5);
  });

  it("is what runs where it is on and no SDK is registered", async () => {
    const telemetry = recorder({ ...settings(true, true), now: () => 0 });
    expect(await everything(telemetry)).toEqual(expected);
  });
});

describe("the providers registered with the API", () => {
  it("are taken, also when they are registered after the engine was made", async () => {
    const { tracerProvider, meterProvider, spans, metricNames } = recorded();
    const telemetry = recorder({
      tracing: { enabled: true, enableContentCapture: false },
      metrics: { enabled: true },
      env: {},
      now: () => 0,
    });
    trace.setGlobalTracerProvider(tracerProvider);
    metrics.setGlobalMeterProvider(meterProvider);
    expect(await everything(telemetry)).toEqual(expected);
    expect(spans().length).toBeGreaterThan(5);
    expect((await metricNames()).length).toBeGreaterThan(8);
  });
});
