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

/** One signal for all who listen to a caller's. It listens to the caller's itself once, and only while anybody listens to it. */
class SharedSignal implements CallerSignal {
  readonly #signal: CallerSignal;
  readonly #listeners = new Set<() => void>();

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
    if (this.#listeners.size === 0) {
      this.#signal.addEventListener("abort", this.#tell, { once: true });
    }
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#signal.removeEventListener("abort", this.#tell);
  }

  readonly #tell = (): void => {
    // A listener that another one removes before its turn is not called.
    for (const listener of this.#listeners) notify(listener);
    this.#listeners.clear();
  };
}

const sharedSignals = new WeakMap<CallerSignal, SharedSignal>();

function sharedOf(signal: CallerSignal): SharedSignal {
  const known = sharedSignals.get(signal);
  if (known !== undefined) return known;
  const made = new SharedSignal(signal);
  sharedSignals.set(signal, made);
  return made;
}

/**
 * Returns one signal for all calls of a caller. It listens to the caller's own once, for as long as any call listens to it.
 *
 * From the eleventh listener on Node warns of a leak. And Node keeps a signal
 * made by `AbortSignal.any` or `AbortSignal.timeout` for as long as anybody
 * listens to it, so that a listener that stayed would keep one for each request.
 */
export function sharedSignal(signal: CallerSignal): CallerSignal {
  return isShareable(signal) ? sharedOf(signal) : signal;
}

/** False for a signal that is cheap already, one that has aborted, and a value that core will refuse. */
function isShareable(signal: CallerSignal): boolean {
  if (signal instanceof SharedSignal || signal instanceof CallerAbort) return false;
  try {
    return isSignal(signal) && !signal.aborted;
  } catch {
    return false;
  }
}

/** Listens to a caller's abort, as one of any number of listeners. */
export function listen(caller: CallerSignal, listener: () => void): void {
  const signal = caller instanceof AbortSignal ? sharedOf(caller) : caller;
  signal.addEventListener("abort", listener, { once: true });
}

/** Lets go of a caller's signal. */
export function unlisten(caller: CallerSignal, listener: () => void): void {
  const signal = caller instanceof AbortSignal ? sharedOf(caller) : caller;
  signal.removeEventListener("abort", listener);
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
