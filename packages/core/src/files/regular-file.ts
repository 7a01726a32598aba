import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { whole } from "../errors/option-readers.js";
import { codeOf } from "./system-error.js";

// Absent on Windows.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** The codes with which the system refuses to open a link, a folder, a socket or a device as a file. */
const notRegularCodes: readonly unknown[] = ["ELOOP", "EMLINK", "EISDIR", "ENXIO", "ENODEV"];

export interface OpenRegularFileOptions {
  /** With `true`, a link is followed. Default `false`. */
  readonly followLinks?: boolean | undefined;
  /** Permissions of a file that is created by opening it. */
  readonly mode?: number | undefined;
}

/**
 * Opens a regular file and nothing else, and returns its descriptor.
 *
 * A link may lead to another user's file, and opening a pipe waits for its
 * other end: a user who can write to the folder must not be able to cause either.
 *
 * @throws an error with the code `ENOTREG` for anything else, and the system's errors.
 */
export function openRegularFile(
  path: string,
  flags: number,
  { followLinks = false, mode }: OpenRegularFileOptions = {},
): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW), mode);
  } catch (error) {
    throw notRegularCodes.includes(codeOf(error)) ? notRegular(error) : error;
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw notRegular();
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

export interface ReadRegularFileOptions extends Pick<OpenRegularFileOptions, "followLinks"> {
  /** A file with more bytes is an error with the code `EFBIG`. Default: no limit. */
  readonly mostBytes?: number | undefined;
  /** Checks the very file that is read next, and throws to refuse it. */
  readonly check?: ((stats: Stats) => void) | undefined;
}

const mostBytesOption = whole(0).or(Number.POSITIVE_INFINITY).default(Number.POSITIVE_INFINITY);

const leastRead = 4_096;

/**
 * Reads a whole regular file.
 *
 * It is read at once: to hand a small file to another thread and back takes
 * longer than to read it.
 *
 * @throws an error with the code `ENOTREG` or `EFBIG`, the system's errors, and what `check` throws;
 *   ToolstileError `ERR_INVALID_OPTION` for a limit that is not a number of bytes.
 */
export function readRegularFile(path: string, options: ReadRegularFileOptions = {}): Buffer {
  const { check, followLinks } = options;
  const mostBytes = mostBytesOption.read(options.mostBytes, "readRegularFile()", "mostBytes");
  const descriptor = openRegularFile(path, constants.O_RDONLY, { followLinks });
  try {
    const stats = fstatSync(descriptor);
    if (stats.size > mostBytes) throw tooLong(mostBytes);
    check?.(stats);
    const parts: Buffer[] = [];
    for (let length = 0; ; ) {
      // Files in /proc state no size, and a file may grow while it is read.
      const part = Buffer.allocUnsafe(Math.max(stats.size - length, leastRead));
      const count = readSync(descriptor, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      length += count;
      if (length > mostBytes) throw tooLong(mostBytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

function notRegular(cause?: unknown): Error {
  const error = new Error("Expected a regular file, found a link, folder, pipe or device.", {
    cause,
  });
  return Object.assign(error, { code: "ENOTREG" });
}

function tooLong(mostBytes: number): Error {
  const error = new Error(`The file must have at most ${mostBytes} bytes, and has more.`);
  return Object.assign(error, { code: "EFBIG" });
}
