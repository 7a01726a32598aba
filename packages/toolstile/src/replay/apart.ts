import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { UsageError } from "../terminal/command-line.js";
import { printable } from "../terminal/terminal.js";

/** Files by what they are for. */
export interface NamedFiles {
  readonly read: readonly string[];
  /** The audit log, and all that is made beside it. */
  readonly audit: readonly string[];
  readonly findings: string | undefined;
}

/**
 * See to it that no file is written over that is read, or written for another purpose.
 *
 * @throws UsageError that names the option and the file.
 */
export function requireApart({ read, audit, findings }: NamedFiles): void {
  const taken = new Map(read.map((file) => [identityOf(file), file]));
  for (const file of audit) claim(taken, "--audit", file);
  for (const file of audit) taken.set(identityOf(file), file);
  if (findings !== undefined) claim(taken, "--findings", findings);
}

function claim(taken: ReadonlyMap<string, string>, option: string, file: string): void {
  const other = taken.get(identityOf(file));
  if (other !== undefined) throw new UsageError(`${option} would write over ${printable(other)}.`);
}

/**
 * The same for every name of one file: links are followed, and hard links have
 * one inode. For a file that is yet to be made, its place.
 *
 * Two names of a device or a pipe are two: nothing is written over there.
 */
function identityOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found !== undefined) return found.isFile() ? `${found.dev}:${found.ino}` : resolve(path);
    const folder = realpathSync.native(dirname(resolve(path)));
    const target = targetOf(path);
    return target === undefined
      ? resolve(folder, basename(path))
      : identityOf(resolve(folder, target));
  } catch {
    // Opening it gives the reason why it cannot be reached.
    return resolve(path);
  }
}

/** The target of a link whose file does not exist yet. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
