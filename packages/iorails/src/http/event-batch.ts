import type { CompletionEvent } from "../chat/message.js";
import type { SseEvent } from "../chat/sse.js";

/** Adds what an event of the stream says; false where nothing after it counts. */
type Take = (event: SseEvent, events: CompletionEvent[]) => boolean;

/**
 * What one read of the network brought, taken in order.
 *
 * Each event is parsed when it is its turn: the first text of an answer does
 * not wait for all that came with it.
 */
export class EventBatch {
  readonly #received: readonly SseEvent[];
  readonly #take: Take;
  /** Of the events received, the next to be parsed. */
  #at = 0;
  /** What was parsed and not given yet. */
  #parsed: CompletionEvent[] = [];
  #given = 0;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(received: readonly SseEvent[], take: Take) {
    this.#received = received;
    this.#take = take;
  }

  static of(events: readonly CompletionEvent[]): EventBatch {
    const batch = new EventBatch([], () => false);
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
      if (this.#at === this.#received.length) return undefined;
      this.#parse(this.#received[this.#at++] as SseEvent);
    }
    return this.#parsed[this.#given];
  }

  /** The event that was looked at has been given. */
  skip(): void {
    this.#given++;
  }

  #parse(event: SseEvent): void {
    this.#parsed = [];
    this.#given = 0;
    try {
      if (!this.#take(event, this.#parsed)) this.#at = this.#received.length;
    } catch (thrown) {
      // What came before it was right, also of the same event.
      this.#failure = { thrown };
    }
  }
}
