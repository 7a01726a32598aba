import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { UsageError } from "../terminal/command-line.js";
import { printable } from "../terminal/terminal.js";
import { pageBeginning } from "./page.js";

export interface PagePlace {
  readonly file: string;
  /** The log's, without links: nothing is written into it. */
  readonly folder: string;
  /** True if a file that is not a page may be written over. */
  readonly force: boolean;
}

/**
 * The path that a page is written to.
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
      `--html would write over ${printable(file)}, which is not a page of an audit log. Use --force to overwrite it.`,
    );
  }
  return target;
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
