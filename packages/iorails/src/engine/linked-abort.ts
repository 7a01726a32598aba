/**
 * A signal that aborts with another, or by itself.
 *
 * Release it when it is over: the other may live as long as the process, and
 * `AbortSignal.any` leaves something on it for ever.
 */
export class LinkedAbort {
  readonly #controller = new AbortController();
  readonly #other: AbortSignal | undefined;
  readonly #follow = (): void => this.#controller.abort(this.#other?.reason);

  constructor(other: AbortSignal | undefined) {
    this.#other = other;
    if (other?.aborted === true) this.#follow();
    else other?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  release(): void {
    this.#other?.removeEventListener("abort", this.#follow);
  }
}
