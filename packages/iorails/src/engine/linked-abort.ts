import { CallerAbort, type CallerSignal } from "@toolstile/core/provider";

/**
 * A signal that aborts with another, or by itself.
 *
 * Release it when it is over: the other may live as long as the process, and
 * `AbortSignal.any` leaves something on it for ever.
 */
export class LinkedAbort {
  readonly #own = new CallerAbort();
  readonly #other: CallerSignal | undefined;
  readonly #follow = (): void => this.#own.abort(this.#other?.reason);

  constructor(other: CallerSignal | undefined) {
    this.#other = other;
    if (other?.aborted === true) this.#follow();
    else other?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): CallerSignal {
    return this.#own;
  }

  abort(reason?: unknown): void {
    this.#own.abort(reason);
  }

  release(): void {
    this.#other?.removeEventListener("abort", this.#follow);
  }
}
