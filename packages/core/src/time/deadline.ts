import type { Clock } from "./clock.js";

/** Milliseconds that one answer of a guard or an observer may take, unless an option says otherwise. */
export const defaultTimeoutMs = 5_000;

/** The longest delay that a timer can hold; anything longer means no deadline. */
const longest = 2 ** 31 - 1;

const nothing = (): void => {};

/** Starts a deadline. The function returned cancels it. */
export function deadline(clock: Clock, milliseconds: number, callback: () => void): () => void {
  if (milliseconds > longest) return nothing;
  const timer = clock.setTimeout(callback, milliseconds);
  return () => clock.clearTimeout(timer as never);
}
