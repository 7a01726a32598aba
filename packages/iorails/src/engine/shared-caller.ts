import type { CallerSignal } from "@toolstile/core/host";

const shared = new WeakMap<CallerSignal, SharedCaller>();

/**
 * One signal for all requests of a caller that are under way.
 *
 * It listens to the caller's own once, for as long as anybody listens to it:
 * Node warns of a leak from the eleventh listener on, and a signal may live as
 * long as the process.
 */
export function sharedCaller(signal: CallerSignal): CallerSignal {
  if (signal.aborted) return signal;
  const known = shared.get(signal) ?? new SharedCaller(signal);
  shared.set(signal, known);
  return known;
}

class SharedCaller implements CallerSignal {
  readonly #signal: CallerSignal;
  readonly #listeners = new Set<() => void>();
  readonly #follow = (): void => this.#abort();

  constructor(signal: CallerSignal) {
    this.#signal = signal;
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
    if (this.aborted) return;
    if (this.#listeners.size === 0) {
      this.#signal.addEventListener("abort", this.#follow, { once: true });
    }
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#signal.removeEventListener("abort", this.#follow);
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
