const codeForm = /^[A-Z0-9_]{1,40}$/;

/** The code of a system's error, such as `ENOENT`. Its message may name paths; the code is safe to repeat. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" && codeForm.test(code) ? code : undefined;
}

/** True if the error says that there is no such file. */
export function isAbsent(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}
