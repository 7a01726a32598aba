import { ToolstileError } from "@toolstile/core";
import type { CallerSignal } from "@toolstile/core/provider";

/**
 * Lets so many in at once, keeps so many waiting, and turns the rest away.
 *
 * @param what in the error's words: "requests", "streams".
 */
export function admission(what: string, most: number, mostWaiting: number) {
  const waiting = new Set<() => void>();
  let inside = 0;
  let idle = (): void => {};
  const isIdle = (): boolean => inside === 0 && waiting.size === 0;

  /** True if the next one has to wait, or is refused. */
  const isFull = (): boolean => inside >= most;

  /** A place that is free now; the function given back must be called once, when it is free again. */
  function enterNow(): (() => void) | undefined {
    if (isFull()) return undefined;
    inside++;
    return leaving();
  }

  /**
   * Wait for a place; the function given back must be called once, when it is free again.
   *
   * @throws ToolstileError `ERR_BUSY` at once where none can be waited for; the
   *   signal's reason where the caller gave up waiting.
   */
  async function enter(signal: CallerSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    const leave = enterNow();
    if (leave !== undefined) return leave;
    if (waiting.size >= mostWaiting) {
      throw new ToolstileError(
        "ERR_BUSY",
        `Too many ${what} are under way: ${inside}, and ${waiting.size} wait. Try again later.`,
      );
    }
    await turn(signal);
    return leaving();
  }

  function turn(signal: CallerSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const admitted = (): void => {
        signal?.removeEventListener("abort", gaveUp);
        resolve();
      };
      const gaveUp = (): void => {
        waiting.delete(admitted);
        if (isIdle()) idle();
        reject(signal?.reason);
      };
      waiting.add(admitted);
      signal?.addEventListener("abort", gaveUp, { once: true });
    });
  }

  function leaving(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = waiting;
      if (next === undefined) {
        inside--;
        if (isIdle()) idle();
        return;
      }
      // The place is handed over directly, so that no other request can take it.
      waiting.delete(next);
      next();
    };
  }

  /** Admits no more requests, and settles when the last one has left. */
  async function empty(): Promise<void> {
    if (!isIdle()) await new Promise<void>((resolve) => (idle = resolve));
  }

  return { isFull, enterNow, enter, empty };
}

export type Admission = ReturnType<typeof admission>;
