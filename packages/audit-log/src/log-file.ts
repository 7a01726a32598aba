import { closeSync, constants, fstatSync, ftruncateSync, readSync, write } from "node:fs";
import type { Awaitable } from "@toolstile/core";
import { openRegular } from "./regular-file.js";

/** What the JSON Lines sink asks of a file, so that a test can be the disk. */
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

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * The file on disk, opened for appending; made, readable by its owner only, when absent.
 *
 * @throws an error with the code `ENOTREG` when it is a link, a folder, a pipe or a device.
 */
export function openLogFile(path: string): LogFile & { readonly descriptor: number } {
  const descriptor = openRegular(path, appending, 0o600);
  return {
    descriptor,
    stat() {
      const { size, nlink } = fstatSync(descriptor);
      return { size, links: nlink };
    },
    read: (target, position) => readSync(descriptor, target, 0, target.length, position),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        write(descriptor, bytes, (error, written) =>
          error === null ? resolve(written) : reject(error),
        );
      }),
    truncate: (size) => ftruncateSync(descriptor, size),
    close: () => closeSync(descriptor),
  };
}
