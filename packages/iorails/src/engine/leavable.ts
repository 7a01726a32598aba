import type { LinkedAbort } from "../aborted.js";
import type { TextSource } from "../http/completion-stream.js";
import type { StreamChunk } from "./answer.js";

/** A way past the rails, for text that no rail has to judge. */
export interface Lane {
  texts?: TextSource | undefined;
}

/** In place of a chunk: the lane is open. */
export const laneOpened: unique symbol = Symbol("lane opened");

/** A stream inside the engine. */
export type Inner = AsyncGenerator<StreamChunk | typeof laneOpened, void, void>;

/**
 * A stream whose `return()` need not wait for a `next()` that is still out:
 * what it waits for is aborted, and it ends.
 */
export function leavable(
  link: () => LinkedAbort,
  start: (abort: LinkedAbort, lane: Lane) => Inner,
): AsyncGenerator<StreamChunk, void, void> {
  const lane: Lane = {};
  let inner: Inner | undefined;
  let abort: LinkedAbort | undefined;
  let left = false;
  /** Calls of `next` that wait; the last of them. */
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const pull = async (): Promise<IteratorResult<StreamChunk, void>> => {
    try {
      if (left) return over;
      // Not before: whoever never asks leaves nothing behind on the caller's signal.
      abort ??= link();
      inner ??= start(abort, lane);
      for (;;) {
        const text = lane.texts && (await lane.texts.nextText());
        if (text !== undefined) return { done: false, value: text };
        const step = await inner.next();
        if (step.done === true) return step;
        if (step.value !== laneOpened) return { done: false, value: step.value };
      }
    } catch (thrown) {
      if (left) return over;
      throw thrown;
    } finally {
      waiting--;
    }
  };
  const chunks: AsyncGenerator<StreamChunk, void, void> = {
    next() {
      if (left) return Promise.resolve(over);
      const ready = waiting === 0 ? lane.texts?.takeText() : undefined;
      if (ready !== undefined) return Promise.resolve({ done: false, value: ready });
      waiting++;
      // One after the other: what comes next is found in two places, and who asks both in between would overtake.
      const step = waiting === 1 ? pull() : last.then(pull, pull);
      last = step;
      return step;
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
