import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "./exclusive-file.js";

/**
 * Follows no link, and waits for nobody to write to a pipe: who may put things
 * into a folder must not have what reads it wait, or read something else.
 * Windows has neither flag.
 */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What opening says of what is no file that can be read: a link, a socket, somebody else's. */
const noFile: readonly unknown[] = ["ELOOP", "EMLINK", "ENXIO", "EACCES", "EPERM", "EISDIR"];

/** The bytes of a regular file that is no longer than that; "unreadable" for anything else that is there. */
export async function readRegularFile(
  path: string,
  longest: number,
): Promise<Uint8Array | "absent" | "unreadable"> {
  let file: FileHandle;
  try {
    file = await open(path, flags);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "absent";
    if (noFile.includes(codeOf(error))) return "unreadable";
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > longest) return "unreadable";
    return (await exactly(file, stats.size)) ?? "unreadable";
  } finally {
    await file.close();
  }
}

/** So many bytes, where there are just so many: one that grows as it is read must not be read for ever. */
async function exactly(file: FileHandle, size: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length === size ? bytes.subarray(0, size) : undefined;
}

/**
 * Reads a file at once, after it was looked at: what is looked at is what is read.
 *
 * @throws what the file system says, or what `look` throws.
 */
export function readLookedAt(path: string, look: (stats: Stats) => void): Uint8Array {
  const file = openSync(path, flags);
  try {
    look(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
