import { Call } from "./call.js";
import { canonicalJson } from "./canonical.js";
import { allowed, Judgement, type Phase } from "./judgement.js";
import type { Lifted } from "./lifted.js";
import type { Link } from "./link.js";
import type { DecisionRecord, ResultBody, ToolResult } from "./protocol.js";
import { Result } from "./result.js";

/**
 * Ask a list of guards about one call, or about its result, until all are
 * content with the same thing.
 *
 * In order, round and round, until as many in a row as there are were content;
 * the one that modified is content with what it made. The first DENY stops.
 * Guards that keep changing each other's work are stopped after three
 * questions each. Nobody can modify while being admitted, so there it is one
 * question each, in order.
 */
export class Fold {
  readonly records: DecisionRecord[];
  /** The guards that changed something, in order. */
  modifiedBy: readonly string[] = nobody;
  /** The last call asked about: its arguments are what runs. */
  call: Call;
  /** The last result asked about: its body is what the caller gets. */
  result: ToolResult | undefined;
  /** The DENY that stopped it. */
  denial: Judgement | undefined;
  /** Whether a guard that counts was content with what is now decided. */
  judged = false;

  readonly #links: readonly Link[];
  readonly #lifted: Lifted | undefined;
  readonly #phase: Phase;
  #position = 0;
  #content = 0;
  #questions = 0;

  /**
   * @param records where each answer is added.
   * @param lifted the denials that count as lifted.
   */
  constructor(
    links: readonly Link[],
    phase: Phase,
    call: Call,
    result?: ToolResult,
    records: DecisionRecord[] = [],
    lifted?: Lifted,
  ) {
    this.records = records;
    this.#links = links;
    this.#lifted = lifted;
    this.#phase = phase;
    this.call = call;
    this.result = result;
  }

  /** Ask on, synchronously for as long as the answers are. A promise says only when it is over. */
  run(): Promise<void> | undefined {
    const links = this.#links;
    while (this.denial === undefined && this.#content < links.length) {
      const link = links[this.#position] as Link;
      this.#position = (this.#position + 1) % links.length;
      const judgement = this.#ask(link);
      if (judgement === allowed) this.#allow(link);
      else if (judgement === undefined) this.#content++;
      else if (judgement instanceof Promise) return this.#resume(link, judgement);
      else this.#take(link, judgement);
    }
    return undefined;
  }

  async #resume(link: Link, pending: Promise<Judgement>): Promise<void> {
    this.#take(link, await pending);
    const more = this.run();
    if (more !== undefined) await more;
  }

  #ask(link: Link): Judgement | Promise<Judgement> | undefined {
    const applies = link.applies(this.call);
    if (applies === false) return undefined;
    if (applies !== true) return applies;
    if (++this.#questions > 3 * this.#links.length) return unstable(this.#phase);
    return link.answer(this.#phase, this.call, this.result);
  }

  #allow(link: Link): void {
    this.records.push(link.allowed[this.#phase]);
    this.#content++;
    this.judged ||= link.facts.counts;
  }

  #take(link: Link, judgement: Judgement): void {
    if (judgement === allowed) {
      this.#allow(link);
      return;
    }
    const changed = judgement.decision === "modify" && this.#replace(judgement);
    if (judgement.records !== undefined) this.records.push(...judgement.records);
    else this.records.push(recordOf(link, this.#phase, judgement, changed));

    if (judgement.decision === "deny") {
      if (this.#lifted?.covers(judgement, link.facts.name, this.call.args) === true) {
        this.records.push(liftedRecord(judgement, link.facts.name, this.#phase));
        this.#content++;
        // It has judged the call, and a human has judged its denial.
        this.judged ||= judgement.counts ?? link.facts.counts;
        return;
      }
      this.denial =
        judgement.decidedBy === undefined ? attributed(judgement, link.facts.name) : judgement;
    } else if (changed) {
      const author = judgement.decidedBy ?? link.facts.name;
      this.modifiedBy = Object.freeze([...this.modifiedBy, author]);
      this.#content = 1;
      this.judged = judgement.counts ?? link.facts.counts;
    } else {
      this.#content++;
      this.judged ||= judgement.counts ?? link.facts.counts;
    }
  }

  /** @returns false when what it was replaced with says the same. */
  #replace({ args, body }: Judgement): boolean {
    if (args !== undefined) {
      if (canonicalJson(args) === canonicalJson(this.call.args)) return false;
      this.call = Call.derive(this.call, args, Call.scopeOf(this.call));
      return true;
    }
    const result = this.result as ToolResult;
    if (sameBody(body as ResultBody, result)) return false;
    this.result = Result.rewritten(result, body as ResultBody);
    return true;
  }
}

const nobody: readonly string[] = Object.freeze([]);

function sameBody(left: ResultBody, right: ResultBody): boolean {
  if ((left.structured === undefined) !== (right.structured === undefined)) return false;
  try {
    return textOf(left) === textOf(right);
  } catch {
    // Too deep for the engine to write.
    return false;
  }
}

function textOf({ content, structured }: ResultBody): string {
  const body = [content, structured ?? null];
  try {
    return canonicalJson(body);
  } catch {
    // Half of a surrogate pair, which a result may hold, has no canonical text.
    return JSON.stringify(body);
  }
}

function unstable(phase: Phase): Judgement {
  return new Judgement("deny", "unstable", {
    reason: `guardrails do not settle on one ${phase === "call" ? "set of arguments" : "result"}`,
    decidedBy: "core",
  });
}

/** After the record of the denial: that it does not count, and why. */
function liftedRecord(denial: Judgement, asked: string, phase: Phase): DecisionRecord {
  return Object.freeze({
    provider: denial.decidedBy ?? asked,
    phase,
    decision: "allow",
    basis: "approval",
    code: denial.code,
  });
}

function attributed(judgement: Judgement, decidedBy: string): Judgement {
  return new Judgement(judgement.decision, judgement.basis, { ...judgement, decidedBy });
}

/** What is recorded of an answer that is not a plain allow. A MODIFY that changed nothing is an ALLOW. */
function recordOf(
  link: Link,
  phase: Phase,
  judgement: Judgement,
  changed: boolean,
): DecisionRecord {
  return Object.freeze({
    provider: judgement.decidedBy ?? link.facts.name,
    phase,
    decision: judgement.decision === "modify" && !changed ? "allow" : judgement.decision,
    basis: judgement.basis,
    code: judgement.code,
    reason: judgement.reason,
    metadata: judgement.metadata,
  });
}
