import { createHash } from "node:crypto";
import type { Latest } from "../latest.js";

/** The part of an answer that is kept: no text of it. */
export interface KeptVerdict {
  readonly verdict: "allow" | "block";
  readonly categories: readonly string[] | undefined;
  readonly answerDigest: string;
}

/** The verdicts that a model gave last, by the digest of what it was asked. */
export type VerdictCache = Latest<KeptVerdict>;

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
