/** How a log waits. Pass others in to hold time still in a test. */
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
