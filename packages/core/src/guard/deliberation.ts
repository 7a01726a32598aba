import type { Call } from "../call/head.js";
import { Result } from "../call/result.js";
import { canonicalJson, sameJson } from "../json/canonical.js";
import type { ResultBody, ToolResult } from "../protocol/guardrail.js";
import type { DecisionRecord } from "../protocol/outcome.js";
import type { Grants } from "./grants.js";
import type { Answer, Guard } from "./guard.js";
import {
  allowed,
  Checked,
  type CheckedDecision,
  type Denial,
  type Phase,
} from "./read-decision.js";
import { liftedRecord, ofPhase, Records, recordOf } from "./records.js";
import type { Trail } from "./trail.js";

/**
 * Asks a list of guards about one call, or about its result, until all are
 * satisfied with the same arguments or the same result.
 *
 * The guards are asked in order, again and again, until all of them in a row are
 * satisfied. A guard that modified is satisfied with its own change. The first
 * DENY stops. Guards that keep changing each other's work are stopped after three
 * questions each. In the phase `admit` no guard can modify, so each is asked once,
 * in order.
 */
export class Deliberation {
  /** The guards that changed something, in order. */
  modifiedBy: readonly string[] = none;
  /** The last call asked about: its arguments are what runs. */
  call: Call;
  /** The last result asked about: its body is what the caller gets. */
  result: ToolResult | undefined = undefined;
  /** The DENY that stopped it. */
  denial: Denial | undefined = undefined;
  /** True if a guard that counts was satisfied with what is now decided. */
  judged = false;

  #records: Records | undefined;
  readonly #guards: readonly Guard[];
  readonly #grants: Grants | undefined;
  readonly #phase: Phase;
  /** The guard that is asked next. */
  #position = 0;
  /** The number of guards before it whose plain allow is not among the records yet. */
  #unwritten = 0;
  #satisfied = 0;
  #questions = 0;

  /**
   * @param guards those that cover the call's tool, and answer in this phase.
   * @param records the list to which the answers are added.
   * @param grants the approvals of the run: a denial that they cover counts as lifted.
   */
  constructor(
    guards: readonly Guard[],
    phase: Phase,
    call: Call,
    result?: ToolResult,
    records?: Records,
    grants?: Grants,
  ) {
    this.#records = records;
    this.#guards = guards;
    this.#grants = grants;
    this.#phase = phase;
    this.call = call;
    this.result = result;
  }

  get records(): readonly DecisionRecord[] {
    return this.#written().list;
  }

  /** The records, for a list that they are part of. */
  get trail(): Trail {
    return this.#written().trail;
  }

  /** True if one of the guards had a say. */
  get asked(): boolean {
    return this.#questions > 0;
  }

  /** Asks the guards, synchronously for as long as their answers are. A promise only says when it is over. */
  run(): Promise<void> | undefined {
    const guards = this.#guards;
    try {
      while (this.denial === undefined && this.#satisfied < guards.length) {
        const guard = guards[this.#position] as Guard;
        const checked = this.#ask(guard);
        if (checked !== allowed && checked instanceof Promise) return this.#resume(guard, checked);
        this.#take(guard, checked);
      }
    } finally {
      if (this.#records !== undefined) this.#written();
    }
    return undefined;
  }

  async #resume(guard: Guard, pending: Promise<CheckedDecision | undefined>): Promise<void> {
    this.#take(guard, await pending);
    await this.run();
  }

  /** The records, with the plain allows that are among them only now: a chain whose guards all allow has no need of them. */
  #written(): Records {
    this.#records ??= new Records();
    for (; this.#unwritten > 0; this.#unwritten--) {
      const guard = this.#guards.at(this.#position - this.#unwritten) as Guard;
      this.#records.push(ofPhase(guard.allowed, this.#phase));
    }
    return this.#records;
  }

  #ask(guard: Guard): Answer {
    const isOver = this.#questions === 3 * this.#guards.length;
    if (guard.isConditional || isOver) {
      const applies = isOver ? guard.hasSay(this.call) : guard.applies(this.call);
      if (applies === false) return undefined;
      if (applies !== true) return applies;
    }
    return isOver ? unstable(this.#phase) : guard.answer(this.#phase, this.call, this.result);
  }

  #take(guard: Guard, checked: CheckedDecision | undefined): void {
    if (checked !== undefined) this.#questions++;
    if (checked === allowed) {
      this.#unwritten++;
      this.#satisfied++;
      this.judged ||= guard.facts.counts;
    } else {
      const records = this.#written();
      if (checked === undefined) this.#satisfied++;
      else this.#follow(guard, checked, records);
    }
    this.#position = this.#position + 1 === this.#guards.length ? 0 : this.#position + 1;
  }

  #follow(guard: Guard, checked: CheckedDecision, records: Records): void {
    const changed = checked.decision === "modify" && this.#replace(checked);
    if (checked.records !== undefined) records.push(checked.records);
    else records.push(recordOf(guard.facts.name, this.#phase, checked, changed));

    if (checked.decision === "deny") {
      if (this.#grants?.cover(checked, guard.facts.name, this.call.args) === true) {
        records.push(liftedRecord(checked, guard.facts.name, this.#phase));
        this.#satisfied++;
        // It has judged the call, and a human has judged its denial.
        this.judged ||= guard.facts.counts;
        return;
      }
      this.denial =
        checked.decidedBy === undefined ? attributed(checked, guard.facts.name) : checked;
    } else if (changed) {
      const author = checked.decidedBy ?? guard.facts.name;
      this.modifiedBy = Object.freeze([...this.modifiedBy, author]);
      this.#satisfied = 1;
      this.judged = checked.counts ?? guard.facts.counts;
    } else {
      this.#satisfied++;
      this.judged ||= checked.counts ?? guard.facts.counts;
    }
  }

  /** Puts the new arguments or the new body in place. @returns false if they equal the old ones. */
  #replace({ args, body }: CheckedDecision): boolean {
    if (args !== undefined) {
      if (sameJson(args, this.call.args)) return false;
      this.call = this.call.with(args);
      return true;
    }
    const result = this.result as ToolResult;
    if (sameBody(body as ResultBody, result)) return false;
    this.result = Result.rewritten(result, body as ResultBody);
    return true;
  }
}

// A setter that is planted on the root prototype must not swallow a denial.
Object.setPrototypeOf(Deliberation.prototype, null);

const none: readonly string[] = Object.freeze([]);

function sameBody(left: ResultBody, right: ResultBody): boolean {
  if ((left.structured === undefined) !== (right.structured === undefined)) return false;
  return bodyText(left) === bodyText(right);
}

function bodyText({ content, structured }: ResultBody): string {
  const body = [content, structured ?? null];
  try {
    return canonicalJson(body);
  } catch {
    // Half of a surrogate pair, which a result may hold, has no canonical text.
    return JSON.stringify(body);
  }
}

function unstable(phase: Phase): Denial {
  return new Checked("deny", "unstable", {
    reason: `guardrails do not settle on one ${phase === "call" ? "set of arguments" : "result"}`,
    decidedBy: "core",
  });
}

function attributed(checked: Denial, decidedBy: string): Denial {
  return new Checked("deny", checked.basis, { ...checked, decidedBy });
}
