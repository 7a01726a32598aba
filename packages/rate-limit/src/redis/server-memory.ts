import { buckets } from "./keys.js";

interface Known {
  readonly generation: string;
  readonly writes: number;
  readonly until: number;
}

const nothing: Known = Object.freeze({ generation: "", writes: 0, until: 0 });

/**
 * What this process knows that the server has written, for each marker.
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

  /** The generation and the number of writes, to be sent along. None where no grant known here still counts. */
  of(bucket: number, now: number): readonly [string, string] {
    const { generation, writes, until } = this.#known[bucket] ?? nothing;
    return now < until ? [generation, String(writes)] : ["", "0"];
  }

  /** The server answered. It is in doubt where it found that it had forgotten. */
  learn(
    bucket: number,
    now: number,
    generation: string,
    writes: number,
    what: { readonly granted: boolean; readonly inDoubt: boolean },
  ): void {
    const known = this.#known[bucket] ?? nothing;
    if (what.granted || what.inDoubt) {
      const before = known.generation === generation && !what.inDoubt ? known.writes : 0;
      const until = now + this.#holdMs;
      this.#known[bucket] = { generation, writes: Math.max(before, writes), until };
    } else if (known.generation === generation && writes > known.writes) {
      this.#known[bucket] = { generation, writes, until: known.until };
    }
  }
}
