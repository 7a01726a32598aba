import { inOwnWords } from "../errors/fault-warning.js";
import { type Bounds, isThenable, waitFor } from "./wait.js";

/**
 * Notifies a guard, an observer or a listener, and waits until it has finished or its time is over.
 *
 * @returns a promise only if there is something to wait for; it never rejects.
 */
export function notify(
  act: () => unknown,
  bounds: Bounds,
  failed: (error: unknown) => void,
): Promise<void> | undefined {
  try {
    const heard = act();
    return isThenable(heard) ? untilHeard(heard, bounds, failed) : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** Waits until a notice has been handled, but no longer than its bounds. It never rejects. */
export function untilHeard(
  heard: PromiseLike<unknown>,
  bounds: Bounds,
  failed: (error: unknown) => void,
): Promise<void> {
  return new Promise((resolve) => {
    waitFor(heard, bounds, (end, error) => {
      if (end === "timeout") failed(inOwnWords(new Error("it did not finish in time")));
      else if (end === "error")
        failed(error ?? inOwnWords(new Error("it rejected without a reason")));
      resolve();
    });
  });
}
