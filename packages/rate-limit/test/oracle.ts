/** What was let through and stands: with its time, and whether it is still open. */
export interface Standing {
  readonly time: number;
  readonly units: number;
  open: boolean;
}

/**
 * The limit as it is defined, with no thought of cost: a list of all that was
 * let through and not given back, summed anew for each question.
 */
export class Oracle {
  readonly standing: Standing[] = [];
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #concurrency: number;

  constructor(limit: number, windowMs: number, concurrency = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#concurrency = concurrency;
  }

  used(now: number, windowMs = this.#windowMs): number {
    return sum(this.standing.filter(({ time }) => now - time < windowMs));
  }

  open(): number {
    return this.standing.filter(({ open }) => open).length;
  }

  allows(now: number, units: number, windowMs = this.#windowMs): boolean {
    return this.used(now, windowMs) + units <= this.#limit && this.open() < this.#concurrency;
  }

  take(time: number, units: number): Standing {
    const taken = { time, units, open: true };
    this.standing.push(taken);
    return taken;
  }

  giveBack(taken: Standing): void {
    this.standing.splice(this.standing.indexOf(taken), 1);
  }

  /** The most units that any window has, its end not included. */
  worst(windowMs = this.#windowMs): number {
    return this.standing.reduce(
      (worst, { time: start }) =>
        Math.max(
          worst,
          sum(this.standing.filter(({ time }) => time >= start && time - start < windowMs)),
        ),
      0,
    );
  }
}

function sum(standing: readonly Standing[]): number {
  return standing.reduce((total, { units }) => total + units, 0);
}
