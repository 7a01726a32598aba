import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf, isAbsent, openRegularFile, removeFile } from "@toolstile/core/files";
import { expiryOf, graceMs, isApprovalId, newApprovalId } from "../record/approval-id.js";
import { replacedCodes } from "./approval-files.js";

/** A segment has the lines about approvals that expire in one hour, and is deleted as a whole after that. */
const segmentMs = 3_600_000;
const chunkBytes = 65_536;
const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;

/**
 * Lines about what became of the approvals in a folder, which every process that
 * shares the folder adds to and reads on from where it was.
 *
 * It says where to look, and no more: nothing is approved or denied by it.
 * It need not survive a loss of power, after which each process reads the folder itself.
 */
export class Journal {
  readonly #folder: string;
  /** By its name, each segment that was read, and how far: an id with the time at which the last approval in it expires. */
  readonly #read = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = join(folder, "journal");
  }

  /**
   * Adds a line about an approval.
   *
   * @throws the system's errors where the line cannot be written.
   */
  append(words: readonly [what: string, id: string, ...more: string[]]): void {
    const end = (Math.floor(expiryOf(words[1]) / segmentMs) + 1) * segmentMs;
    // It begins a line of its own, also after one that a crash cut off.
    const line = `\n${words.join(" ")}\n`;
    const isItsOwn = (name: string): boolean => expiryOf(name) === end;
    const names = [...this.#read.keys()].filter(isItsOwn);
    for (const name of names.length > 0 ? names : this.#names().filter(isItsOwn)) {
      if (this.#write(name, line, O_WRONLY | O_APPEND)) return;
    }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // Two processes that begin one at once begin two: both are read.
    if (this.#write(newApprovalId(end), line, O_WRONLY | O_APPEND | O_CREAT | O_EXCL)) return;
    throw new Error("The journal of a folder of approvals must be writable, and is not.");
  }

  /**
   * Reads the lines that were added since it was called last.
   *
   * @returns false if lines may be lost: a segment that was there is gone or was cut.
   */
  read(each: (words: readonly string[]) => void): boolean {
    let isWhole = true;
    const names = new Set(this.#names());
    for (const name of this.#read.keys()) {
      if (!names.has(name)) isWhole = !this.#read.delete(name);
    }
    for (const name of names) if (!this.#readOn(name, each)) isWhole = false;
    return isWhole;
  }

  /** Deletes the segments of approvals that expired long ago. One that cannot be deleted is tried again the next time. */
  sweep(now: number): void {
    for (const name of this.#read.keys()) {
      if (expiryOf(name) + graceMs > now) continue;
      try {
        removeFile(join(this.#folder, name));
      } catch {
        continue;
      }
      this.#read.delete(name);
    }
  }

  #names(): readonly string[] {
    const stats = lstatSync(this.#folder, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.isDirectory()) return readdirSync(this.#folder).filter(isApprovalId).sort();
    throw new Error(
      "The journal of a folder of approvals must be a folder, and is a file or a link.",
    );
  }

  /** Returns false if there is no such segment, or none that may be written to. */
  #write(name: string, line: string, flags: number): boolean {
    const descriptor = opened(join(this.#folder, name), flags);
    if (descriptor === undefined) return false;
    try {
      if (writeSync(descriptor, line) === line.length) return true;
      throw new Error("The disk took a part of a line.");
    } finally {
      closeSync(descriptor);
    }
  }

  #readOn(name: string, each: (words: readonly string[]) => void): boolean {
    const path = join(this.#folder, name);
    const from = this.#read.get(name) ?? 0;
    const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === from) return true;
    const descriptor = opened(path, O_RDONLY);
    // It is another user's file, or none: then nothing can have been read of it.
    if (descriptor === undefined) return !this.#read.delete(name);
    try {
      const isWhole = fstatSync(descriptor).size >= from;
      this.#read.set(name, readLines(descriptor, isWhole ? from : 0, each));
      return isWhole;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Returns nothing for what is absent, and for what is no file of this user's. */
function opened(path: string, flags: number): number | undefined {
  try {
    return openRegularFile(path, flags, { mode: 0o600 });
  } catch (error) {
    if (isAbsent(error) || replacedCodes.includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Reads whole lines from a position, and returns where the next one begins. */
function readLines(
  descriptor: number,
  from: number,
  each: (words: readonly string[]) => void,
): number {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let position = from; ; ) {
    const read = chunk.subarray(0, readSync(descriptor, chunk, 0, chunkBytes, position));
    let start = 0;
    for (let end = read.indexOf("\n"); end !== -1; end = read.indexOf("\n", start)) {
      if (end > start) each(read.toString("latin1", start, end).split(" "));
      start = end + 1;
    }
    // No line is as long as that: it is passed over.
    if (start === 0 && read.length === chunkBytes) start = chunkBytes;
    if (start === 0) return position;
    position += start;
  }
}
