import { basename, dirname } from "node:path";
import {
  codeOf,
  createFileSync,
  resolvedPath,
  type TakenLock,
  takeLock,
} from "@toolstile/core/files";
import { quoted, ToolstileError } from "@toolstile/core/provider";

/**
 * Creates a file that only its owner can read, unless there is one.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when its directory takes no file.
 */
export function createIfAbsent(path: string, bytes: Uint8Array | string): void {
  made(path, () => createFileSync(path, bytes));
}

/**
 * Takes a lock file, or says which one is in the way.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when its directory takes no file.
 */
export function lockAt(path: string): TakenLock {
  return made(path, () => takeLock(path));
}

/**
 * Takes a lock file, and returns what releases it.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when another writer holds it.
 */
export function requireLock(path: string): () => void {
  const { release, obstacle } = lockAt(path);
  if (release !== undefined) return release;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `Another writer has this audit log: its lock file ends in ${quoted(obstacle.slice(-64))}. ` +
      "Give each writer a path of its own, or delete the lock file if no writer is running.",
  );
}

/** Names the wanted file in the error: the name of its draft would say nothing. */
function made<Result>(path: string, make: () => Result): Result {
  try {
    return make();
  } catch (cause) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `The audit log's file ${quoted(basename(path).slice(-64))} cannot be made in ${resolvedPath(dirname(path))} (${codeOf(cause)}).`,
      { cause },
    );
  }
}
