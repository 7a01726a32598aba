import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { codeOf, createFileSync, readRegularFile, resolvedPath } from "@toolstile/core/files";
import { invalidOption, such, ToolstileError } from "@toolstile/core/provider";

const keyBytes = 32;
const longestKey = 65_536;

export const keyOption = such<Uint8Array | string>(
  (value) => typeof value === "string" || value instanceof Uint8Array,
  "bytes, or the path of a file with them",
);

/** Returns the key that was given, as bytes or as the path of a file that holds them. */
export function resolveKey(where: string, given: Uint8Array | string): Uint8Array {
  const key = typeof given === "string" ? readKey(given) : Uint8Array.from(given);
  if (key.length >= keyBytes) return key;
  const problem = `must have at least ${keyBytes} random bytes, received ${key.length}`;
  if (typeof given === "string") throw refused(given, problem);
  throw invalidOption(where, `'key' ${problem}.`);
}

/** Creates a key file that only its owner can read, unless there is one. */
export function createKeyFile(path: string): void {
  createFileSync(path, randomBytes(keyBytes));
}

function readKey(path: string): Uint8Array {
  try {
    return readRegularFile(path, {
      mostBytes: longestKey,
      check: (stats) => requireOwnKey(path, stats),
    });
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    const code = codeOf(cause);
    if (code === "ENOTREG") {
      throw refused(
        path,
        "must be a regular file, received a link, which can be turned to another file, or a folder, a pipe or a device. Give the path of the file itself, or its bytes",
      );
    }
    if (code === "EFBIG") {
      throw refused(
        path,
        `must have at most ${longestKey} bytes, and has more. Give the path of a key`,
      );
    }
    throw refused(path, `cannot be read (${code})`, cause);
  }
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a file that another user may have chosen, or may read. */
function requireOwnKey(path: string, { uid, mode }: Stats): void {
  // Windows has neither owners nor bits that could be checked.
  if (process.platform === "win32") return;
  const us = process.geteuid?.();
  if (uid !== us && uid !== 0) {
    throw refused(
      path,
      `belongs to another user (${uid}), who knows it and could approve with it. Make a key of your own, or run chown ${us} on it if it is yours`,
    );
  }
  if ((mode & 0o022) !== 0) {
    throw refused(
      path,
      "may be written to by others, who could put their own key there. Make a new key, and run chmod 600 on it",
    );
  }
  if ((mode & 0o077) !== 0) {
    throw refused(path, "may be read by others, who could approve with it. Run chmod 600 on it");
  }
}

function refused(path: string, why: string, cause?: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    `The key file ${resolvedPath(path)} of an approval store ${why}.`,
    { cause },
  );
}
