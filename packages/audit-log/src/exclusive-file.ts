import { randomBytes } from "node:crypto";
import { linkSync, unlinkSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { quoted, ToolstileError } from "@toolstile/core";

/**
 * Makes a file that only its owner may read, unless there is one.
 *
 * The file appears with all its bytes or not at all: a kill in between leaves
 * no empty one. Says whether it was made.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when its directory takes no file.
 */
export function createExclusively(path: string, bytes: Uint8Array | string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeFileSync(draft, bytes, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw notMade(path, error);
  }
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw notMade(path, error);
  } finally {
    unlinkSync(draft);
  }
}

/** Names the file that was wanted: nobody knows the draft. */
function notMade(path: string, cause: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    `The audit log's file ${quoted(basename(path).slice(-64))} cannot be made in its directory (${codeOf(cause)}).`,
    { cause },
  );
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
