import type { ToolCall } from "@toolstile/core";
import type { Pointer } from "@toolstile/core/provider";
import type { Outcome, ValueKind } from "../checks/check.js";
import { lengthOf } from "../checks/comparisons.js";
import { ownCopy } from "../checks/own-copy.js";
import { valuesAt } from "../conditions/pointer.js";
import { type CountedBy, keyOf, longestKey } from "./count.js";

/** Amounts that have run are never subtracted again: a large amount taken back would take small ones with it. */
interface Sum {
  ran: number;
  /** The amounts of calls that are not over. */
  readonly open: Set<{ readonly amount: number }>;
}

/** What is added up: the numbers themselves, or the lengths of texts and lists. */
type Addend = "value" | "length";
export const addends: readonly Addend[] = ["value", "length"];

/** The kinds of values that are added up. */
export const kindsOfAddends: Readonly<Record<Addend, readonly ValueKind[]>> = {
  value: ["number"],
  length: ["string", "list"],
};

interface TotalOptions {
  readonly at: string;
  readonly pointer: Pointer;
  readonly of: Addend;
  readonly above: number;
  readonly per: CountedBy;
  readonly maxKeys: number;
}

/** The sum of an argument over the calls of one session, principal, agent or tenant. */
export class Total {
  /** The pointer as it was written. */
  readonly at: string;
  readonly pointer: Pointer;
  readonly of: Addend;
  readonly #most: number;
  readonly #by: CountedBy;
  readonly #sums = new Map<string | undefined, Sum>();
  readonly #maxKeys: number;

  constructor({ at, pointer, of, above, per, maxKeys }: TotalOptions) {
    this.at = at;
    this.pointer = pointer;
    this.of = of;
    this.#most = above;
    this.#by = per;
    this.#maxKeys = maxKeys;
  }

  /** True if the sum with this call is above the most; undefined if that cannot be told. Changes nothing. */
  reached(call: ToolCall): Outcome {
    const key = keyOf(call, this.#by);
    const amount = this.#amount(call);
    if (key === null || amount === undefined) return undefined;
    if (this.#isFull(key)) return undefined;
    const before = this.#sumOf(key);
    if (before + amount > this.#most) return true;
    return isLost(amount, before) ? undefined : false;
  }

  /** Says why it cannot be told if the sum is reached; undefined if it can. */
  doubt(call: ToolCall): string | undefined {
    if (this.reached(call) !== undefined) return undefined;
    const key = keyOf(call, this.#by);
    if (key === null) {
      return `the ${this.#by} must have at most ${longestKey} characters`;
    }
    if (this.#amount(call) !== undefined) {
      return this.#isFull(key)
        ? `the sums of ${this.#maxKeys} callers are kept, and this is one more`
        : `the sum of ${this.at} is too large to be added to: it must be below 2^53`;
    }
    return this.of === "length"
      ? `${this.at} must be a string or a list, whose length is added up`
      : `${this.at} must be a number of at least 0, which is added up`;
  }

  /** Adds what the call has. @returns what ends the call: it stays in the sum if it ran, and is taken back if not. */
  take(call: ToolCall): (ran: boolean) => void {
    const key = keyOf(call, this.#by);
    const amount = this.#amount(call) ?? 0;
    if (key === null || amount === 0) return () => undefined;
    const sum = this.#sums.get(key) ?? { ran: 0, open: new Set() };
    if (sum.ran === 0 && sum.open.size === 0) {
      this.#sums.set(key === undefined ? key : ownCopy(key), sum);
    }
    const taken = { amount };
    sum.open.add(taken);
    return (ran) => {
      sum.open.delete(taken);
      if (ran) sum.ran += amount;
      if (sum.ran === 0 && sum.open.size === 0) this.#sums.delete(key);
    };
  }

  /** True for one caller more than sums are kept of. To forget another would give its session back what it has used. */
  #isFull(key: string | undefined): boolean {
    return this.#sums.size >= this.#maxKeys && !this.#sums.has(key);
  }

  #sumOf(key: string | undefined): number {
    const sum = this.#sums.get(key);
    return sum === undefined ? 0 : totalOf(sum);
  }

  /** An amount below 0 would make room for others. */
  #amount(call: ToolCall): number | undefined {
    let sum = 0;
    for (const value of valuesAt(call.args, this.pointer)) {
      const addend = this.of === "length" ? lengthIn(value) : value;
      if (typeof addend !== "number" || !(addend >= 0)) return undefined;
      sum += addend;
    }
    return Number.isFinite(sum) ? sum : undefined;
  }
}

/** True if a sum is so large that an amount is rounded away: it would never grow above a larger limit. */
function isLost(amount: number, sum: number): boolean {
  return sum + amount > Number.MAX_SAFE_INTEGER || (amount > 0 && sum + amount === sum);
}

function lengthIn(value: unknown): number | undefined {
  return typeof value === "string" || Array.isArray(value) ? lengthOf(value) : undefined;
}

function totalOf({ ran, open }: Sum): number {
  let total = ran;
  for (const { amount } of open) total += amount;
  return total;
}
