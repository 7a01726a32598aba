import type { CompletionEvent } from "../chat/message.js";
import { EventBatch } from "./event-batch.js";
import type { Exchange } from "./exchange.js";
import type { StreamedAnswer } from "./streamed-answer.js";

/** An answer in pieces; the last event is `end`. */
export interface CompletionStream extends AsyncGenerator<CompletionEvent, void, void> {
  /**
   * The next piece of text, where it has been read already and comes next: what
   * `next()` would give, without its wait. Nothing while a `next()` is out.
   */
  readonly takeText?: (() => TextEvent | undefined) | undefined;
}

export type TextEvent = Extract<CompletionEvent, { readonly type: "text" }>;

type Step = IteratorResult<CompletionEvent, void>;

/**
 * The events of batches one by one, and a generator whose `return()` need not
 * wait for a `next()` that is still out.
 *
 * A provider's tokens come several to a read, and a generator around each would
 * cost more than reading them.
 */
export class EventStream implements CompletionStream {
  readonly #answer: StreamedAnswer;
  readonly #exchange: Exchange;
  #batch = none;
  /** Calls of `next` that wait; the last of them. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(answer: StreamedAnswer, exchange: Exchange) {
    this.#answer = answer;
    this.#exchange = exchange;
  }

  next(): Promise<Step> {
    const text = this.takeText();
    if (text !== undefined) return Promise.resolve({ done: false, value: text });
    this.#waiting++;
    const pull = (): Promise<Step> => this.#pull();
    // One after the other, as a generator has it.
    const step = this.#waiting === 1 ? pull() : this.#last.then(pull, pull);
    this.#last = step;
    return step;
  }

  takeText(): TextEvent | undefined {
    if (this.#waiting > 0 || this.#exchange.stopped) return undefined;
    const event = this.#ready();
    if (event?.type !== "text") return undefined;
    this.#batch.skip();
    return event;
  }

  /** What is there already. What it was refused with is for `next` to say. */
  #ready(): CompletionEvent | undefined {
    try {
      return this.#batch.peek();
    } catch {
      return undefined;
    }
  }

  async #pull(): Promise<Step> {
    try {
      for (;;) {
        const event = this.#take();
        if (event !== undefined) return { done: false, value: event };
        const batch = await this.#answer.next();
        if (batch === undefined) return over;
        this.#batch = batch;
      }
    } finally {
      this.#waiting--;
    }
  }

  /** The event whose turn it is. Without one, more is to be read, or the reader has left. */
  #take(): CompletionEvent | undefined {
    try {
      const event = this.#batch.peek();
      if (event === undefined) return undefined;
      this.#exchange.check();
      this.#batch.skip();
      // Nobody need ask for more after the last event for the connection to be given back.
      if (event.type === "end") this.#exchange.end();
      return event;
    } catch (thrown) {
      this.#batch = none;
      this.#answer.fail(thrown);
      return undefined;
    }
  }

  async return(): Promise<Step> {
    this.#batch = none;
    this.#answer.leave();
    await this.#last.catch(() => {});
    return over;
  }

  async throw(thrown: unknown): Promise<Step> {
    await this.return();
    throw thrown;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

const none = EventBatch.of([]);
const over: Step = Object.freeze({ done: true, value: undefined });
