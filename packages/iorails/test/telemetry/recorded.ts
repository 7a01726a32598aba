import {
  context,
  type MeterProvider,
  metrics,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  PeriodicExportingMetricReader,
  MeterProvider as SdkMeterProvider,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { type FakeClock, fakeClock } from "@toolstile/testing";
import { onTestFinished } from "vitest";
import { recorder, type TelemetryOptions } from "../../src/telemetry/telemetry.js";
import type { Recorder } from "../../src/telemetry/unrecorded.js";

export interface Point {
  readonly value: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly boundaries?: readonly number[] | undefined;
}

export interface Recorded {
  readonly telemetry: Recorder;
  readonly clock: FakeClock;
  readonly tracerProvider: TracerProvider;
  readonly meterProvider: MeterProvider;
  /** The finished spans, in the order of their end. */
  readonly spans: () => readonly ReadableSpan[];
  readonly span: (name: string) => ReadableSpan;
  readonly points: (metric: string) => Promise<readonly Point[]>;
  readonly metricNames: () => Promise<readonly string[]>;
}

export interface RecordedOptions extends Partial<Omit<TelemetryOptions, "tracing" | "metrics">> {
  readonly tracing?: boolean;
  readonly metrics?: boolean;
  readonly capture?: boolean;
  readonly processors?: readonly SpanProcessor[];
  /** Whether a context manager is registered. */
  readonly contexts?: boolean;
}

/** Telemetry on the real SDK, with exporters in memory. */
export function recorded(options: RecordedOptions = {}): Recorded {
  const { tracing = true, metrics: metered = true, capture = false, contexts = true } = options;
  if (contexts) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }
  onTestFinished(() => {
    context.disable();
    trace.disable();
    metrics.disable();
  });
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [...(options.processors ?? []), new SimpleSpanProcessor(exporter)],
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 2 ** 30,
  });
  const meterProvider = new SdkMeterProvider({ readers: [reader] });
  onTestFinished(() => meterProvider.shutdown());
  const clock = fakeClock();
  const telemetry = recorder({
    tracing: { enabled: tracing, enableContentCapture: capture },
    metrics: { enabled: metered },
    env: options.env ?? {},
    now: clock.now,
    tracerProvider,
    meterProvider,
    ...(options.tracerProvider && { tracerProvider: options.tracerProvider }),
    ...(options.meterProvider && { meterProvider: options.meterProvider }),
  });
  const collected = async () => {
    await meterProvider.forceFlush();
    const last = metricExporter.getMetrics().at(-1);
    return last?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
  };
  return {
    telemetry,
    clock,
    tracerProvider,
    meterProvider,
    spans: () => exporter.getFinishedSpans(),
    span(name) {
      const found = exporter.getFinishedSpans().filter((span) => span.name === name);
      if (found.length !== 1) throw new Error(`${found.length} spans are named ${name}`);
      return found[0] as ReadableSpan;
    },
    async points(name) {
      const metric = (await collected()).find(({ descriptor }) => descriptor.name === name);
      return (metric?.dataPoints ?? []).map(({ value, attributes }) => ({
        value: typeof value === "object" ? value.sum : value,
        attributes,
        boundaries:
          typeof value === "object" && "buckets" in value && "boundaries" in value.buckets
            ? value.buckets.boundaries
            : undefined,
      }));
    },
    metricNames: async () => (await collected()).map(({ descriptor }) => descriptor.name),
  };
}

export const generate = { requestId: "00112233aabbccdd", mode: "generate" } as const;
export const chat = { model: "gpt-x", engine: "openai" } as const;
