import { randomBytes } from "node:crypto";
import { link, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** What the name of a file that is still being written ends in. */
export const draftEnding = ".new";

/**
 * Makes a file, with all its bytes and on the disk, unless there is one; says whether it did.
 *
 * Of many processes that make the same one at once, exactly one is told true.
 */
export async function createExclusively(path: string, text: string | Uint8Array): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString("hex")}${draftEnding}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlinkIfThere(draft);
  }
  await syncFolder(dirname(path));
  return true;
}

/** A new name is lost with the power until its folder is written. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and writes names through.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
