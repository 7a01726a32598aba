import type { Clock } from "@toolstile/core";
import { systemClock, valueWithin } from "@toolstile/core/provider";

/** The longest that a timer can wait. */
export const longestWaitMs = 2 ** 31 - 1;

/** Waits that end, by one clock. */
export class Deadlines {
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = {
      now: () => clock.now(),
      // A wait keeps no process from ending.
      setTimeout: (callback, milliseconds) => {
        const timer = clock.setTimeout(callback, milliseconds);
        (timer as { unref?: () => void }).unref?.();
        return timer;
      },
      clearTimeout: (timer) => clock.clearTimeout(timer),
    };
  }

  /** Calls back once the time is over, unless it is cancelled before; the function returned does. */
  after(milliseconds: number, callback: () => void): () => void {
    const timer = this.#clock.setTimeout(callback, milliseconds);
    return () => this.#clock.clearTimeout(timer as never);
  }

  /**
   * The result of the work; or a substitute where it throws, its time is over, or the caller gives up.
   *
   * @param end - is told why, if the work is not over by then.
   */
  async within<Value>(
    milliseconds: number,
    caller: AbortSignal | undefined,
    work: () => Promise<Value>,
    otherwise: () => Value,
    end?: (reason: unknown) => void,
  ): Promise<Value> {
    if (caller?.aborted === true) return otherwise();
    const bounds = { clock: this.#clock, timeoutMs: milliseconds, caller };
    return valueWithin(bounds, work().catch(otherwise), () => {
      end?.(caller?.reason ?? new Error("The time of the hook is over."));
      return otherwise();
    });
  }
}

export function isWait(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value <= longestWaitMs;
}
