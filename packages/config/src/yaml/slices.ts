import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which others have their turn. */
const slice = 2;

/** Divides long work, so that calls under way do not wait for it. */
export class Slices {
  #began = performance.now();

  /** True if others have waited for long enough: `await pause()` then. */
  get isOver(): boolean {
    return performance.now() - this.#began > slice;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
