import { createHash } from "node:crypto";

/**
 * Values that many may hold, by a digest of their content, for as long as one of them does.
 *
 * Whoever finds a value compares its content: a digest alone proves nothing.
 */
export class Shared<Value extends object> {
  readonly #values = new Map<string, WeakRef<Value>>();
  readonly #dropped = new FinalizationRegistry<string>((digest) => {
    if (this.find(digest) === undefined) this.#values.delete(digest);
  });

  get size(): number {
    return this.#values.size;
  }

  find(digest: string): Value | undefined {
    return this.#values.get(digest)?.deref();
  }

  add(digest: string, value: Value): void {
    this.#values.set(digest, new WeakRef(value));
    this.#dropped.register(value, digest);
  }
}

/** The digest of some content, given in one piece or in several. */
export function digestOf(...pieces: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("base64");
}
