import { ExpressionFault } from "./fault.js";

/**
 * Counts what an evaluation costs, and ends one that costs too much.
 *
 * A unit is about what one function call or one pass of a macro takes. What
 * takes longer the longer a text or a list is takes units by its length.
 */
export class Meter {
  #left = 0;

  begin(units: number): void {
    this.#left = units;
  }

  /** @throws ExpressionFault once nothing is left, and from then on. */
  take(units: number): void {
    this.#left -= units;
    // Written so that NaN is too much.
    if (!(this.#left >= 0)) throw new ExpressionFault("too_costly");
  }

  /** True if more was taken than there was. An `||` may have swallowed the fault. */
  get exhausted(): boolean {
    return !(this.#left >= 0);
  }
}
