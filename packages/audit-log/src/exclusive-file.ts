import { randomBytes } from "node:crypto";
import { linkSync, unlinkSync, writeFileSync } from "node:fs";

/**
 * Makes a file that only its owner may read, unless there is one.
 *
 * The file appears with all its bytes or not at all: a kill in between leaves
 * no empty one. Says whether it was made.
 */
export function createExclusively(path: string, bytes: Uint8Array | string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.new`;
  writeFileSync(draft, bytes, { flag: "wx", mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}
