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
    if (!isThenable(heard)) return undefined;
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
      Promise.resolve(heard).then(
        () => finish(),
        (error: unknown) => finish(error ?? new Error("rejected without a reason")),
      );
    });
  } catch (error) {
    failed(error);
    return undefined;
  }
}
