/** The signal by which a caller ends its call: an AbortSignal, or an object with the same members. */
export interface CallerSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** True if listeners can be added to the value and removed from it. */
export function isSignal(value: unknown): value is CallerSignal {
  const signal = value as Partial<CallerSignal> | null | undefined;
  return (
    typeof signal?.addEventListener === "function" &&
    typeof signal.removeEventListener === "function"
  );
}

/** Listeners for one AbortSignal of the platform. They are one listener to it, for from the eleventh on Node warns of a leak. */
class AbortListeners {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(listener: () => void): void {
    if (this.#listeners.size === 0) {
      this.#signal.addEventListener("abort", this.#tell, { once: true });
    }
    this.#listeners.add(listener);
  }

  remove(listener: () => void): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#signal.removeEventListener("abort", this.#tell);
  }

  readonly #tell = (): void => {
    // A listener that another one removes before its turn is not called.
    for (const listener of this.#listeners) notify(listener);
    this.#listeners.clear();
  };
}

const listenersOf = new WeakMap<CallerSignal, AbortListeners>();

/** Listens to a caller's abort, as one of any number of listeners. */
export function listen(caller: CallerSignal, listener: () => void): void {
  if (!(caller instanceof AbortSignal)) {
    caller.addEventListener("abort", listener, { once: true });
    return;
  }
  const listeners = listenersOf.get(caller) ?? new AbortListeners(caller);
  listenersOf.set(caller, listeners);
  listeners.add(listener);
}

/** Lets go of a caller's signal. */
export function unlisten(caller: CallerSignal, listener: () => void): void {
  const listeners = listenersOf.get(caller);
  if (listeners === undefined) caller.removeEventListener("abort", listener);
  else listeners.remove(listener);
}

/**
 * Ends calls as an AbortController and its signal do, for a fraction of their cost: for adapters.
 *
 * The platform's controller costs about as much as all guards of a call, and
 * few calls have a listener. Guards and tools get the platform's signal when
 * they ask for one.
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

  /** Calls the listeners, once. Without a reason, the reason is the platform's `AbortError`. */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason =
      reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    // A listener that another one removes before its turn is not called.
    for (const listener of this.#listeners ?? []) notify(listener);
    this.#listeners = undefined;
  }
}

/** Calls a listener. Its error stops neither the abort nor other listeners: it goes to the process, as the platform does it. */
function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
