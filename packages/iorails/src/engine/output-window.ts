/** The text that output rails judge at once. */
export interface Batch {
  /** The text to judge: up to `contextSize` deltas that an earlier batch held, then the fresh ones. */
  readonly context: string;
  /** The deltas that no earlier batch held. Never none. */
  readonly fresh: readonly string[];
}

export interface OutputWindowOptions {
  /** The number of the provider's deltas that are judged at once, those of the context included. At least 1. */
  readonly chunkSize: number;
  /** The number of deltas of the batch before that are judged again. With 0, none. */
  readonly contextSize: number;
}

/**
 * Cut a stream of deltas into overlapping batches for output rails.
 *
 * Each delta is fresh in exactly one batch, in order. The first batch holds `chunkSize` fresh
 * deltas, each later one as many as the context leaves room for, and one where it leaves none. It
 * keeps the deltas of one batch and its context at most.
 *
 * Seven deltas a to g give, with `chunkSize` 3 and `contextSize` 1: abc, cde, efg. NeMo Guardrails
 * 0.23 then judges g once more; with `contextSize` 0 it judges abc, bcd, cde, def, efg and the
 * whole text, where this gives abc, def, g.
 */
export function outputWindow({ chunkSize, contextSize }: OutputWindowOptions) {
  let judged: readonly string[] = [];
  let fresh: string[] = [];
  const cut = (): Batch => {
    const deltas = [...judged, ...fresh];
    const batch = { context: deltas.join(""), fresh };
    judged = deltas.slice(Math.max(0, deltas.length - contextSize));
    fresh = [];
    return batch;
  };
  return {
    /** Take the next delta; gives a batch when one is full. */
    push: (delta: string): Batch | undefined => {
      fresh.push(delta);
      return judged.length + fresh.length < chunkSize ? undefined : cut();
    },
    /** The stream is over: gives what is left, if anything in it is fresh. */
    end: (): Batch | undefined => (fresh.length === 0 ? undefined : cut()),
  };
}
