import { context, metrics, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  type ReadableLogRecord,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { onTestFinished } from "vitest";

export interface Point {
  readonly value: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The real SDKs, with exporters in memory. */
export function recorded() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spanExporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spanExporter)],
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 2 ** 30,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const logExporter = new InMemoryLogRecordExporter();
  const loggerProvider = new LoggerProvider({
    processors: [new SimpleLogRecordProcessor({ exporter: logExporter })],
  });
  onTestFinished(async () => {
    for (const api of [context, trace, metrics, logs]) api.disable();
    await meterProvider.shutdown();
  });
  return {
    tracerProvider,
    meterProvider,
    loggerProvider,
    spans: (): readonly ReadableSpan[] => spanExporter.getFinishedSpans(),
    logs: (): readonly ReadableLogRecord[] => logExporter.getFinishedLogRecords(),
    async points(name: string): Promise<readonly Point[]> {
      await meterProvider.forceFlush();
      const scopes = metricExporter.getMetrics().at(-1)?.scopeMetrics ?? [];
      const metric = scopes
        .flatMap((scope) => scope.metrics)
        .find(({ descriptor }) => descriptor.name === name);
      return (metric?.dataPoints ?? []).map(({ value, attributes }) => ({ value, attributes }));
    },
  };
}
