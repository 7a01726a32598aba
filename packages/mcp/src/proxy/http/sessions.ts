import type { HttpSession } from "./session.js";

interface Entry {
  readonly session: HttpSession;
  lastUsed: number;
}

/**
 * The sessions, of bounded number, the least recently used first.
 *
 * The upstream decides which sessions there are: one that was let go here is
 * made again when its client goes on, under the same name.
 */
export class Sessions {
  readonly #most: number;
  readonly #idleMs: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(most: number, idleMs: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#idleMs = idleMs;
    this.#now = now;
  }

  /** The session of this id; `undefined` if as many as there may be are in use. */
  get(id: string, make: () => HttpSession): HttpSession | undefined {
    const found = this.#entries.get(id);
    if (found !== undefined) {
      found.lastUsed = this.#now();
      this.#entries.delete(id);
      this.#entries.set(id, found);
      this.#letGo(this.#most);
      return found.session;
    }
    this.#letGo(this.#most - 1);
    if (this.#entries.size >= this.#most) return undefined;
    const session = make();
    this.#entries.set(id, { session, lastUsed: this.#now() });
    return session;
  }

  /** Removes a session that is over. */
  take(id: string): HttpSession | undefined {
    const { session } = this.#entries.get(id) ?? {};
    this.#entries.delete(id);
    return session;
  }

  clear(): readonly HttpSession[] {
    const sessions = Array.from(this.#entries.values(), ({ session }) => session);
    this.#entries.clear();
    return sessions;
  }

  /** Closes sessions that are unused for too long, and the longest unused of too many. One in use is never closed. */
  #letGo(most: number): void {
    const expired = this.#now() - this.#idleMs;
    for (const [id, { session, lastUsed }] of this.#entries) {
      if (lastUsed > expired && this.#entries.size <= most) return;
      if (!session.isIdle) continue;
      this.#entries.delete(id);
      void session.close("the session was idle");
    }
  }
}
