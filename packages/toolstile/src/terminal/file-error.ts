import { ToolstileError } from "@toolstile/core/provider";
import { printable } from "./terminal.js";

const words: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read or written"],
  ["EPERM", "it may not be read or written"],
  ["EROFS", "it may not be read or written"],
  ["ENOSPC", "the disk is full"],
  ["ENOTDIR", "a part of its path is not a folder"],
]);

/** True for an error of the system or the library. Any other is a fault of this program, which must not be hidden. */
export function isExplained(error: unknown): error is Error {
  return ToolstileError.isInstance(error) || (error instanceof Error && "syscall" in error);
}

/** The reason why a file cannot be used, without characters that a terminal would obey. */
export function reasonOf(error: unknown): string {
  if (ToolstileError.isInstance(error)) return printable(error.message);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const known = words.get(code);
  if (known !== undefined) return known;
  // The text of an unexpected error may quote the file.
  const kind = error instanceof Error ? error.name : typeof error;
  return printable(`it cannot be read or written (${String(code ?? kind)})`);
}

/** A line for the terminal. */
export function complaint(path: string, error: unknown): string {
  return `${printable(path)}: ${reasonOf(error)}\n`;
}
