import type { CompletionEvent } from "../chat/message.js";

/** Adds what the next event of the stream says; false where there is none. */
type Parse = (events: CompletionEvent[]) => boolean;

/**
 * What one read of the network brought, taken in order.
 *
 * Each event is parsed when it is its turn: the first text of an answer does
 * not wait for all that came with it.
 */
export class EventBatch {
  readonly #parse: Parse;
  #isParsed = false;
  /** What was parsed and not given yet. */
  #parsed: CompletionEvent[] = [];
  #given = 0;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(parse: Parse) {
    this.#parse = parse;
  }

  static of(events: readonly CompletionEvent[]): EventBatch {
    const batch = new EventBatch(() => false);
    batch.#parsed = [...events];
    return batch;
  }

  /**
   * The event whose turn it is, or nothing where all have been given.
   *
   * @throws whatever the next one was refused with, again each time: nothing after it is read.
   */
  peek(): CompletionEvent | undefined {
    while (this.#given === this.#parsed.length) {
      if (this.#failure !== undefined) throw this.#failure.thrown;
      if (this.#isParsed) return undefined;
      this.#parseNext();
    }
    return this.#parsed[this.#given];
  }

  /** Whether all was given, and nothing refused. */
  get isEmpty(): boolean {
    return this.#isParsed && this.#given === this.#parsed.length;
  }

  /** The event that was looked at has been given. */
  skip(): void {
    this.#given++;
  }

  #parseNext(): void {
    this.#parsed = [];
    this.#given = 0;
    try {
      this.#isParsed = !this.#parse(this.#parsed);
    } catch (thrown) {
      // What came before it was right, also of the same event.
      this.#failure = { thrown };
    }
  }
}
