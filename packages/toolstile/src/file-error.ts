import { ToolstileError } from "@toolstile/core";

const words: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read or written"],
  ["EPERM", "it may not be read or written"],
  ["ENOSPC", "the disk is full"],
  ["ENOTDIR", "a part of its path is no folder"],
]);

/**
 * What the system said of a file, in words.
 *
 * @throws the error itself, where it is not the system's: a fault of this program is not to be hidden.
 */
export function reasonOf(error: unknown): string {
  if (ToolstileError.isInstance(error)) return error.message;
  if (!(error instanceof Error && "syscall" in error)) throw error;
  const code = "code" in error ? error.code : undefined;
  return words.get(code) ?? `it cannot be read or written (${String(code ?? "unknown reason")})`;
}
