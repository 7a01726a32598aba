import type { CallerSignal } from "../time/abort.js";

const shared = new WeakMap<AbortSignal, SharedSignal>();

/**
 * Returns one signal for all calls of a caller. It listens to the caller's AbortSignal once, for any number of calls.
 *
 * A listener on the platform's signal costs about as much as a guard, and from
 * the eleventh on Node warns of a leak.
 */
export function sharedSignal(signal: AbortSignal): CallerSignal {
  // Core refuses any other value, unless it is a cheap signal already.
  if (!(signal instanceof AbortSignal) || signal.aborted) return signal;
  const known = shared.get(signal);
  if (known !== undefined) return known;
  const made = new SharedSignal(signal);
  shared.set(signal, made);
  return made;
}

class SharedSignal implements CallerSignal {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#abort(), { once: true });
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    return this.#signal.reason;
  }

  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Calls the listeners, as the platform does: an error of one does not keep others from being called. */
  #abort(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#listeners.clear();
  }
}
