import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { takeLock } from "./lock.js";
import { type LogFile, openLogFile } from "./log-file.js";
import { openFolder, openRegular, readRegular } from "./regular-file.js";

/** A file whose bytes can be made to outlive the machine's power. */
export interface SyncedFile extends LogFile {
  /** Resolves once all bytes written before are on the disk. */
  readonly sync: () => Promise<void>;
}

/** What the folder sink asks of a file system, so that a test can be the disk. Paths are relative to its root. */
export interface Disk {
  /** Opens for appending; made when absent. */
  readonly open: (path: string) => SyncedFile;
  /** What stands there itself: a link is neither a file nor a folder. Undefined when there is nothing. */
  readonly kind: (path: string) => "file" | "folder" | "other" | undefined;
  /** The names in a folder, in no order; none when it is not there. */
  readonly list: (path: string) => readonly string[];
  /** Where there is none, and so that it outlives the machine's power. */
  readonly makeFolder: (path: string) => void;
  /** Undefined when there is no such file; an error when it is no regular one. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** Puts a whole file in place of another: after a crash there is the one or the other. */
  readonly replace: (path: string, bytes: Uint8Array) => void;
  /** No error when there is none. */
  readonly remove: (path: string) => void;
  /** Makes what was created, renamed and removed in a folder outlive the machine's power. */
  readonly syncFolder: (path: string) => void;
  /** Takes a lock file, and gives what lets it go; undefined when another writer holds it. */
  readonly lock: (path: string) => (() => void) | undefined;
}

/** The files under a folder of the machine, readable by their owner only. */
export function diskAt(root: string): Disk {
  const at = (path: string) => join(root, path);
  return {
    open(path) {
      const file = openLogFile(at(path));
      return { ...file, sync: () => synced(file.descriptor) };
    },
    kind(path) {
      const found = lstatSync(at(path), { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
    },
    list(path) {
      try {
        return readdirSync(at(path));
      } catch (error) {
        return ifAbsent(error, []);
      }
    },
    makeFolder(path) {
      const made = mkdirSync(at(path), { recursive: true, mode: 0o700 });
      if (made !== undefined) syncFolderAt(dirname(made));
    },
    read(path) {
      try {
        return readRegular(at(path));
      } catch (error) {
        return ifAbsent(error, undefined);
      }
    },
    replace(path, bytes) {
      const draft = at(`${path}.new`);
      writeSynced(draft, bytes);
      renameSync(draft, at(path));
    },
    remove: (path) => rmSync(at(path), { force: true }),
    syncFolder: (path) => syncFolderAt(at(path)),
    lock: (path) => takeLock(at(path)),
  };
}

function synced(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });
}

function writeSynced(path: string, bytes: Uint8Array): void {
  // What a crash left there, or somebody put there: a link would be followed.
  rmSync(path, { force: true });
  const descriptor = openRegular(path, drafting, 0o600);
  try {
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(descriptor, bytes, written);
      if (count <= 0) throw new Error("The file takes no more bytes.");
      written += count;
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const drafting = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

function syncFolderAt(path: string): void {
  const descriptor = openFolder(path);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function ifAbsent<Value>(error: unknown, value: Value): Value {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return value;
  throw error;
}
