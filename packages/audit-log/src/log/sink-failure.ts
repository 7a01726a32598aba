import { ToolstileError } from "@toolstile/core/provider";

/** The error for callers once the sink has failed. It has the system's code, and no path or text of the cause. */
export function stopped(cause: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_CLOSED",
    `The audit log stopped for good: ${failureOf(cause)} Close it, and open a new one when the cause is fixed.`,
    { cause },
  );
}

function failureOf(cause: unknown): string {
  if (ToolstileError.isInstance(cause)) return cause.message;
  const code: unknown = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code)
    ? `its sink failed with ${code}.`
    : "its sink failed.";
}
