import { ToolstileError } from "@toolstile/core";

/** What callers hear once the sink has failed: the system's code for it, and no path or text of its error. */
export function stopped(cause: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_CLOSED",
    `The audit log stopped for good: ${failureOf(cause)} Close it and open a new one once that is mended.`,
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
