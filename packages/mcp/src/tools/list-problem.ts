import { ToolstileError } from "@toolstile/core";

/** Makes the error for a list of which no tool can be used. */
export function listProblem(message: string, cause: unknown): ToolstileError {
  if (isHostsFault(cause)) return cause;
  return new ToolstileError("ERR_INVALID_TOOL", withCause(message, cause), { cause });
}

/** Words of a server's own are left out: it could write anything into the error of a list. */
function withCause(message: string, cause: unknown): string {
  return ToolstileError.isInstance(cause) ? `${message} ${cause.message}` : message;
}

/** True for guards that check no arguments, or that name tools which the server does not have. */
export function isHostsFault(cause: unknown): cause is ToolstileError {
  return (
    ToolstileError.isInstance(cause) &&
    (cause.code === "ERR_UNCHECKED_TOOL" || cause.code === "ERR_UNKNOWN_TOOL")
  );
}
