import { isValidTraceId, type SpanContext, trace } from "@opentelemetry/api";
import { quietly } from "./quietly.js";
import { randomId } from "./request-id.js";

/** An id of 16 hex characters: the low 64 bits of the active trace's id where there is one, else random. */
export function newRequestId(): string {
  return idOfTrace(quietly(() => trace.getActiveSpan()?.spanContext())) ?? randomId();
}

export function idOfTrace(span: SpanContext | undefined): string | undefined {
  const id = span?.traceId;
  return typeof id === "string" && isValidTraceId(id) ? id.slice(16) : undefined;
}
