import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { quoted, ToolstileError } from "@toolstile/core";

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * Where a file is, or would be made, whichever name it is asked for by: two
 * writers who come by different links must meet at one lock.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when the file's directory is not there.
 */
export function realPath(path: string): string {
  let asked = resolve(path);
  for (let followed = 0; followed < mostLinks; followed++) {
    const found = attempt(realpathSync.native, asked);
    if (found !== undefined) return found;
    const directory = attempt(realpathSync.native, dirname(asked));
    if (directory === undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        `The directory of the audit log ${quoted(dirname(path))} does not exist. Make it first.`,
      );
    }
    const file = join(directory, basename(asked));
    // A link to a file that is yet to be made.
    const target = attempt(readlinkSync, file);
    if (target === undefined) return file;
    asked = resolve(directory, target);
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The audit log ${quoted(path)} is a symbolic link that leads nowhere.`,
  );
}

/** Nothing where the system finds nothing. What else is wrong with the path shows when the file is opened. */
function attempt(look: (path: string) => string, path: string): string | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}
