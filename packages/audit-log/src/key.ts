import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { ToolstileError } from "@toolstile/core";
import { createExclusively } from "./exclusive-file.js";

const keyBytes = 32;
const longestKey = 65_536;
/** A pipe is opened without waiting for its other end. Absent on Windows. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The key that was given, or the one in the file, which is made when there is none; else a random one. */
export function resolveKey(
  given: Uint8Array | string | undefined,
  keyFile: string | undefined,
): Uint8Array {
  if (given instanceof Uint8Array) return long(Uint8Array.from(given), "The option 'key'");
  if (given !== undefined) return readKey(given);
  if (keyFile === undefined) return randomBytes(keyBytes);
  createIfAbsent(keyFile);
  return readKey(keyFile);
}

/** @throws ToolstileError `ERR_INVALID_OPTION` when the file cannot be read, or holds too little or too much. */
function readKey(path: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = keyFileBytes(path);
  } catch (cause) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "The audit log's key file cannot be read. Make one of 32 random bytes, or leave 'key' out.",
      { cause },
    );
  }
  return long(bytes, "The audit log's key file");
}

/** Of a regular file only, by whichever link: a pipe may never end, nor a device. */
function keyFileBytes(path: string): Uint8Array {
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("It is no regular file.");
    if (stats.size > longestKey) throw new Error(`It is longer than ${longestKey} bytes.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function createIfAbsent(path: string): void {
  createExclusively(path, randomBytes(keyBytes));
}

function long(key: Uint8Array, what: string): Uint8Array {
  if (key.length >= keyBytes) return key;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${what} has ${key.length} bytes: it takes at least ${keyBytes} random ones.`,
  );
}
