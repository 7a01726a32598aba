import type { CallerSignal } from "./request.js";

/**
 * Ends calls as an AbortController and its signal do, for a fraction of their cost: for adapters.
 *
 * One of the platform's costs about as much as all of a call's guards, and to
 * hardly any call's does somebody listen. Guards and tools are given the
 * platform's own where they ask for one.
 */
export class CallerAbort implements CallerSignal {
  #aborted = false;
  #reason: unknown;
  #listeners: Set<() => void> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** @throws the reason. */
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#aborted) return;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  /** Tell whoever listens, once. Without a reason it is the platform's `AbortError`. */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason =
      reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    // One that is removed by another before its turn is not told.
    for (const listener of this.#listeners ?? []) notify(listener);
    this.#listeners = undefined;
  }
}

/** What one throws ends neither the abort nor the telling of others: it is the process's, as the platform has it. */
function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
