import type { Clock } from "@toolstile/core";
import { systemClock } from "@toolstile/core/host";

/** The longest that a timer can wait. */
export const longestWaitMs = 2 ** 31 - 1;

/** Waits that end, by one clock. */
export class Deadlines {
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Calls back once the time is over, unless it is cancelled before; the function returned does.
   *
   * It keeps no process from ending.
   */
  after(milliseconds: number, callback: () => void): () => void {
    const timer = this.#clock.setTimeout(callback, milliseconds);
    (timer as { unref?: () => void }).unref?.();
    return () => this.#clock.clearTimeout(timer as never);
  }

  /** The result of the work; or a substitute where it throws, its time is over, or the caller gives up. */
  async within<Value>(
    milliseconds: number,
    caller: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Value>,
    otherwise: () => Value,
  ): Promise<Value> {
    const over = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (answer: () => Value): void => {
        cancel();
        caller?.removeEventListener("abort", leave);
        try {
          resolve(answer());
        } catch (error) {
          reject(error);
        }
      };
      const leave = (): void => {
        over.abort(caller?.reason ?? new Error("The time of the hook is over."));
        end(otherwise);
      };
      const cancel = this.after(milliseconds, leave);
      caller?.addEventListener("abort", leave, { once: true });
      if (caller?.aborted === true) {
        leave();
        return;
      }
      work(over.signal).then(
        (value) => end(() => value),
        () => end(otherwise),
      );
    });
  }
}

export function isWait(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value <= longestWaitMs;
}
