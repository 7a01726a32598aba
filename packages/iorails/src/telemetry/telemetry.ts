import { type MeterProvider, metrics, type TracerProvider, trace } from "@opentelemetry/api";
import { readCapture } from "./capture.js";
import { type Instruments, instruments } from "./instruments.js";
import { quietly } from "./quietly.js";
import { type RequestFacts, type RequestSpan, recordedRequest } from "./request-span.js";
import { requestSpans } from "./spans.js";
import { newRequestId } from "./trace-id.js";
import { type Recorder, unrecordedRequest } from "./unrecorded.js";

/** The instrumentation scope. The names inside are NeMo Guardrails' own, so that its dashboards fit. */
const scope = "@toolstile/iorails";
const schemaUrl = "https://opentelemetry.io/schemas/1.26.0";

export interface TelemetryOptions {
  readonly tracing: { readonly enabled: boolean; readonly enableContentCapture: boolean };
  readonly metrics: { readonly enabled: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly now: () => number;
  /** Default: the one registered with OpenTelemetry's API. */
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

/**
 * Spans and metrics of the engine, through OpenTelemetry's API alone.
 *
 * A signal that is off makes nothing. No message, argument or reason is recorded unless
 * content capture is on; of errors only the kind. Whatever an SDK or exporter
 * throws changes nothing.
 */
export function recorder({
  tracing,
  metrics: metering,
  env,
  now,
  ...given
}: TelemetryOptions): Recorder {
  const tracer = tracing.enabled
    ? quietly(() => (given.tracerProvider ?? trace).getTracer(scope, undefined, { schemaUrl }))
    : undefined;
  const capture = readCapture(tracing.enableContentCapture, env);
  let made: Instruments | undefined;
  /** Made late: the API's meters do nothing until an SDK is registered. */
  const meters = (): Instruments | undefined => {
    if (!metering.enabled) return undefined;
    const provider = given.meterProvider ?? metrics;
    made ??= quietly(() => instruments(provider.getMeter(scope, undefined, { schemaUrl })));
    return made;
  };
  const startRequest = (facts: RequestFacts): RequestSpan => {
    if (tracer === undefined && !metering.enabled) return unrecordedRequest;
    const spans = tracer && requestSpans(tracer);
    return recordedRequest(facts, { spans, instruments: meters(), capture, now });
  };
  return {
    newRequestId,
    startRequest,
    request: async (facts, run) => {
      const request = startRequest(facts);
      if (request === unrecordedRequest) return run(unrecordedRequest);
      try {
        return await request.within(() => run(request));
      } catch (thrown) {
        request.failed(thrown);
        throw thrown;
      } finally {
        request.end();
      }
    },
    queued: (by) => meters()?.change("nonstreamQueued", by),
    active: (kind, by) =>
      meters()?.change(kind === "stream" ? "streamActive" : "nonstreamActive", by),
    rejected: (kind) =>
      meters()?.count(kind === "stream" ? "streamRejections" : "nonstreamRejections"),
  };
}
