import { createHash } from "node:crypto";
import type { Latest } from "../latest.js";

/** The verdict of a model or a service. No text of its answer is in it but the categories. */
export interface Judgement {
  readonly verdict: "allow" | "block";
  readonly categories: readonly string[] | undefined;
  /** `answer_digest` is the digest of the model's answer; `cached` says that it was given earlier. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The verdicts that a model gave last, by the digest of what it was asked. */
export type VerdictCache = Latest<Judgement>;

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
