import type { ToolCall, ToolstileError } from "@toolstile/core";
import { type CallHead, optionError, own, quoted } from "@toolstile/core/provider";
import type { RateLimitKey } from "./store.js";

/** The facts of a call that calls can be counted by. */
export type RateLimitKeyPart = "tool" | "agent" | "session" | "principal" | "tenant";

/** Says of a call which count it belongs to. It must not change its mind about one call. */
export type RateLimitKeyFunction = (call: ToolCall) => string;

/** Given in place of a key where there is none to be had. */
export const noKey = Symbol("no key");

/** Longer keys are refused: keys are kept, and memory is bounded. */
export const longestKey = 1_024;

type PartReader = (call: CallHead) => unknown;

/**
 * Asking it for a constant name takes a nanosecond, `Object.hasOwn` twenty. So
 * the latter is asked only where the prototype answers for every object.
 */
const everyObject = Object.prototype;

const readers: ReadonlyMap<unknown, PartReader> = new Map<RateLimitKeyPart, PartReader>([
  ["tool", (call) => call.toolName],
  ["agent", (call) => ("agentName" in everyObject ? own(call, "agentName") : call.agentName)],
  [
    "session",
    ({ context }) => ("sessionId" in everyObject ? own(context, "sessionId") : context.sessionId),
  ],
  [
    "principal",
    ({ context }) => ("principal" in everyObject ? own(context, "principal") : context.principal),
  ],
  ["tenant", ({ context }) => ("tenant" in everyObject ? own(context, "tenant") : context.tenant)],
]);

export const keyParts = [...readers.keys()] as readonly RateLimitKeyPart[];

/**
 * Makes the function that reads a call's key; that function never throws.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a part that there is not.
 */
export function keyReader(option: unknown): (call: ToolCall) => RateLimitKey | typeof noKey {
  if (typeof option === "function") return guarded(option as (call: ToolCall) => unknown, false);
  if (!Array.isArray(option)) return guarded(readerOf(option), true);
  const parts = Array.from(option, readerOf);
  if (parts.length === 0) throw invalidKey(option);
  if (parts.length === 1) return guarded(parts[0] as PartReader, true);
  return guarded((call) => joined(parts, call), false);
}

/** The values of some parts as one text, lengths first, so that no two lists make the same. */
function joined(parts: readonly PartReader[], call: CallHead): unknown {
  let key = "";
  for (const part of parts) {
    const value = part(call);
    if (value === undefined) key += "-";
    else if (typeof value === "string") key += `${value.length}:${value}`;
    else return noKey;
  }
  return key;
}

/** Never throws: whoever cannot be told apart is not counted but denied. */
function guarded(
  read: (call: ToolCall) => unknown,
  mayLack: boolean,
): (call: ToolCall) => RateLimitKey | typeof noKey {
  return (call) => {
    try {
      const key = read(call);
      if (typeof key === "string") return key.length <= longestKey ? key : noKey;
      return key === undefined && mayLack ? undefined : noKey;
    } catch {
      return noKey;
    }
  };
}

function readerOf(part: unknown): PartReader {
  const reader = readers.get(part);
  if (reader === undefined) throw invalidKey(part);
  return reader;
}

function invalidKey(option: unknown): ToolstileError {
  const parts = keyParts.map(quoted).join(", ");
  return optionError(
    "rateLimit()",
    "key",
    `one of ${parts} ('session' counts all tools of a session together), a non-empty array of these, or a function of the call`,
    option,
  );
}
