import { ToolstileError } from "@toolstile/core";

/** What a request rejects with whose caller gave up. */
export function aborted(signal: AbortSignal): ToolstileError {
  return new ToolstileError("ERR_ABORTED", "The caller aborted the request.", {
    cause: signal.reason,
  });
}

/** @throws ToolstileError `ERR_ABORTED` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal);
}
