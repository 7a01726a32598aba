import { ToolstileError } from "@toolstile/core";

/** What a request rejects with whose caller gave up. */
export function aborted(signal: AbortSignal): ToolstileError {
  return new ToolstileError("ERR_ABORTED", "The caller aborted the request.", {
    cause: signal.reason,
  });
}
