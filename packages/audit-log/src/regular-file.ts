import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

// Absent on Windows.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;

/**
 * Opens what stands at a path itself, and only a regular file: a link may lead
 * to somebody else's file, and opening a pipe waits for its other end.
 *
 * @throws an error with the code `ENOTREG` when it is anything else, and the system's errors.
 */
export function openRegular(path: string, flags: number, mode?: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode);
  } catch (error) {
    throw others.has(codeOf(error)) ? notRegular(error) : error;
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw notRegular();
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** All of a regular file, or its first bytes. */
export function readRegular(path: string, mostBytes = Number.POSITIVE_INFINITY): Buffer {
  const descriptor = openRegular(path, constants.O_RDONLY);
  try {
    const parts: Buffer[] = [];
    // Not all that has bytes states a size: a file of the system's own has none.
    const size = Math.max(fstatSync(descriptor).size, leastRead);
    for (let length = 0; length < mostBytes; ) {
      const part = Buffer.allocUnsafe(Math.min(size, mostBytes - length));
      const count = readSync(descriptor, part);
      if (count === 0) break;
      parts.push(part.subarray(0, count));
      length += count;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a folder that is no link. */
export function openFolder(path: string): number {
  return openSync(path, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
}

export function isNotRegular(error: unknown): boolean {
  return codeOf(error) === "ENOTREG";
}

const leastRead = 4_096;
/** What the system says of links, folders, sockets and devices that are opened as files. */
const others: ReadonlySet<unknown> = new Set(["ELOOP", "EMLINK", "EISDIR", "ENXIO", "ENODEV"]);

function notRegular(cause?: unknown): Error {
  const error = new Error("What stands in the place of a file of the log is no regular file.", {
    cause,
  });
  return Object.assign(error, { code: "ENOTREG" });
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
