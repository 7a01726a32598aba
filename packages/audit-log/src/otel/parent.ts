import { type Context, context, trace } from "@opentelemetry/api";

/** W3C Trace Context, level 1, section 3.2: a later version may have more at the end. */
const traceparent = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The context that a call's span belongs to: the one that the host named, else the active one. */
export function parentOf(header: string | undefined): Context {
  const active = context.active();
  const [, version, traceId, spanId, flags, rest] = traceparent.exec(header ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return active;
  if (version === "00" && rest !== undefined) return active;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return active;
  // Only the first flag, "sampled", has a meaning that is known.
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true });
}
