import { createHash } from "node:crypto";

/** The part of an answer that is kept: no text of it. */
export interface KeptVerdict {
  readonly verdict: "allow" | "block";
  readonly categories: readonly string[] | undefined;
  readonly answerDigest: string;
}

/** The verdicts that a model gave last, by the digest of what it was asked. */
export class VerdictCache {
  readonly #most: number;
  readonly #kept = new Map<string, KeptVerdict>();

  /** @param most verdicts that are kept; of more, those that were used longest ago go. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): KeptVerdict | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  set(key: string, verdict: KeptVerdict): void {
    this.#kept.delete(key);
    this.#kept.set(key, verdict);
    if (this.#kept.size <= this.#most) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
