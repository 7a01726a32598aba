import { ToolstileError } from "@toolstile/core";
import type { CallerSignal } from "@toolstile/core/provider";

/** Lets so many in at once, keeps so many waiting, and turns the rest away. */
export class Admission {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #what: string;
  readonly #waiting = new Set<() => void>();
  #inside = 0;
  #idle: (() => void) | undefined;

  /** @param what in the error's words: "requests", "streams". */
  constructor(what: string, most: number, mostWaiting: number) {
    this.#what = what;
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** True if the next one has to wait, or is refused. */
  get full(): boolean {
    return this.#inside >= this.#most;
  }

  /** A place that is free now; the function given back must be called once, when it is free again. */
  enterNow(): (() => void) | undefined {
    if (this.full) return undefined;
    this.#inside++;
    return this.#leaving();
  }

  /**
   * Wait for a place; the function given back must be called once, when it is free again.
   *
   * @throws ToolstileError `ERR_BUSY` at once where none can be waited for; the
   *   signal's reason where the caller gave up waiting.
   */
  async enter(signal: CallerSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    const leave = this.enterNow();
    if (leave !== undefined) return leave;
    if (this.#waiting.size < this.#mostWaiting) await this.#wait(signal);
    else {
      throw new ToolstileError(
        "ERR_BUSY",
        `Too many ${this.#what} are under way: ${this.#inside}, and ${this.#waiting.size} wait. Try again later.`,
      );
    }
    return this.#leaving();
  }

  #leaving(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave();
    };
  }

  #wait(signal: CallerSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const admitted = (): void => {
        signal?.removeEventListener("abort", gaveUp);
        resolve();
      };
      const gaveUp = (): void => {
        this.#waiting.delete(admitted);
        this.#tellIdle();
        reject(signal?.reason);
      };
      this.#waiting.add(admitted);
      signal?.addEventListener("abort", gaveUp, { once: true });
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inside--;
      this.#tellIdle();
      return;
    }
    // The place is handed over directly, so that no other request can take it.
    this.#waiting.delete(next);
    next();
  }

  #tellIdle(): void {
    if (this.#inside === 0 && this.#waiting.size === 0) this.#idle?.();
  }

  /** Admits no more requests, and settles when the last one has left. */
  async empty(): Promise<void> {
    if (this.#inside === 0 && this.#waiting.size === 0) return;
    await new Promise<void>((resolve) => (this.#idle = resolve));
  }
}
