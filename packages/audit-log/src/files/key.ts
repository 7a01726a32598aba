import { randomBytes } from "node:crypto";
import { readRegularFile, resolvedPath } from "@toolstile/core/files";
import { invalidOption } from "@toolstile/core/provider";
import { createIfAbsent } from "./own-file.js";

const keyBytes = 32;
const longestKey = 65_536;

/** Returns the key that was given, or else the one in the file, which is created if absent, or else a random one. */
export function resolveKey(
  where: string,
  given: Uint8Array | string | undefined,
  keyFile: string | undefined,
): Uint8Array {
  if (given instanceof Uint8Array) return requireLength(where, "'key'", Uint8Array.from(given));
  if (given === undefined) {
    if (keyFile === undefined) return randomBytes(keyBytes);
    createIfAbsent(keyFile, randomBytes(keyBytes));
  }
  const path = given ?? (keyFile as string);
  return requireLength(where, `the key file ${resolvedPath(path)}`, readKey(where, path));
}

/** Reads a regular file only, also by a link: a pipe may never end, nor a device. */
function readKey(where: string, path: string): Uint8Array {
  try {
    return readRegularFile(path, { mostBytes: longestKey, followLinks: true });
  } catch (cause) {
    throw invalidOption(
      where,
      `the key file cannot be read at ${resolvedPath(path)}. Make one of 32 random bytes, or leave 'key' out.`,
      cause,
    );
  }
}

function requireLength(where: string, what: string, key: Uint8Array): Uint8Array {
  if (key.length >= keyBytes) return key;
  const problem = `${what} must have at least ${keyBytes} random bytes, received ${key.length}.`;
  throw invalidOption(where, problem);
}
