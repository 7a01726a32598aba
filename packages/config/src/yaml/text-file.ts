import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** A policy that people can still read is far below this. */
const mostBytes = 1024 * 1024;

/** The text of a file, or the reason why it cannot be read. */
export type FileText = { readonly text: string } | { readonly fault: string };

/** Opening a pipe would wait for its other end. The flag is absent on Windows. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

const words: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read"],
  ["EPERM", "it may not be read"],
  ["ENXIO", "it is not a regular file"],
  ["ENOTDIR", "a part of its path is not a folder"],
]);

/** The text of a regular file: UTF-8, with or without a byte order mark, no more than 1 MiB. */
export async function readText(path: string): Promise<FileText> {
  try {
    await using file = await open(path, O_RDONLY | O_NONBLOCK);
    const stats = await file.stat();
    if (stats.isDirectory()) return { fault: "it is a folder" };
    // A pipe may never end.
    if (!stats.isFile()) return { fault: "it is not a regular file" };
    const buffer = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= mostBytes; length += read) {
      read = (await file.read(buffer, length, buffer.length - length, null)).bytesRead;
    }
    if (length > mostBytes) return { fault: "it is larger than 1 MiB" };
    return decode(buffer.subarray(0, length));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return { fault: words.get(code) ?? `it cannot be read (${String(code)})` };
  }
}

function decode(bytes: Uint8Array): FileText {
  try {
    // It drops a byte order mark.
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { fault: "it is not UTF-8" };
  }
}
