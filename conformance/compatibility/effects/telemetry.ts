import { createRequire } from "node:module";

// The engine's copies: no other test here needs OpenTelemetry.
const require = createRequire(new URL("../../../packages/iorails/package.json", import.meta.url));
const { trace, metrics } = require("@opentelemetry/api");
const traces = require("@opentelemetry/sdk-trace-base");
const meters = require("@opentelemetry/sdk-metrics");

/** The reports to OpenTelemetry's SDK while something runs: the attributes and events of spans as JSON, and the names of metrics. */
export async function recorded(
  run: () => Promise<unknown>,
): Promise<{ readonly spans: string; readonly metrics: readonly string[] }> {
  const spans = new traces.InMemorySpanExporter();
  const processor = new traces.SimpleSpanProcessor(spans);
  const counted = new meters.InMemoryMetricExporter(meters.AggregationTemporality.CUMULATIVE);
  const reader = new meters.PeriodicExportingMetricReader({
    exporter: counted,
    exportIntervalMillis: 2 ** 30,
  });
  const provider = new meters.MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(new traces.BasicTracerProvider({ spanProcessors: [processor] }));
  metrics.setGlobalMeterProvider(provider);
  try {
    await run();
    await provider.forceFlush();
    const found: readonly Named[] = counted.getMetrics().at(-1)?.scopeMetrics ?? [];
    return {
      spans: spans.getFinishedSpans().map(textOf).join("\n"),
      metrics: found.flatMap((each) => each.metrics.map(({ descriptor }) => descriptor.name)),
    };
  } finally {
    trace.disable();
    metrics.disable();
    await provider.shutdown();
  }
}

interface Named {
  readonly metrics: readonly { readonly descriptor: { readonly name: string } }[];
}

function textOf(span: {
  readonly name: string;
  readonly attributes: object;
  readonly events: object;
}) {
  return JSON.stringify([span.name, span.attributes, span.events]);
}
