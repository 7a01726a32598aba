/** The source of time. A test passes one in to hold time still. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: never) => void;
}

export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  setTimeout: (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds),
  clearTimeout: (timer: never) => clearTimeout(timer),
});

/**
 * Makes a host's clock safe: its errors must not keep a call from ending. If it
 * throws, time stands still, and a new deadline is over at once.
 */
export function steady(clock: Clock): Clock {
  let last = 0;
  return Object.freeze({
    now: () => {
      try {
        last = clock.now();
      } catch {
        // The last known time is used instead.
      }
      return last;
    },
    setTimeout: (callback: () => void, milliseconds: number) => {
      // The caller does not yet hold the function that cancels the deadline.
      let isSetting = true;
      const over = (): void => (isSetting ? queueMicrotask(callback) : callback());
      try {
        return clock.setTimeout(over, milliseconds);
      } catch {
        return over();
      } finally {
        isSetting = false;
      }
    },
    clearTimeout: (timer: never) => {
      try {
        clock.clearTimeout(timer);
      } catch {
        // The wait is over all the same, and a late deadline does nothing.
      }
    },
  });
}
