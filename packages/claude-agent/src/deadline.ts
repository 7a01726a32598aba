import { type Clock, ToolstileError } from "@toolstile/core";

/** The longest that a timer can wait. */
const longest = 2 ** 31 - 1;

const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
};

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

  /** What the work comes to; or what stands for it where it throws, its time is over, or the caller gives up. */
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

/** @throws ToolstileError `ERR_INVALID_OPTION` for what no timer can wait. */
export function checkedMilliseconds(name: string, given: unknown, byDefault: number): number {
  const value = given === undefined ? byDefault : given;
  if (typeof value === "number" && value > 0 && value <= longest) return value;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The option '${name}' is a number of milliseconds, above 0 and at most ${longest}.`,
  );
}
