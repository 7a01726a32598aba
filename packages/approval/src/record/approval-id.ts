import { createHash, randomBytes } from "node:crypto";

const form = /^[0-9a-z]{9}-[a-z2-7]{20}$/;
const letters = "abcdefghijklmnopqrstuvwxyz234567";
/** Nine digits in base 36 hold a time until the year 5188. */
const timeDigits = 9;
/** Stores keep expired approvals for so long: no host's clock may be further behind another's. */
export const graceMs = 3_600_000;

/** A new id: when the approval expires, and 100 random bits. Safe as a file's name and as an argument of a command. */
export function newApprovalId(expiresAt: number): string {
  const time = expiresAt.toString(36).padStart(timeDigits, "0");
  return `${time}-${inLetters(randomBytes(20))}`;
}

/** A short name of any text, such as a run's id: equal for equal texts only, and as safe in a path as an id. */
export function lettersOf(text: string): string {
  return inLetters(createHash("sha256").update(text).digest().subarray(0, 20));
}

function inLetters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => letters[byte & 31]).join("");
}

/** True if a text can be an id. Nothing else may become part of a path. */
export function isApprovalId(text: unknown): text is string {
  return typeof text === "string" && form.test(text);
}

/** Returns the time at which an approval expires, as its id says; a store holds the record to it. */
export function expiryOf(id: string): number {
  return Number.parseInt(id.slice(0, timeDigits), 36);
}
