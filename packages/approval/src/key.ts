import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { quoted, ToolstileError } from "@toolstile/core";
import { codeOf, draftEnding } from "./exclusive-file.js";

const keyBytes = 32;

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
    // Windows has no such bits.
    if (process.platform === "win32" || (statSync(path).mode & 0o077) === 0) {
      return readFileSync(path);
    }
  } catch (cause) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `The key file ${quoted(path.slice(-64))} of an approval store cannot be read (${String(codeOf(cause))}).`,
      { cause },
    );
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The key file ${quoted(path.slice(-64))} may be read by others, who could approve with it. Run chmod 600 on it.`,
  );
}
