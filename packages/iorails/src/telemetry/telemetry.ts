import {
  type MeterProvider,
  metrics,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { type ContentCapture, readCapture } from "./capture.js";
import { Instruments } from "./instruments.js";
import { quietly } from "./quietly.js";
import { type RequestFacts, type RequestSpan, recordedRequest } from "./request-span.js";
import { RequestSpans } from "./spans.js";
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
export class Telemetry implements Recorder {
  readonly #tracer: Tracer | undefined;
  readonly #metered: boolean;
  readonly #meterProvider: MeterProvider | undefined;
  readonly #capture: ContentCapture;
  readonly #now: () => number;
  #instruments: Instruments | undefined;

  constructor(options: TelemetryOptions) {
    this.#tracer = options.tracing.enabled
      ? quietly(() => (options.tracerProvider ?? trace).getTracer(scope, undefined, { schemaUrl }))
      : undefined;
    this.#metered = options.metrics.enabled;
    this.#meterProvider = options.meterProvider;
    this.#capture = readCapture(options.tracing.enableContentCapture, options.env);
    this.#now = options.now;
  }

  /**
   * Runs one request inside its span; its rejection is recorded and passed on.
   *
   * The wait for capacity belongs inside: a request turned away counts as a
   * request and as an error, beside `rejected`.
   */
  async request<T>(facts: RequestFacts, run: (request: RequestSpan) => Promise<T>): Promise<T> {
    const request = this.startRequest(facts);
    if (request === unrecordedRequest) return run(unrecordedRequest);
    try {
      return await request.within(() => run(request));
    } catch (thrown) {
      request.failed(thrown);
      throw thrown;
    } finally {
      request.end();
    }
  }

  /** Makes an id for a request that is not recorded. */
  readonly newRequestId = newRequestId;

  /** Begins a request that outlives a function, as a stream does; its `end` must be called. */
  startRequest(facts: RequestFacts): RequestSpan {
    if (this.#tracer === undefined && !this.#metered) return unrecordedRequest;
    return recordedRequest(facts, {
      spans: this.#tracer === undefined ? undefined : new RequestSpans(this.#tracer),
      instruments: this.#meters(),
      capture: this.#capture,
      now: this.#now,
    });
  }

  /** One request more, or one less, waits for a worker. */
  queued(by: 1 | -1): void {
    this.#meters()?.change("nonstreamQueued", by);
  }

  /** One request or stream more, or one less, is at work. */
  active(kind: "nonstream" | "stream", by: 1 | -1): void {
    this.#meters()?.change(kind === "stream" ? "streamActive" : "nonstreamActive", by);
  }

  /** There was no capacity for one. */
  rejected(kind: "nonstream" | "stream"): void {
    this.#meters()?.count(kind === "stream" ? "streamRejections" : "nonstreamRejections");
  }

  /** Made late: the API's meters do nothing until an SDK is registered. */
  #meters(): Instruments | undefined {
    if (!this.#metered) return undefined;
    this.#instruments ??= quietly(
      () =>
        new Instruments((this.#meterProvider ?? metrics).getMeter(scope, undefined, { schemaUrl })),
    );
    return this.#instruments;
  }
}
