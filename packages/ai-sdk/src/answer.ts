import { type ToolContent, type ToolOutcome, ToolstileError, throwOnDeny } from "@toolstile/core";

/** The output for the SDK. @throws what the SDK is to show the model as the tool's error. */
export function outputOf(outcome: ToolOutcome): unknown {
  if (outcome.status === "executed" || outcome.status === "failed") return throwOnDeny(outcome);
  throw denial(textOf(outcome.result.content), [outcome]);
}

/**
 * The error that stands for a call that was stopped.
 *
 * Thrown, not returned: what a tool returns has the type of its output, and
 * goes through its `toModelOutput`. Of an error ai 6 shows the model the
 * message and ai 7 what `toString` gives, so that both are the same text here.
 */
export function denial(text: string, outcomes: readonly ToolOutcome[] = []): ToolstileError {
  const error = new ToolstileError("ERR_DENIED", text, { outcomes });
  return Object.defineProperty(error, "toString", { value: () => text });
}

/** An error output holds text only. */
export function textOf(content: ToolContent): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** What the SDK expects of a tool whose call was aborted: the signal's reason. */
export function thrownFor(error: unknown, signal: AbortSignal | undefined): unknown {
  const aborted = ToolstileError.isInstance(error) && error.code === "ERR_ABORTED";
  return aborted && signal?.aborted === true ? signal.reason : error;
}
