/** Where time comes from. Pass one in to hold time still in a test. */
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
 * A host's clock, which must not keep a call from ending: where it throws, time
 * stands still, and what was to have a deadline has none left.
 */
export function steady(clock: Clock): Clock {
  let last = 0;
  return Object.freeze({
    now: () => {
      try {
        last = clock.now();
      } catch {
        // What has no time of its own has that of what came before.
      }
      return last;
    },
    setTimeout: (callback: () => void, milliseconds: number) => {
      // Whoever sets a deadline does not yet hold what cancels it.
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
        // The wait is over all the same, and its deadline says nothing any more.
      }
    },
  });
}

/** The longest delay that a timer can hold; anything longer is no deadline. */
const longest = 2 ** 31 - 1;

/** Start a deadline; the function returned cancels it. */
export function deadline(clock: Clock, milliseconds: number, callback: () => void): () => void {
  if (milliseconds > longest) return () => {};
  const timer = clock.setTimeout(callback, milliseconds);
  return () => clock.clearTimeout(timer as never);
}
