import { closeSync, constants, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { openRegularFile } from "@toolstile/core/files";

const newline = 0x0a;
/** Node makes a string of this many bytes at an eighth of the cost of one twice as long. */
const blockBytes = 1 << 16;
/** So few stay in the processor's cache until they are hashed. */
const readBytes = 1 << 17;
/** After so many bytes others get a turn. */
const turnBytes = 1 << 20;

/** The longest line that is read. The writer's longest, with payloads, has less than a third. */
export const longestLine = 1 << 26;

/** A log that somebody has: the path of a file, its bytes, or its lines without newlines. */
export type LogSource = string | Uint8Array | readonly string[];

/**
 * A log in blocks of whole lines; a rest without newline comes last, alone.
 *
 * A block may be overwritten when the next one is asked for. A file is held in
 * memory an eighth of a mebibyte at a time, or one line where that is longer.
 */
export async function* blocks(source: LogSource): AsyncGenerator<Buffer> {
  if (typeof source === "string") yield* fileBlocks(source);
  else if (source instanceof Uint8Array) yield* byteBlocks(source);
  else yield* lineBlocks(source);
}

/**
 * The blocks of a file in a log's folder: of nothing but a regular file, also where it was exchanged since it was listed.
 *
 * @throws an error with the code `ENOTREG`, and the system's errors.
 */
export async function* regularFileBlocks(path: string): AsyncGenerator<Buffer> {
  const descriptor = openRegularFile(path, constants.O_RDONLY);
  try {
    yield* descriptorBlocks(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads any path that a caller names: opening a pipe waits for its other end, and must not block the thread. */
async function* fileBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    yield* descriptorBlocks(file.fd);
  } finally {
    await file.close();
  }
}

async function* descriptorBlocks(descriptor: number): AsyncGenerator<Buffer> {
  let buffer = Buffer.allocUnsafe(readBytes);
  let length = 0;
  let untilTurn = turnBytes;
  for (;;) {
    // To hand a read to another thread and back takes longer than to make it.
    const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
    untilTurn -= bytesRead;
    if (untilTurn <= 0) {
      await setImmediate();
      untilTurn = turnBytes;
    }
    const end = buffer.subarray(0, length).lastIndexOf(newline) + 1;
    if (end > 0) {
      yield* byteBlocks(buffer.subarray(0, end));
      buffer.copyWithin(0, end, length);
      length -= end;
    } else if (length > longestLine) {
      break;
    } else if (length === buffer.length) {
      buffer = Buffer.concat([buffer], buffer.length * 2);
    }
  }
  if (length > 0) yield buffer.subarray(0, length);
}

function* byteBlocks(source: Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.length);
  for (let start = 0; start < bytes.length; ) {
    const last = bytes.subarray(start, start + blockBytes).lastIndexOf(newline);
    const next = last === -1 ? bytes.indexOf(newline, start) : start + last;
    const end = next === -1 ? bytes.length : next + 1;
    yield bytes.subarray(start, end);
    start = end;
  }
}

const linesAtOnce = 100;

function* lineBlocks(lines: readonly string[]): Generator<Buffer> {
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    yield Buffer.from(`${lines.slice(start, start + linesAtOnce).join("\n")}\n`);
  }
}
