import { Session } from "./session.js";

const bits = 1 << 20;
const hashes = 4;

const forgotten = "a session that was forgotten";

/** The session of a call: its id, and the tenant whose id it is. */
export interface SessionName {
  readonly sessionId: string;
  readonly tenant?: string | undefined;
}

/**
 * The sessions that are remembered, the least recently used forgotten first.
 *
 * A session that may have been forgotten counts as fallen. Of the forgotten ones a filter of 128 KiB
 * is kept, which takes some new sessions for forgotten ones and never the other way round.
 */
export class Sessions {
  readonly #most: number;
  readonly #sessions = new Map<string, Session>();
  #forgotten: Uint32Array | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  of(name: SessionName): Session {
    const key = keyOf(name);
    const known = this.#sessions.get(key);
    if (known !== undefined) {
      this.#sessions.delete(key);
      this.#sessions.set(key, known);
      return known;
    }
    const session = new Session(this.#mayBeForgotten(key) ? forgotten : undefined);
    if (this.#sessions.size >= this.#most) this.#forgetOldest();
    this.#sessions.set(key, session);
    return session;
  }

  /** Drops a session that is over: its id may then be used anew. */
  end(name: SessionName): void {
    this.#sessions.delete(keyOf(name));
  }

  get size(): number {
    return this.#sessions.size;
  }

  #forgetOldest(): void {
    const [oldest] = this.#sessions.keys();
    if (oldest === undefined) return;
    this.#sessions.delete(oldest);
    this.#forgotten ??= new Uint32Array(bits / 32);
    for (const bit of bitsOf(oldest)) {
      this.#forgotten[bit >>> 5] = (this.#forgotten[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  #mayBeForgotten(key: string): boolean {
    const filter = this.#forgotten;
    if (filter === undefined) return false;
    return bitsOf(key).every((bit) => ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0);
  }
}

function keyOf({ sessionId, tenant }: SessionName): string {
  return JSON.stringify([tenant ?? null, sessionId]);
}

/** The bits of a key in the filter: two hashes (FNV-1a with two bases), combined. */
function bitsOf(key: string): readonly number[] {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x5bd1e995);
  }
  const step = (other | 1) >>> 0;
  return Array.from({ length: hashes }, (_, index) => ((one >>> 0) + index * step) % bits);
}
