import { type Clock, deadline } from "./clock.js";
import { isThenable } from "./thenable.js";

/**
 * Tell somebody something, and wait until it was heard or its time is over.
 *
 * @returns a promise only if there is something to wait for; it never rejects.
 */
export function tell(
  act: () => unknown,
  clock: Clock,
  timeoutMs: number,
  failed: (error: unknown) => void,
): Promise<void> | undefined {
  try {
    const heard = act();
    return isThenable(heard) ? waitUntilHeard(heard, clock, timeoutMs, failed) : undefined;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** Wait for somebody who was told, but no longer than their time. It never rejects. */
export function waitUntilHeard(
  heard: PromiseLike<unknown>,
  clock: Clock,
  timeoutMs: number,
  failed: (error: unknown) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let over = false;
    const finish = (error?: unknown): void => {
      if (over) return;
      over = true;
      cancel();
      if (error !== undefined) failed(error);
      resolve();
    };
    const cancel = deadline(clock, timeoutMs, () => finish(new Error("not told in time")));
    const refused = (error: unknown): void =>
      finish(error ?? new Error("rejected without a reason"));
    try {
      Promise.resolve(heard).then(() => finish(), refused);
    } catch (error) {
      // A native promise can carry a `then` or a `constructor` of its own.
      refused(error);
    }
  });
}
