import { such } from "@toolstile/core/provider";

/** Timers. Pass in others to hold time still in a test. */
export interface Timers {
  readonly setTimeout: (callback: () => void, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

/** Timers that do not keep the process alive. */
export const systemTimers: Timers = Object.freeze({
  setTimeout: (callback: () => void, milliseconds: number) =>
    setTimeout(callback, milliseconds).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout | undefined),
});

export const timersOption = such<Timers>(
  (value) => isFunction((value as Timers).setTimeout) && isFunction((value as Timers).clearTimeout),
  "an object with setTimeout() and clearTimeout()",
);

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
