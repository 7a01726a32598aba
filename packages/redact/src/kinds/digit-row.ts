import { isDigitCode, tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";

const signs = tableOf(" -./()\u00a0\u2009\u202f\u2010\u2011");
const mostSigns = 3;
const mostDigits = 15;
const mostGroups = 8;
/** More than are read at once, so that a place in the arrays is that of one group. */
const mostKept = 16;

/**
 * The groups of digits from some place on: up to eight of them, and up to 15 digits, the last of which may be a part of
 * a group.
 *
 * A number may begin at each group. Those that were read from the one before it are not read again.
 */
export class DigitRow {
  readonly #starts = new Uint32Array(mostKept);
  readonly #ends = new Uint32Array(mostKept);
  /** The digits from the first place that was read up to the end of each. */
  readonly #digits = new Uint32Array(mostKept);
  #text = 0;
  #first = 0;
  #next = 0;
  /** Where the next group may begin. */
  #nextStart = 0;
  /** The digits before the first group. */
  #passed = 0;

  /** Reads from `start` on; the number of groups. */
  read({ units, id }: Source, start: number): number {
    if (id !== this.#text) this.#next = this.#first;
    this.#text = id;
    while (this.#first < this.#next && this.#starts[this.#first % mostKept] !== start)
      this.#first += 1;
    if (this.#first === this.#next) {
      this.#first = 0;
      this.#next = 0;
      this.#nextStart = start;
    }
    this.#passed = this.#digitsBefore(this.#first);
    while (
      this.#next - this.#first < mostGroups &&
      this.#digitsBefore(this.#next) - this.#passed < mostDigits &&
      this.#readGroup(units)
    );
    return this.#next - this.#first;
  }

  /** The digits up to the end of a group. */
  sizeOf(group: number): number {
    return Math.min(mostDigits, this.#sizeOf(group));
  }

  endOf(group: number): number {
    const end = this.#ends[(this.#first + group) % mostKept] as number;
    return end - Math.max(0, this.#sizeOf(group) - mostDigits);
  }

  #sizeOf(group: number): number {
    return (this.#digits[(this.#first + group) % mostKept] as number) - this.#passed;
  }

  #digitsBefore(group: number): number {
    return group === 0 ? 0 : (this.#digits[(group - 1) % mostKept] as number);
  }

  #readGroup(units: Uint16Array): boolean {
    const start = this.#nextStart;
    let at = start;
    while (at - start < mostDigits && isDigitCode(units[at] as number)) at += 1;
    if (at === start) return false;
    const group = this.#next % mostKept;
    this.#starts[group] = start;
    this.#ends[group] = at;
    this.#digits[group] = this.#digitsBefore(this.#next) + at - start;
    this.#next += 1;
    const end = at;
    while (at - end < mostSigns && signs[units[at] as number] === 1) at += 1;
    this.#nextStart = at;
    return true;
  }
}
