import type { HttpChannel } from "./http-channel.js";

interface Entry {
  readonly channel: HttpChannel;
  lastUsed: number;
}

/**
 * The channels of sessions, of bounded number, the least recently used first.
 *
 * The upstream says which sessions there are: a channel that was let go is made
 * anew when its session goes on, under the same name.
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

  /** The channel of a session, or nothing where all that there may be are in use. */
  get(id: string, make: () => HttpChannel): HttpChannel | undefined {
    const found = this.#entries.get(id);
    if (found !== undefined) {
      found.lastUsed = this.#now();
      this.#entries.delete(id);
      this.#entries.set(id, found);
      this.#letGo(this.#most);
      return found.channel;
    }
    this.#letGo(this.#most - 1);
    if (this.#entries.size >= this.#most) return undefined;
    const channel = make();
    this.#entries.set(id, { channel, lastUsed: this.#now() });
    return channel;
  }

  /** The channel of a session that is over. */
  take(id: string): HttpChannel | undefined {
    const { channel } = this.#entries.get(id) ?? {};
    this.#entries.delete(id);
    return channel;
  }

  clear(): readonly HttpChannel[] {
    const channels = Array.from(this.#entries.values(), ({ channel }) => channel);
    this.#entries.clear();
    return channels;
  }

  /** Those that nobody used for long, and of more than there may be, the longest unused; never one in use. */
  #letGo(most: number): void {
    const expired = this.#now() - this.#idleMs;
    for (const [id, { channel, lastUsed }] of this.#entries) {
      if (lastUsed > expired && this.#entries.size <= most) return;
      if (!channel.isIdle) continue;
      this.#entries.delete(id);
      void channel.close("the session was idle");
    }
  }
}
