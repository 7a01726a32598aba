import type { Clock } from "../../src/time/clock.js";

/** A clock that stands still until the test moves it. */
export class HandClock implements Clock {
  readonly #timers = new Map<number, { due: number; callback: () => void }>();
  #time = 0;
  #made = 0;

  readonly now = (): number => this.#time;

  readonly setTimeout = (callback: () => void, milliseconds: number): unknown => {
    this.#made++;
    this.#timers.set(this.#made, { due: this.#time + milliseconds, callback });
    return this.#made;
  };

  readonly clearTimeout = (timer: never): void => {
    this.#timers.delete(timer);
  };

  /** Timers that are set and have not run. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Timers that were ever set. */
  get made(): number {
    return this.#made;
  }

  /** Move on, running what falls due in order. */
  pass(milliseconds: number): void {
    this.#time += milliseconds;
    const due = [...this.#timers].filter(([, timer]) => timer.due <= this.#time);
    for (const [id, timer] of due.sort(([, a], [, b]) => a.due - b.due)) {
      this.#timers.delete(id);
      timer.callback();
    }
  }
}
