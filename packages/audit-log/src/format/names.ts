import { join } from "node:path/posix";

const segmentForm = /^([0-9]{8,15})\.jsonl$/;

/** Names of files by which a folder is known to contain a chain. */
export const chainFile = /^(?:[0-9]{8,15}(?:\.payloads)?\.jsonl|checkpoint|manifest\.json|lock)$/;

/** Names of files that a writer reads or writes again when it continues a chain. */
export const ownFile =
  /^(?:[0-9]{8,15}(?:\.payloads)?\.jsonl|checkpoint|manifest\.json|cut-.*\.bin)$/;

export function segmentName(number: number): string {
  return `${String(number).padStart(8, "0")}.jsonl`;
}

/** The number of the segment that a file is, if it is one. */
export function segmentNumber(name: string): number | undefined {
  const digits = segmentForm.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The name of the file with the payloads of a segment's records. */
export function payloadsName(segment: string): string {
  return segment.replace(/\.jsonl$/, ".payloads.jsonl");
}

/** The name of the file with the bytes that were cut off a segment from an offset on. */
export function cutName(number: number, offset: number): string {
  return `cut-${number}-${String(offset).padStart(16, "0")}.bin`;
}

export { join as within };
