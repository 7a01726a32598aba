import {
  type Context,
  type MeterProvider,
  metrics,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { type Logger, type LoggerProvider, logs, SeverityNumber } from "@opentelemetry/api-logs";
import type { CallRecord, ToolObserver } from "@toolstile/core";
import {
  boolean,
  nonEmptyText,
  type OptionReader,
  type OptionTable,
  readOptions,
  such,
} from "@toolstile/core/provider";
import {
  contentAttributes,
  instant,
  metricAttributes,
  type SettledRecord,
  spanAttributes,
  stopAttributes,
  toolOf,
} from "./attributes.js";
import { Instruments } from "./instruments.js";
import { parentOf } from "./parent.js";
import { quietly } from "./quietly.js";

export interface OtelOptions {
  /** Default: the one registered with OpenTelemetry's API. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the one registered with OpenTelemetry's API before the first call is over. */
  readonly meterProvider?: MeterProvider | undefined;
  /** Default: the one registered with OpenTelemetry's API. */
  readonly loggerProvider?: LoggerProvider | undefined;
  /** With `true`, spans hold arguments and results as they are, and denials their reasons. Default `false`. */
  readonly captureContent?: boolean | undefined;
  readonly name?: string | undefined;
}

const scope = "@toolstile/audit-log";

const otelOptions = {
  tracerProvider: provider<TracerProvider>("getTracer"),
  meterProvider: provider<MeterProvider>("getMeter"),
  loggerProvider: provider<LoggerProvider>("getLogger"),
  captureContent: boolean().default(false),
  name: nonEmptyText().default("otel"),
} satisfies OptionTable<OtelOptions>;

/**
 * An observer that tells OpenTelemetry of every call: a span `execute_tool
 * {tool}`, metrics, and a log record for each denial and each withheld result.
 *
 * Made once the call is over, with the record's own times: what a tool traces
 * is its span's sibling, not its child. It goes through OpenTelemetry's API
 * alone, and whatever an SDK or exporter throws changes nothing. Not an audit
 * log: exporters lose records in silence.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function otel(options: OtelOptions = {}): ToolObserver {
  const given = readOptions("otel()", options, otelOptions);
  const telemetry = new Telemetry(given);
  return Object.freeze({
    name: given.name,
    settle(record: CallRecord): void {
      const { outcome } = record;
      if (outcome !== undefined) telemetry.settled({ ...record, outcome });
    },
  });
}

class Telemetry {
  readonly #options: OtelOptions;
  #tracer: Tracer | undefined;
  #logger: Logger | undefined;
  #instruments: Instruments | undefined;

  constructor(options: OtelOptions) {
    this.#options = options;
  }

  /** Each on its own: a tracer that fails must not cost the metrics. */
  settled(record: SettledRecord): void {
    const parent = quietly(() => parentOf(record.context.traceparent)) ?? ROOT_CONTEXT;
    const inside = quietly(() => this.#span(record, parent)) ?? parent;
    quietly(() => this.#measure(record, inside));
    if (isDenial(record)) quietly(() => this.#log(record, inside));
  }

  #span(record: SettledRecord, parent: Context): Context {
    this.#tracer ??= (this.#options.tracerProvider ?? trace).getTracer(scope);
    const { askedAt, settledAt = askedAt } = record.times;
    const startTime = instant(askedAt);
    const span = this.#tracer.startSpan(
      `execute_tool ${toolOf(record)}`,
      {
        kind: SpanKind.INTERNAL,
        attributes: spanAttributes(record),
        ...(startTime !== undefined && { startTime }),
      },
      parent,
    );
    if (this.#options.captureContent === true) {
      quietly(() => span.setAttributes(contentAttributes(record)));
    }
    // Without a message: an error's text may quote arguments.
    if (record.outcome.status === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
    const inside = trace.setSpan(parent, span);
    quietly(() => span.end(instant(settledAt)));
    return inside;
  }

  #measure(record: SettledRecord, inside: Context): void {
    // Made late: the API's meters do nothing until an SDK is registered.
    this.#instruments ??= new Instruments((this.#options.meterProvider ?? metrics).getMeter(scope));
    const { askedAt, settledAt } = record.times;
    const attributes = metricAttributes(record);
    const took = settledAt === undefined ? undefined : settledAt - askedAt;
    this.#instruments.settled(attributes, took, inside);
    if (!isDenial(record)) return;
    this.#instruments.denied({ ...attributes, ...stopAttributes(record.outcome) }, inside);
  }

  #log(record: SettledRecord, inside: Context): void {
    this.#logger ??= (this.#options.loggerProvider ?? logs).getLogger(scope);
    const { outcome, times } = record;
    const timestamp = instant(times.settledAt ?? times.askedAt);
    const reason = "reason" in outcome ? outcome.reason : undefined;
    this.#logger.emit({
      eventName: "toolstile.denial",
      severityNumber: SeverityNumber.WARN,
      severityText: "WARN",
      body:
        outcome.status === "denied" ? "A tool call was denied." : "A tool's result was withheld.",
      context: inside,
      attributes: {
        ...spanAttributes(record),
        ...(this.#options.captureContent === true &&
          reason !== undefined && {
            "toolstile.reason": reason,
          }),
      },
      ...(timestamp !== undefined && { timestamp }),
    });
  }
}

function isDenial({ outcome }: SettledRecord): boolean {
  return outcome.status === "denied" || outcome.status === "withheld";
}

function provider<Provider>(method: string): OptionReader<Provider | undefined> {
  return such<Provider>(
    (value) => typeof (value as Record<string, unknown>)[method] === "function",
    "a provider of OpenTelemetry's API",
  );
}
