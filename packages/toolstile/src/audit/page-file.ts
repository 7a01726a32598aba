import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { UsageError } from "../command-line.js";
import { printable } from "../terminal.js";
import { pageBeginning } from "./page.js";

export interface PagePlace {
  readonly file: string;
  /** The log's, without links: nothing is written into it. */
  readonly folder: string;
  /** Whether a file that is no page may be written over. */
  readonly force: boolean;
}

/**
 * Where a page may be written.
 *
 * @throws UsageError where something stands that is not to be written over, and
 * the system's error when it cannot be looked at.
 */
export function requirePagePlace({ file, folder, force }: PagePlace): string {
  const found = statSync(file, { throwIfNoEntry: false });
  const target =
    found === undefined
      ? join(realpathSync(dirname(resolve(file))), basename(file))
      : realpathSync(file);
  if (target.startsWith(folder + sep)) {
    throw new UsageError("--html would write into the folder of the log: name another place.");
  }
  if (found === undefined) return target;
  if (!found.isFile()) throw new UsageError(`--html takes a file, not ${printable(file)}.`);
  if (!force && found.size > 0 && !isPage(target)) {
    throw new UsageError(
      `--html would write over ${printable(file)}, which is no page of an audit log. --force does it.`,
    );
  }
  return target;
}

/**
 * All of a file or nothing, for its owner's eyes only: the log may say more
 * than everybody should read.
 *
 * @throws the system's error when it cannot be written.
 */
export function writeWhole(target: string, text: string): void {
  const unfinished = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const descriptor = openSync(unfinished, "wx", 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function isPage(path: string): boolean {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(pageBeginning.length);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString("latin1", 0, length) === pageBeginning;
  } finally {
    closeSync(descriptor);
  }
}
