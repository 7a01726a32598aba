import type { CompletionEvent } from "../chat/message.js";

/** Adds what the next event of the stream says; false where there is none. */
type Parse = (events: CompletionEvent[]) => boolean;

/**
 * The events that one read of the network brought, in order.
 *
 * The first event does not wait for the rest to be parsed. The rest are parsed
 * at once, which costs less than one by one.
 */
export class EventBatch {
  readonly #parse: Parse;
  #isParsed = false;
  /** The events that were parsed and not given yet. */
  #parsed: CompletionEvent[] = [];
  #given = 0;
  #hasGiven = false;
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
      this.#parseMore();
    }
    return this.#parsed[this.#given];
  }

  /** True when all was given, and nothing refused. */
  get isEmpty(): boolean {
    return this.#isParsed && this.#given === this.#parsed.length;
  }

  /** The event that was looked at has been given. */
  skip(): void {
    this.#given++;
    this.#hasGiven = true;
  }

  #parseMore(): void {
    const parsed: CompletionEvent[] = [];
    this.#parsed = parsed;
    this.#given = 0;
    try {
      while (this.#hasGiven || parsed.length === 0) {
        if (this.#parse(parsed)) continue;
        this.#isParsed = true;
        break;
      }
    } catch (thrown) {
      // What came before it was right, also of the same event.
      this.#failure = { thrown };
    }
  }
}
