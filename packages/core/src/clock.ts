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

/** The longest delay that a timer can hold; anything longer is no deadline. */
const longest = 2 ** 31 - 1;

/** Start a deadline; the function returned cancels it. */
export function deadline(clock: Clock, milliseconds: number, callback: () => void): () => void {
  if (milliseconds > longest) return () => {};
  const timer = clock.setTimeout(callback, milliseconds);
  return () => clock.clearTimeout(timer as never);
}
