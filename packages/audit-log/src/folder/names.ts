import { join } from "node:path/posix";

const segmentForm = /^([0-9]{8,15})\.jsonl$/;

/** What a writer reads or writes again when it goes on with a chain. */
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

export function payloadsName(number: number): string {
  return segmentName(number).replace(".jsonl", ".payloads.jsonl");
}

/** Of the bytes that were cut off a segment from an offset on. */
export function cutName(number: number, offset: number): string {
  return `cut-${number}-${String(offset).padStart(16, "0")}.bin`;
}

export { join as within };
