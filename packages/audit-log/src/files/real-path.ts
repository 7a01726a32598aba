import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { resolvedPath } from "@toolstile/core/files";
import { quoted, ToolstileError } from "@toolstile/core/provider";

/**
 * The real path of a file that exists or is yet to be made, whichever link leads to it: two
 * writers who come by different ones must meet at one lock.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when the file's directory is not there.
 */
export function realPath(path: string): string {
  const asked = resolve(path);
  const found = unlessAbsent(realpathSync.native, asked);
  if (found !== undefined) return found;
  const directory = unlessAbsent(realpathSync.native, dirname(asked));
  if (directory === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `The directory of the audit log ${resolvedPath(dirname(asked))} does not exist. Make it first.`,
    );
  }
  const file = join(directory, basename(asked));
  // A link to a file that is yet to be made.
  const target = unlessAbsent(readlinkSync, file);
  return target === undefined ? file : realPath(resolve(directory, target));
}

/** The codes with which the system says that something is not there, or not a link. */
const absences: readonly unknown[] = ["ENOENT", "ENOTDIR", "EINVAL"];

function unlessAbsent(look: (path: string) => string, path: string): string | undefined {
  try {
    return look(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (absences.includes(code)) return undefined;
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `The path of the audit log ${quoted(path)} cannot be followed (${code}).`,
      { cause },
    );
  }
}
