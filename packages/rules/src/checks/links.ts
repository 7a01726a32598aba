import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Follows all links in an absolute path of this machine. What does not exist yet is appended as it is.
 *
 * Undefined if it cannot be told: for a link that leads nowhere, in a circle, or to where one may not look.
 * It asks the system once for each folder that exists, and once for the first that does not.
 */
export function followLinks(path: string): string | undefined {
  const whole = real(path);
  if (whole !== "missing") return whole;
  let existing: string | undefined;
  for (const folder of foldersOf(path)) {
    if (!isThere(folder)) break;
    existing = folder;
  }
  const found = existing === undefined ? undefined : real(existing);
  // A link to nothing is there, and yet whoever writes to it makes a file elsewhere.
  if (existing === undefined || found === "missing" || found === undefined) return undefined;
  return join(found, path.slice(existing.length));
}

/** The folders that a path leads through, from the root to the path itself. */
function foldersOf(path: string): readonly string[] {
  const folders = [path];
  for (
    let folder = dirname(path);
    folder !== folders[folders.length - 1];
    folder = dirname(folder)
  ) {
    folders.push(folder);
  }
  return folders.reverse();
}

function real(path: string): string | "missing" | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "missing" : undefined;
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return codeOf(error) !== "ENOENT";
  }
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
