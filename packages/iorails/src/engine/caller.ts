import { type CallerSignal, checkOptions, type HostContext, ToolstileError } from "@toolstile/core";
import { own } from "../own-property.js";

/** Who asks, and how long they want an answer. */
export interface Caller {
  readonly context: HostContext | undefined;
  readonly agentName: string | undefined;
  readonly signal: CallerSignal | undefined;
}

const texts = ["sessionId", "principal", "tenant", "traceparent"] as const;
const facts: readonly string[] = [...texts, "attributes"];

/**
 * What a request says of its caller, as it is now: a host may use one object
 * for many requests.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` that names
 *   what is wrong: else a call would be refused for it as if the model had made
 *   a mistake.
 */
export function readCaller(request: object): Caller {
  const agentName = own(request, "agentName") ?? undefined;
  if (agentName !== undefined && typeof agentName !== "string") throw invalid("agentName is text.");
  const signal = own(request, "signal") ?? undefined;
  if (signal !== undefined && !isSignal(signal)) throw invalid("signal is an AbortSignal.");
  return { context: readContext(own(request, "context") ?? undefined), agentName, signal };
}

function readContext(context: unknown): HostContext | undefined {
  if (context === undefined) return undefined;
  checkOptions("context", context, facts);
  const copy: Readonly<Record<string, unknown>> = { ...(context as object) };
  for (const key of texts) {
    const fact = own(copy, key) ?? undefined;
    if (fact !== undefined && typeof fact !== "string") throw invalid(`context.${key} is text.`);
  }
  const attributes = own(copy, "attributes") ?? undefined;
  if (attributes !== undefined && (typeof attributes !== "object" || Array.isArray(attributes))) {
    throw invalid("context.attributes is an object.");
  }
  return Object.freeze(
    attributes === undefined ? copy : { ...copy, attributes: Object.freeze({ ...attributes }) },
  );
}

/** Of any realm. */
function isSignal(value: unknown): value is AbortSignal {
  const signal = Object(value) as Partial<AbortSignal>;
  return typeof signal.addEventListener === "function" && typeof signal.aborted === "boolean";
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
