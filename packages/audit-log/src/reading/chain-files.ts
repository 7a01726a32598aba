import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openRegular } from "../regular-file.js";

/** One segment of a chain. */
export interface SegmentFile {
  readonly name: string;
  readonly number: number;
  /** Neither a link nor a folder nor a device: only this is opened. */
  readonly isFile: boolean;
}

/** What stands in the place of one chain. */
export interface FoundChain {
  readonly chain: string;
  /** A link is not followed: it may lead out of the folder. */
  readonly isLink: boolean;
}

const segmentName = /^([0-9]{8,15})\.jsonl$/;
const ofChains = /^(?:[0-9]{8,15}(?:\.payloads)?\.jsonl|checkpoint|manifest\.json|lock)$/;

/**
 * The chains of a folder, in order of their names.
 *
 * @throws the system's error when the folder cannot be read.
 */
export async function chainsOf(path: string): Promise<readonly FoundChain[]> {
  const found: FoundChain[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const isLink = entry.isSymbolicLink();
    if (!isLink && !entry.isDirectory()) continue;
    if (isLink || (await isChain(join(path, entry.name))))
      found.push({ chain: entry.name, isLink });
  }
  return found.sort((one, other) => (one.chain < other.chain ? -1 : 1));
}

/**
 * Whether a folder holds any chain of an audit log. A link is none: it is not followed.
 *
 * @throws the system's error when the folder cannot be read.
 */
export async function isLogFolder(path: string): Promise<boolean> {
  return (await chainsOf(path)).some(({ isLink }) => !isLink);
}

/** A folder that cannot be looked into may be a chain. */
async function isChain(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).some((name) => ofChains.test(name));
  } catch (error) {
    return !isAbsent(error);
  }
}

/** The segments of a chain, oldest first. */
export async function segmentsOf(path: string, chain: string): Promise<readonly SegmentFile[]> {
  const segments: SegmentFile[] = [];
  for (const entry of await readdir(join(path, chain), { withFileTypes: true })) {
    const digits = segmentName.exec(entry.name)?.[1];
    if (digits === undefined) continue;
    segments.push({ name: entry.name, number: Number(digits), isFile: entry.isFile() });
  }
  return segments.sort(
    (one, other) => one.number - other.number || (one.name < other.name ? -1 : 1),
  );
}

export function payloadsName(segment: string): string {
  return segment.replace(/\.jsonl$/, ".payloads.jsonl");
}

/**
 * Opens a file of the log; nothing, where there is none.
 *
 * @throws the system's error, also for a link.
 */
export async function openLogged(path: string, writes = false): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    const how = (writes ? constants.O_RDWR : constants.O_RDONLY) | noFollow | noBlock;
    file = await open(path, how);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    if ((await file.stat()).isFile()) return file;
    throw Object.assign(new Error("It is no regular file."), { code: "ENOTREG", path });
  } catch (error) {
    await file.close();
    throw error;
  }
}

// Absent on Windows.
const noFollow = constants.O_NOFOLLOW ?? 0;
const noBlock = constants.O_NONBLOCK ?? 0;

export type SmallFile =
  | { readonly text: string; readonly reason?: undefined }
  | { readonly text?: undefined; readonly reason: string };

/** All of a small file, byte for byte; nothing, where there is none; else why it cannot be read. */
export async function smallFile(path: string, mostBytes: number): Promise<SmallFile | undefined> {
  let descriptor: number | undefined;
  try {
    // At once: to hand so little to another thread and back takes longer than to read it.
    descriptor = openRegular(path, constants.O_RDONLY);
    const { size } = fstatSync(descriptor);
    if (size > mostBytes) return { reason: `it has ${size} bytes, more than any such file` };
    const bytes = Buffer.alloc(size);
    return { text: bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, size, 0)) };
  } catch (error) {
    return isAbsent(error) ? undefined : { reason: whyUnreadable(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function isAbsent(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** The system's message names paths; its code is enough. */
export function whyUnreadable(error: unknown): string {
  return `it cannot be read (${codeOf(error)})`;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "unknown error";
}
