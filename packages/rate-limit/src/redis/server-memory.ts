import { buckets } from "./keys.js";

/** The server's writes of one generation: all, and those of this process. */
export interface ServerWrites {
  readonly generation: string;
  readonly writes: number;
  readonly own: number;
}

interface Known extends ServerWrites {
  readonly until: number;
}

const nothing: Known = Object.freeze({ generation: "", writes: 0, own: 0, until: 0 });

/**
 * The newest write of the server that this process knows of, for each marker.
 *
 * A server that knows less was emptied, or went back to an older state: it no
 * longer knows all that it granted, and must not be believed for a while.
 */
export class ServerMemory {
  readonly #holdMs: number;
  readonly #known = new Array<Known>(buckets).fill(nothing);

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  /** Returns the counts to send along: nothing where no grant known here still counts. */
  of(bucket: number, now: number): readonly [string, string, string] {
    const { generation, writes, own, until } = this.#known[bucket] ?? nothing;
    return now < until ? [generation, String(writes), String(own)] : ["", "0", "0"];
  }

  /** The server answered. It is in doubt where it found that it had forgotten. */
  learn(
    bucket: number,
    now: number,
    { generation, writes, own }: ServerWrites,
    what: { readonly granted: boolean; readonly inDoubt: boolean },
  ): void {
    const known = this.#known[bucket] ?? nothing;
    const isSame = known.generation === generation;
    const isNews = what.granted || what.inDoubt;
    if (!isSame && !isNews) return;
    // Answers may overtake each other. What is in doubt begins anew.
    const before = isSame && !what.inDoubt ? known : nothing;
    this.#known[bucket] = {
      generation,
      writes: Math.max(before.writes, writes),
      own: Math.max(before.own, own),
      until: isNews ? now + this.#holdMs : known.until,
    };
  }
}
