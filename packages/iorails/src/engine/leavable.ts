import type { StreamChunk } from "./answer.js";
import type { LinkedAbort } from "./linked-abort.js";

type Chunks = AsyncGenerator<StreamChunk, void, void>;

/** A way past the rails, for text that no rail has to judge. */
export interface Lane {
  /** The next chunk, where it is there already; nothing where it has to be waited for. */
  take?: (() => StreamChunk | undefined) | undefined;
}

/**
 * A stream whose `return()` need not wait for a `next()` that is still out:
 * what it waits for is aborted, and it ends.
 */
export function leavable(
  link: () => LinkedAbort,
  start: (abort: LinkedAbort, lane: Lane) => Chunks,
): Chunks {
  const lane: Lane = {};
  let inner: Chunks | undefined;
  let abort: LinkedAbort | undefined;
  let left = false;
  let waiting = 0;
  const pull = async (): Promise<IteratorResult<StreamChunk, void>> => {
    // Not before: whoever never asks leaves nothing behind on the caller's signal.
    abort ??= link();
    inner ??= start(abort, lane);
    waiting++;
    try {
      return await inner.next();
    } catch (thrown) {
      if (left) return over;
      throw thrown;
    } finally {
      waiting--;
    }
  };
  const chunks: Chunks = {
    next() {
      if (left) return Promise.resolve(over);
      // None overtakes another.
      const ready = waiting === 0 ? lane.take?.() : undefined;
      return ready === undefined ? pull() : Promise.resolve({ done: false, value: ready });
    },
    async return() {
      left = true;
      abort?.abort();
      // It may still be waiting for what has just been aborted.
      await inner?.return().catch(() => {});
      return over;
    },
    async throw(thrown) {
      await chunks.return();
      throw thrown;
    },
    [Symbol.asyncIterator]: () => chunks,
    [Symbol.asyncDispose]: async () => {
      await chunks.return();
    },
  };
  return chunks;
}

const over: IteratorReturnResult<void> = Object.freeze({ done: true, value: undefined });
