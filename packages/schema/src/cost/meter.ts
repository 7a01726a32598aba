/** Thrown out of a check whose budget is spent. It never leaves the check, which denies. */
class BudgetSpent extends Error {}

/** The budget of one check. A step is up to five nanoseconds of work. */
export class Meter {
  private readonly budget: number;
  private left: number;

  /** @param budget Steps for one check. */
  constructor(budget: number) {
    this.budget = budget;
    this.left = budget;
  }

  refill(): void {
    this.left = this.budget;
  }

  /** The steps that were taken since it was filled. */
  get taken(): number {
    return this.budget - this.left;
  }

  take(steps: number): void {
    this.left -= steps;
    // Also refuses NaN.
    if (!(this.left >= 0)) throw new BudgetSpent();
  }
}
