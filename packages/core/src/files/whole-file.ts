import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fsync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify, types } from "node:util";
import { wrongValue } from "../errors/option-error.js";
import { openRegularFile } from "./regular-file.js";
import { codeOf, isAbsent } from "./system-error.js";

const fsyncAsync = promisify(fsync);
// Absent on Windows.
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const drafting = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * Creates a file that only its owner can read, unless the path is taken, and returns true if it did.
 *
 * The file appears with all its bytes or not at all, and is on the disk when
 * the promise resolves. Of many processes that create the same file at once,
 * exactly one gets true.
 */
export function createFile(path: string, bytes: Uint8Array | string): Promise<boolean> {
  return waitingForSyncs(created(path, bytes));
}

/** Like `createFile`, and does not return before the file is on the disk. */
export function createFileSync(path: string, bytes: Uint8Array | string): boolean {
  return blockingForSyncs(created(path, bytes));
}

/**
 * Puts a file, readable by its owner only, in the place of another.
 *
 * After a crash there is the old file or the new one, each whole. The new one
 * is on the disk when the promise resolves.
 */
export function replaceFile(path: string, bytes: Uint8Array | string): Promise<void> {
  return waitingForSyncs(replaced(path, bytes, draftOf(path)));
}

/**
 * Like `replaceFile`, and does not return before the file is on the disk.
 *
 * With a fixed `draft`, for a path with a single writer, crashes leave at most one unfinished file.
 */
export function replaceFileSync(
  path: string,
  bytes: Uint8Array | string,
  draft = draftOf(path),
): void {
  blockingForSyncs(replaced(path, bytes, draft));
}

/** Removes a file, if it exists. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/**
 * Makes what was created, renamed and removed in a folder survive a loss of power.
 *
 * @throws the system's errors, also for a link.
 */
export function syncFolder(path: string): void {
  blockingForSyncs(folderSynced(path, O_NOFOLLOW));
}

/** The steps of a write. Each descriptor that is yielded must be synced before the next step. */
type Steps<Result> = Generator<number, Result, void>;

function* created(path: string, bytes: Uint8Array | string): Steps<boolean> {
  const draft = draftOf(path);
  try {
    yield* drafted(draft, bytes);
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    removeFile(draft);
  }
  yield* folderSynced(dirname(path));
  return true;
}

function* replaced(path: string, bytes: Uint8Array | string, draft: string): Steps<void> {
  try {
    // A crash may have left an unfinished file, and anybody may have put a link there.
    removeFile(draft);
    yield* drafted(draft, bytes);
    renameSync(draft, path);
  } catch (error) {
    removeFile(draft);
    throw error;
  }
  yield* folderSynced(dirname(path));
}

function draftOf(path: string): string {
  return `${path}.${randomUUID()}.new`;
}

function* drafted(path: string, content: Uint8Array | string): Steps<void> {
  const bytes = bytesOf(content);
  const descriptor = openRegularFile(path, drafting, { mode: 0o600 });
  try {
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(descriptor, bytes, written);
      if (count <= 0) throw new Error("The file takes no more bytes.");
      written += count;
    }
    yield descriptor;
  } finally {
    closeSync(descriptor);
  }
}

/** A value without a length, such as an ArrayBuffer or a promise, would leave an empty file. */
function bytesOf(content: unknown): Uint8Array {
  if (typeof content === "string") return Buffer.from(content);
  if (types.isUint8Array(content)) return content;
  const expected = "text or a Uint8Array";
  throw wrongValue("ERR_INVALID_OPTION", "@toolstile/core/files", "the bytes", expected, content);
}

/** A new name is lost with the power until its folder is synced. */
function* folderSynced(path: string, flags = 0): Steps<void> {
  // Windows cannot open folders, and writes names through.
  if (process.platform === "win32") return;
  const descriptor = openSync(path, constants.O_RDONLY | O_DIRECTORY | O_NONBLOCK | flags);
  try {
    yield descriptor;
  } finally {
    closeSync(descriptor);
  }
}

async function waitingForSyncs<Result>(steps: Steps<Result>): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    try {
      await fsyncAsync(step.value);
    } catch (error) {
      steps.throw(error);
    }
  }
}

function blockingForSyncs<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    try {
      fsyncSync(step.value);
    } catch (error) {
      steps.throw(error);
    }
  }
}
