import type { DecisionRecord } from "../protocol/outcome.js";
import type { CheckedDecision, Denial, Phase } from "./read-decision.js";
import { flat, type Trail } from "./trail.js";

/**
 * Records of what guards answered, in order.
 *
 * All calls that every guard plainly allows have the same records, and share one frozen list of
 * them: only a call that comes off it has a list of its own.
 */
export class Records {
  /** The records that are still expected; none, for a call that has come off. */
  #expected: readonly DecisionRecord[];
  #met = 0;
  #own: (DecisionRecord | Trail)[] | undefined;

  /** @param expected the records of a call that every guard plainly allows; frozen. */
  constructor(expected: readonly DecisionRecord[] = none) {
    this.#expected = expected;
  }

  push(record: DecisionRecord | Trail): void {
    if (this.#expected[this.#met] === record) this.#met++;
    else this.#comeOff(record);
  }

  #comeOff(record: DecisionRecord | Trail): void {
    this.#own ??= this.#taken();
    this.#own.push(record);
    this.#expected = none;
  }

  #taken(): DecisionRecord[] {
    return this.#expected.filter((_, index) => index < this.#met);
  }

  /** The records so far, for a list that they are part of. */
  get trail(): Trail {
    return this.#own ?? this.#taken();
  }

  /** The records so far. The list is frozen. */
  get list(): readonly DecisionRecord[] {
    if (this.#own === undefined && this.#met === this.#expected.length) return this.#expected;
    return Object.freeze(flat(this.trail));
  }
}

const none: readonly DecisionRecord[] = Object.freeze([]);

/** Returns what belongs to a phase. A read by a computed key would cost as much as a guard that is asked. */
export function ofPhase<T>(of: Readonly<Record<Phase, T>>, phase: Phase): T {
  return phase === "call" ? of.call : phase === "admit" ? of.admit : of.result;
}

/** Records an answer that is not a plain allow. A MODIFY that changed nothing is an ALLOW. */
export function recordOf(
  asked: string,
  phase: Phase,
  checked: CheckedDecision,
  changed: boolean,
): DecisionRecord {
  return Object.freeze({
    provider: checked.decidedBy ?? asked,
    phase,
    decision: checked.decision === "modify" && !changed ? "allow" : checked.decision,
    basis: checked.basis,
    code: checked.code,
    reason: checked.reason,
    metadata: checked.metadata,
  });
}

/** Records, after the denial itself, that it does not count, and why. */
export function liftedRecord(denial: Denial, asked: string, phase: Phase): DecisionRecord {
  return Object.freeze({
    provider: denial.decidedBy ?? asked,
    phase,
    decision: "allow",
    basis: "approval",
    code: denial.code,
  });
}
