import { textOf } from "../call/text.js";
import { ToolstileError } from "../errors/error.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import { throwOnDeny } from "../run/outcome.js";
import type { CallerSignal } from "../time/abort.js";

/** Returns the value that a tool gives to its framework. @throws the tool's own error, or the `denial` of a call that was stopped. */
export function outputOf(outcome: ToolOutcome): unknown {
  if (outcome.status === "executed" || outcome.status === "failed") return throwOnDeny(outcome);
  throw denial(textOf(outcome.result), [outcome]);
}

/** Makes the error that stands for a call that was stopped. `message` and `String()` are both the text for the model: frameworks show it one or the other. */
export function denial(text: string, outcomes: readonly ToolOutcome[] = []): ToolstileError {
  const error = new ToolstileError("ERR_DENIED", text, { outcomes });
  return Object.defineProperty(error, "toString", { value: () => text });
}

/** True if a guard changed the result. A guard that only watches, by `shadow`, changes nothing. */
export function isRewritten({ decisions }: ToolOutcome): boolean {
  return decisions.some(
    ({ phase, decision, mode }) => phase === "result" && decision === "modify" && mode !== "shadow",
  );
}

/** Returns the error to throw to a framework. If the caller aborted the call, it is the reason of the caller's signal, which the framework knows; any other error stays as it is. */
export function thrownFor(error: unknown, signal: CallerSignal | undefined): unknown {
  const aborted = ToolstileError.isInstance(error) && error.code === "ERR_ABORTED";
  return aborted && signal?.aborted === true ? signal.reason : error;
}

/** Returns all that a framework would print of an error; the other text if it cannot be printed. Read it once. */
export function errorText(error: unknown, otherwise: string): string {
  try {
    return String(error);
  } catch {
    return otherwise;
  }
}

/** Writes bytes as base64, without Node's Buffer: frameworks run elsewhere too. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
