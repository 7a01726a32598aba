import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  readSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { openRegularFile } from "@toolstile/core/files";
import type { Awaitable } from "@toolstile/core/provider";

/** A file of a log, as an interface, so that a test can be the disk. */
export interface LogFile {
  /** Its bytes, and how many names it has: with none it was deleted. */
  readonly stat: () => { readonly size: number; readonly links: number };
  /** Says how many bytes were read: 0 at the end. */
  readonly read: (target: Uint8Array, position: number) => number;
  /** Writes at the end, perhaps less than it was given, and says how much. */
  readonly write: (bytes: Uint8Array) => Awaitable<number>;
  readonly truncate: (size: number) => void;
  readonly close: () => void;
}

/** A file whose bytes can be made to survive a loss of power. */
export interface SyncedFile extends LogFile {
  /** Resolves once all bytes written before are on the disk. */
  readonly sync: () => Promise<void>;
}

const writeAsync = async (descriptor: number, bytes: Uint8Array): Promise<number> =>
  (await promisify(write)(descriptor, bytes)).bytesWritten;

/** To hand fewer bytes to another thread and back takes longer than to copy them to the system's memory. */
const writtenAtOnce = 1 << 14;

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * The file on disk, opened for appending; made, readable by its owner only, when absent.
 *
 * @throws an error with the code `ENOTREG` when it is a link, a folder, a pipe or a device.
 */
export function openLogFile(path: string): LogFile & { readonly descriptor: number } {
  const descriptor = openRegularFile(path, appending, { mode: 0o600 });
  return {
    descriptor,
    stat() {
      const { size, nlink } = fstatSync(descriptor);
      return { size, links: nlink };
    },
    read: (target, position) => readSync(descriptor, target, 0, target.length, position),
    write: (bytes) =>
      bytes.length <= writtenAtOnce ? writeSync(descriptor, bytes) : writeAsync(descriptor, bytes),
    truncate: (size) => ftruncateSync(descriptor, size),
    close: () => closeSync(descriptor),
  };
}
