import type { ToolCall } from "@toolstile/core";
import type { Pointer } from "@toolstile/core/host";
import type { Outcome } from "../checks/check.js";
import { ownCopy } from "../checks/own-copy.js";
import { valuesAt } from "../conditions/pointer.js";
import { type CountedBy, keyOf } from "./count.js";

/** Amounts that have run are never subtracted again: a large amount taken back would take small ones with it. */
interface Sum {
  ran: number;
  /** The amounts of calls that are not over. */
  readonly open: Set<{ readonly amount: number }>;
}

/** The sum of an argument over the calls of one session, principal, agent or tenant. */
export class Total {
  readonly pointer: Pointer;
  readonly #most: number;
  readonly #by: CountedBy;
  readonly #sums = new Map<string | undefined, Sum>();
  readonly #maxKeys: number;

  constructor(pointer: Pointer, most: number, by: CountedBy, maxKeys: number) {
    this.pointer = pointer;
    this.#most = most;
    this.#by = by;
    this.#maxKeys = maxKeys;
  }

  /** True if the sum with this call is above the most; undefined if that cannot be told. Changes nothing. */
  reached(call: ToolCall): Outcome {
    const key = keyOf(call, this.#by);
    const amount = this.#amount(call);
    if (key === null || amount === undefined) return undefined;
    const sum = this.#sums.get(key);
    // To forget another sum would give its session back what it has used.
    if (sum === undefined && this.#sums.size >= this.#maxKeys) return undefined;
    return (sum === undefined ? 0 : totalOf(sum)) + amount > this.#most;
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

  /** An amount below 0 would make room for others. */
  #amount(call: ToolCall): number | undefined {
    let sum = 0;
    for (const value of valuesAt(call.args, this.pointer)) {
      if (typeof value !== "number" || !(value >= 0)) return undefined;
      sum += value;
    }
    return Number.isFinite(sum) ? sum : undefined;
  }
}

function totalOf({ ran, open }: Sum): number {
  let total = ran;
  for (const { amount } of open) total += amount;
  return total;
}
