import type { TextSource } from "../http/completion-stream.js";
import type { StreamChunk } from "./answer.js";
import type { LinkedAbort } from "./linked-abort.js";

/** A way past the rails, for text that no rail has to judge. */
export interface Lane {
  texts?: TextSource | undefined;
}

/** In place of a chunk: the lane is open. */
export const laneOpened: unique symbol = Symbol("lane opened");

/** What a stream gives on the inside. */
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
  let waiting = 0;
  const pull = async (): Promise<IteratorResult<StreamChunk, void>> => {
    // Not before: whoever never asks leaves nothing behind on the caller's signal.
    abort ??= link();
    inner ??= start(abort, lane);
    waiting++;
    try {
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
      // None overtakes another.
      const ready = waiting === 0 ? lane.texts?.takeText() : undefined;
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
