/** A clock that moves when told. */
export interface FakeClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly setTimeout: (run: () => void, ms?: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  /** Move on, running each timer that falls due, in order, at its own time. */
  readonly advance: (ms: number) => void;
  /** The number of timers that wait. */
  readonly waiting: () => number;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * A clock in the place of the system's: `now`, `setTimeout` and `clearTimeout`.
 *
 * A timer that a promise sets runs only if the promise was awaited before the
 * clock moves.
 */
export function fakeClock(startMs = 0): FakeClock {
  let time = startMs;
  const timers = new Set<Timer>();

  function nextDue(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  }

  return {
    now: () => time,
    setTimeout(run, ms = 0) {
      const timer = { due: time + Math.max(0, ms), run, unref: () => timer, ref: () => timer };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => {
      timers.delete(timer as Timer);
    },
    advance(ms) {
      const until = time + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        time = timer.due;
        timer.run();
      }
      time = until;
    },
    waiting: () => timers.size,
  };
}
