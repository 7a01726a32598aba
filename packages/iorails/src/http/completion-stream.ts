import type { CompletionEvent } from "../chat/message.js";
import { EventBatch } from "./event-batch.js";
import type { Exchange } from "./exchange.js";
import type { StreamedAnswer } from "./streamed-answer.js";

/** An answer in pieces; the last event is `end`. */
export interface CompletionStream extends AsyncGenerator<CompletionEvent, void, void> {
  /** A shorter way to its texts. */
  readonly texts?: TextSource | undefined;
}

/**
 * The texts of an answer, while they come next.
 *
 * Nothing comes next but what `next()` of the answer would give; while a
 * `next()` is out, nothing does.
 */
export interface TextSource {
  /** Ask for the answer now, and not when its first event is. */
  begin(): void;
  /** The next text, where it has been read already. */
  takeText(): TextEvent | undefined;
  /** The next text, waited for. Nothing where something else comes next, or the answer failed: `next()` has it. */
  nextText(): Promise<TextEvent | undefined>;
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
export class EventStream implements CompletionStream, TextSource {
  readonly #answer: StreamedAnswer;
  readonly #exchange: Exchange;
  #batch = none;
  /** Calls of `next` that wait; the last of them. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** The end of the answer, if it came while a text was waited for. */
  #fault: { readonly thrown: unknown } | undefined;

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

  get texts(): TextSource {
    return this;
  }

  begin(): void {
    this.#answer.begin();
  }

  nextText(): Promise<TextEvent | undefined> {
    if (this.#waiting > 0) return Promise.resolve(undefined);
    this.#waiting++;
    const text = this.#pullText();
    this.#last = text;
    return text;
  }

  async #pullText(): Promise<TextEvent | undefined> {
    try {
      for (;;) {
        const event = this.#ready();
        if (event?.type === "text" && !this.#exchange.stopped) {
          this.#batch.skip();
          return event;
        }
        if (!this.#batch.isEmpty) return undefined;
        const batch = await this.#answer.next();
        if (batch === undefined) return undefined;
        this.#batch = batch;
      }
    } catch (thrown) {
      this.#fault = { thrown };
      return undefined;
    } finally {
      this.#waiting--;
    }
  }

  takeText(): TextEvent | undefined {
    if (this.#waiting > 0 || this.#exchange.stopped) return undefined;
    const event = this.#ready();
    if (event?.type !== "text") return undefined;
    this.#batch.skip();
    return event;
  }

  /** The event that has arrived already. A refusal is thrown by `next`. */
  #ready(): CompletionEvent | undefined {
    try {
      return this.#batch.peek();
    } catch {
      return undefined;
    }
  }

  async #pull(): Promise<Step> {
    try {
      const fault = this.#fault;
      this.#fault = undefined;
      if (fault !== undefined) throw fault.thrown;
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
      // The connection is given back after the last event, also if the reader does not ask for more.
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
    this.#fault = undefined;
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
