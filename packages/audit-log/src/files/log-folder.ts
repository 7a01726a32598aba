import { constants } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, isAbsent, openRegularFile, readRegularFile } from "@toolstile/core/files";
import { chainFile, segmentNumber } from "../format/names.js";
import { requirePath } from "./options.js";

/** One segment of a chain. */
export interface SegmentFile {
  readonly name: string;
  readonly number: number;
  /** Neither a link nor a folder nor a device: only this is opened. */
  readonly isFile: boolean;
}

/** A chain of a folder, or a link in the place of one. */
export interface FoundChain {
  readonly chain: string;
  /** A link is not followed: it may lead out of the folder. */
  readonly isLink: boolean;
}

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
 * Resolves to true if a folder contains a chain of an audit log. Links are not followed.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is no path, and the system's error when the folder cannot be read.
 */
export async function isLogFolder(path: string): Promise<boolean> {
  requirePath("isLogFolder()", "folder", path);
  return (await chainsOf(path)).some(({ isLink }) => !isLink);
}

/** A folder that cannot be looked into may be a chain. */
async function isChain(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).some((name) => chainFile.test(name));
  } catch (error) {
    return !isAbsent(error);
  }
}

/** The segments of a chain, oldest first. */
export async function segmentsOf(path: string, chain: string): Promise<readonly SegmentFile[]> {
  const segments: SegmentFile[] = [];
  for (const entry of await readdir(join(path, chain), { withFileTypes: true })) {
    const number = segmentNumber(entry.name);
    if (number !== undefined) segments.push({ name: entry.name, number, isFile: entry.isFile() });
  }
  return segments.sort(
    (one, other) => one.number - other.number || (one.name < other.name ? -1 : 1),
  );
}

/**
 * Opens a file of the log, and returns its descriptor, or undefined if there is none.
 *
 * @throws an error with the code `ENOTREG` for a link, a folder, a pipe or a device, and the system's errors.
 */
export function openLogged(path: string, flags = constants.O_RDONLY): number | undefined {
  try {
    return openRegularFile(path, flags);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export type SmallFile =
  | { readonly text: string; readonly reason?: undefined }
  | { readonly text?: undefined; readonly reason: string };

/** Reads a small file. Undefined if there is none; a reason if it cannot be read. */
export function smallFile(path: string, mostBytes: number): SmallFile | undefined {
  try {
    return { text: readRegularFile(path, { mostBytes }).toString() };
  } catch (error) {
    return isAbsent(error) ? undefined : { reason: whyUnreadable(error) };
  }
}

/** The system's message names paths; its code is enough. */
export function whyUnreadable(error: unknown): string {
  return `it cannot be read (${codeOf(error) ?? "unknown error"})`;
}
