import { randomBytes } from "node:crypto";
import { linkSync, type Stats, unlinkSync, writeFileSync } from "node:fs";
import { quoted, ToolstileError } from "@toolstile/core";
import { codeOf, draftEnding } from "./exclusive-file.js";
import { readLookedAt } from "./regular-file.js";

const keyBytes = 32;
const longestKey = 65_536;

/** The key that was given, as bytes or as the path of a file that holds them. */
export function resolveKey(given: Uint8Array | string): Uint8Array {
  const key = typeof given === "string" ? readKey(given) : Uint8Array.from(given);
  if (key.length >= keyBytes) return key;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The key of an approval store has ${key.length} bytes: it takes at least ${keyBytes} random ones.`,
  );
}

/** Makes a key file that only its owner can read, unless there is one. It appears whole, or not at all. */
export function createKeyFile(path: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}${draftEnding}`;
  writeFileSync(draft, randomBytes(keyBytes), { flag: "wx", mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
}

function readKey(path: string): Uint8Array {
  try {
    return readLookedAt(path, (stats) => requireOwnKey(path, stats));
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    // A link is not followed, and says so in this way.
    if (codeOf(cause) === "ELOOP" || codeOf(cause) === "EMLINK") throw refused(path, isLink);
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${named(path)} cannot be read (${String(codeOf(cause))}).`,
      { cause },
    );
  }
}

const isLink =
  "is a link, which can be turned to another file. Give the path of the file itself, or its bytes";

/** @throws ToolstileError `ERR_INVALID_OPTION` for a file that somebody else may have chosen, or may read. */
function requireOwnKey(path: string, stats: Stats): void {
  if (!stats.isFile())
    throw refused(path, "is no regular file. Give the path of one, or its bytes");
  if (stats.size > longestKey) {
    throw refused(path, `is longer than ${longestKey} bytes. Give the path of a key`);
  }
  // Windows has neither owners nor bits that could be looked at.
  if (process.platform === "win32") return;
  const us = process.geteuid?.();
  if (stats.uid !== us && stats.uid !== 0) {
    throw refused(
      path,
      `belongs to another user (${stats.uid}), who knows it and could approve with it. Make a key of your own, or run chown ${us} on it if it is yours`,
    );
  }
  if ((stats.mode & 0o022) !== 0) {
    throw refused(
      path,
      "may be written to by others, who could put theirs there. Make a new key, and run chmod 600 on it",
    );
  }
  if ((stats.mode & 0o077) !== 0) {
    throw refused(path, "may be read by others, who could approve with it. Run chmod 600 on it");
  }
}

function refused(path: string, why: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", `${named(path)} ${why}.`);
}

function named(path: string): string {
  return `The key file ${quoted(path.slice(-64))} of an approval store`;
}
