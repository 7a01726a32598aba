import { fdatasync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { codeOf, readRegularFile, replaceFileSync, syncFolder } from "@toolstile/core/files";
import { openLogFile, type SyncedFile } from "./log-file.js";
import { lockAt } from "./own-file.js";

const fdatasyncAsync = promisify(fdatasync);

/** A file system, as an interface, so that a test can be the disk. Paths are relative to its root. */
export interface Disk {
  /** Opens for appending; made when absent. */
  readonly open: (path: string) => SyncedFile;
  /** The kind of what stands at the path. A link is neither a file nor a folder. Undefined when there is nothing. */
  readonly kind: (path: string) => "file" | "folder" | "other" | undefined;
  /** The names in a folder, in no order; none when it is not there. */
  readonly list: (path: string) => readonly string[];
  /** Creates a folder if there is none, so that it survives a loss of power. */
  readonly makeFolder: (path: string) => void;
  /** Undefined if there is no such file; an error if it is not a regular one. */
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
      return { ...file, sync: () => fdatasyncAsync(file.descriptor) };
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
      if (made !== undefined) syncFolder(dirname(made));
    },
    read(path) {
      try {
        return readRegularFile(at(path));
      } catch (error) {
        return ifAbsent(error, undefined);
      }
    },
    replace: (path, bytes) => replaceFileSync(at(path), bytes, at(`${path}.new`)),
    remove: (path) => rmSync(at(path), { force: true }),
    syncFolder: (path) => syncFolder(at(path)),
    lock: (path) => lockAt(at(path)).release,
  };
}

function ifAbsent<Value>(error: unknown, value: Value): Value {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return value;
  throw error;
}
