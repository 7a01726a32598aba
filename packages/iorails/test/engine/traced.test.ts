import { context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { completionBody, completionChunk, modelServer } from "@toolstile/testing";
import { expect, it, onTestFinished } from "vitest";
import { Guardrails, RailsConfig } from "../../src/index.js";

const call = {
  id: "call_1",
  type: "function",
  function: { name: "secret_tool", arguments: '{"pin":"hunter2"}' },
};

it("spans and counts a blocked request, a passed stream and a check, without any of their content", async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  const counted = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: counted,
    exportIntervalMillis: 2 ** 30,
  });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
  const server = await modelServer([
    { body: completionBody({ content: null, tool_calls: [call] }) },
    { events: [completionChunk({ content: "hunter2" }), completionChunk({}, "stop")] },
  ]);
  onTestFinished(async () => {
    context.disable();
    trace.disable();
    metrics.disable();
    await meters.shutdown();
    await server.close();
  });
  const config = await RailsConfig.fromContent({
    yaml: `
models: [{type: main, engine: openai, model: m, parameters: {base_url: "${server.url}"}}]
rails: {tool_output: {flows: [tool call validation]}, tool_input: {flows: [tool result validation]}}
tracing: {enabled: true}
metrics: {enabled: true}
`,
  });
  await using rails = new Guardrails(config, { env: {} });
  const messages = [{ role: "user", content: "my pin is hunter2" }];
  const { status, requestId } = await rails.generate({ messages });
  expect(status).toBe("blocked");
  for await (const chunk of rails.stream({ messages })) expect(chunk.type).toBe("text");
  await rails.check({ messages });

  const finished = spans.getFinishedSpans();
  const shape = finished.map((span) => {
    const parent = finished.find(
      (other) => other.spanContext().spanId === span.parentSpanContext?.spanId,
    );
    return [span.name, parent?.name];
  });
  expect(shape).toEqual([
    ["guardrails.action", "guardrails.rail"],
    ["guardrails.rail", "guardrails.request"],
    ["chat m", "guardrails.request"],
    ["guardrails.action", "guardrails.rail"],
    ["guardrails.rail", "guardrails.request"],
    ["guardrails.request", undefined],
    ["guardrails.action", "guardrails.rail"],
    ["guardrails.rail", "guardrails.request"],
    ["chat m", "guardrails.request"],
    ["guardrails.request", undefined],
    ["guardrails.action", "guardrails.rail"],
    ["guardrails.rail", "guardrails.request"],
    ["guardrails.request", undefined],
  ]);
  const [request] = finished.filter(({ name }) => name === "guardrails.request");
  expect(request?.attributes["request.id"]).toBe(requestId);
  expect(finished[4]?.attributes).toMatchObject({ "rail.type": "Output", "rail.stop": true });

  await reader.forceFlush();
  const points = counted
    .getMetrics()
    .flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics: all }) =>
        all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0]?.value] as const),
      ),
    );
  const values = new Map(points);
  expect(values.get("guardrails.requests")).toBe(3);
  expect(values.get("guardrails.requests.blocked")).toBe(1);
  expect(values.get("guardrails.requests.active")).toBe(0);
  const told = finished.map(({ attributes, events, status: s }) => [attributes, events, s]);
  expect(JSON.stringify([told, points])).not.toContain("hunter2");
});
