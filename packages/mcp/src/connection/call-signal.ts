import type { CallerSignal } from "@toolstile/core";

/**
 * Ends a call for the runner, as an AbortSignal does.
 *
 * One of the platform's costs about as much as all of a call's guards, and of
 * hardly any call does somebody listen to it.
 */
export class CallSignal implements CallerSignal {
  #aborted = false;
  #listeners: Set<() => void> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** As the platform's own says it, which makes the error where it is told no reason. */
  get reason(): undefined {
    return undefined;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#aborted) return;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  /** Tell whoever listens, once. */
  abort(): void {
    const listeners = this.#listeners;
    this.#aborted = true;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }
}
