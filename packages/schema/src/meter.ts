/** Thrown out of a check whose budget is spent. It never leaves the check, which denies. */
class BudgetSpent extends Error {}

/** What one check may spend. A step is a few nanoseconds of work. */
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

  take(steps: number): void {
    this.left -= steps;
    // Also refuses NaN.
    if (!(this.left >= 0)) throw new BudgetSpent();
  }
}

/** The keyword that the emitted schemas carry to charge the meter. */
export const stepsKeyword = "steps";
/** The same for each member of an object. */
export const memberStepsKeyword = "memberSteps";
