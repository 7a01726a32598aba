import type { CompletionEvent } from "../chat/message.js";
import { EventBatch } from "./event-batch.js";
import type { Exchange } from "./exchange.js";

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
  readonly #batches: AsyncGenerator<EventBatch, void, void>;
  readonly #exchange: Exchange;
  #batch = none;
  /** Calls of `next` that wait; the last of them. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(batches: AsyncGenerator<EventBatch, void, void>, exchange: Exchange) {
    this.#batches = batches;
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
        const event = this.#peek();
        if (event instanceof Promise) return await event;
        if (event !== undefined) return await this.#give(event);
        const step = await this.#batches.next();
        if (step.done === true) return step;
        this.#batch = step.value;
      }
    } finally {
      this.#waiting--;
    }
  }

  /** The event whose turn it is, or how the stream ends where it cannot be read. */
  #peek(): CompletionEvent | Promise<Step> | undefined {
    try {
      return this.#batch.peek();
    } catch (thrown) {
      return this.#fail(thrown);
    }
  }

  #give(event: CompletionEvent): Step | Promise<Step> {
    this.#batch.skip();
    try {
      this.#exchange.check();
    } catch (thrown) {
      return this.#fail(thrown);
    }
    // Nobody need ask for more after the last event for the connection to be given back.
    if (event.type === "end") this.#exchange.end();
    return { done: false, value: event };
  }

  #fail(thrown: unknown): Promise<Step> {
    this.#batch = none;
    return this.#batches.throw(thrown) as Promise<IteratorReturnResult<void>>;
  }

  async return(): Promise<Step> {
    this.#batch = none;
    this.#exchange.leave();
    return this.#batches.return() as Promise<IteratorReturnResult<void>>;
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
