import { gathered } from "./advisory.js";
import { Call } from "./call.js";
import { composed } from "./chain.js";
import { ToolstileError } from "./errors.js";
import { Fold } from "./fold.js";
import { Judgement, type Phase } from "./judgement.js";
import { Link, type LinkFacts } from "./link.js";
import type { DecisionRecord, GuardrailProvider, ToolResult } from "./protocol.js";
import { flatten, type Guardrail, givenName } from "./provider.js";
import { inTurn } from "./thenable.js";

/**
 * Ask slow guardrails all at once, and take the strictest answer.
 *
 * Any DENY denies; of several, the first in the list is the one reported. One
 * MODIFY modifies, after the others have been asked again about what it made.
 * Two that modify at once are a DENY, for neither saw what the other did.
 */
export function parallel(
  guardrails: readonly Guardrail[],
  options: { readonly name?: string } = {},
): GuardrailProvider {
  const given = givenName("parallel()", options);
  if (flatten(guardrails).length === 0) {
    throw new ToolstileError("ERR_INVALID_OPTION", "parallel() needs at least one guardrail.");
  }
  const branches = guardrails.map((guardrail) => flatten([guardrail]));
  const facts = gathered(branches.flat());
  const name = given ?? `parallel(${facts.name})`;
  return composed(name, [new ParallelLink({ ...facts, name }, branches)]);
}

type Branch = readonly Link[];

class ParallelLink extends Link {
  readonly #branches: readonly Branch[];

  constructor(facts: LinkFacts, branches: readonly Branch[]) {
    super(facts);
    this.#branches = branches;
  }

  answers(phase: Phase): boolean {
    return this.#branches.some((branch) => branch.some((link) => link.answers(phase)));
  }

  override applies(call: Call): boolean | Judgement {
    const applies = super.applies(call);
    if (applies !== true) return applies;
    // A condition that fails is for the branch to deny, so it applies.
    return this.#branches.some((branch) => branch.some((link) => link.applies(call) !== false));
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Judgement | Promise<Judgement> {
    const branches = this.#branches
      .map((branch) => branch.filter((link) => link.answers(phase)))
      .filter((branch) => branch.length > 0);
    const rounds = new Rounds(branches, phase, call, result);
    // Quota is taken in order: what one branch took, a later denial has to give back.
    if (phase === "admit") return rounds.inOrder();
    const pending = rounds.run();
    return pending === undefined ? rounds.judgement() : pending.then(() => rounds.judgement());
  }

  override get names(): readonly string[] {
    return [this.facts.name, ...this.#branches.flat().flatMap(({ names }) => names)];
  }

  with(changes: Partial<LinkFacts>): Link {
    return new ParallelLink({ ...this.facts, ...changes }, this.#branches);
  }

  within(timeoutMs: number): Link {
    return this.each((link) => link.within(timeoutMs));
  }

  override each(change: (link: Link) => Link): Link {
    const branches = this.#branches.map((branch) => branch.map((link) => link.each(change)));
    const { checksArguments } = gathered(branches.flat());
    return new ParallelLink({ ...this.facts, checksArguments }, branches);
  }
}

/** Rounds of asking all branches that have not yet been content with what now stands. */
class Rounds {
  readonly #branches: readonly Branch[];
  readonly #phase: Phase;
  readonly #records: DecisionRecord[] = [];
  #call: Call;
  #result: ToolResult | undefined;
  #author: Branch | undefined;
  #authorName: string | undefined;
  #denial: Judgement | undefined;
  #round = 0;
  #judged = false;

  constructor(
    branches: readonly Branch[],
    phase: Phase,
    call: Call,
    result: ToolResult | undefined,
  ) {
    this.#branches = branches;
    this.#phase = phase;
    this.#call = call;
    this.#result = result;
  }

  run(): Promise<void> | undefined {
    const scope = Call.scopeOf(this.#call);
    const asked = this.#branches.filter((branch) => branch !== this.#author);
    const scopes = asked.map(() => scope.child());
    const folds = asked.map(
      (branch, index) =>
        new Fold(
          branch,
          this.#phase,
          Call.derive(this.#call, this.#call.args, scopes[index] as typeof scope),
          this.#result,
        ),
    );
    const finish = (): Promise<void> | undefined => {
      for (const each of scopes) each.release();
      return this.#take(asked, folds) ? this.run() : undefined;
    };
    // All are asked before any is waited for.
    const pending = folds.map((fold) => fold.run());
    const waiting = inTurn(pending, undefined, (each) => each);
    return waiting === undefined ? finish() : waiting.then(finish);
  }

  /** @returns whether another round is due. */
  #take(asked: readonly Branch[], folds: readonly Fold[]): boolean {
    for (const fold of folds) this.#records.push(...fold.records);
    this.#denial = folds.find((fold) => fold.denial !== undefined)?.denial;
    if (this.#denial !== undefined) return false;
    const changed = folds.filter((fold) => fold.modifiedBy.length > 0);
    if (changed.length === 0) {
      this.#judged ||= folds.some((fold) => fold.judged);
      return false;
    }
    this.#round++;
    if (changed.length > 1 || this.#round === 3) {
      this.#denial = new Judgement("deny", "unstable", {
        reason: "guardrails that are asked at once do not agree on one change",
        decidedBy: "core",
      });
      return false;
    }
    const [fold] = changed as [Fold];
    this.#author = asked[folds.indexOf(fold)];
    this.#authorName = fold.modifiedBy.at(-1);
    this.#judged = fold.judged;
    this.#call = Call.derive(fold.call, fold.call.args, Call.scopeOf(this.#call));
    this.#result = fold.result;
    return true;
  }

  judgement(): Judgement {
    const records = this.#records;
    if (this.#denial !== undefined) {
      return new Judgement("deny", this.#denial.basis, { ...this.#denial, records });
    }
    const counts = this.#judged;
    if (this.#author === undefined) return new Judgement("allow", "policy", { records, counts });
    const decidedBy = this.#authorName;
    return this.#phase === "call"
      ? new Judgement("modify", "policy", { args: this.#call.args, decidedBy, records, counts })
      : new Judgement("modify", "policy", { body: this.#result, decidedBy, records, counts });
  }

  inOrder(): Judgement | Promise<Judgement> {
    const fold = new Fold(this.#branches.flat(), this.#phase, this.#call);
    const { records } = fold;
    const finish = (): Judgement =>
      fold.denial === undefined
        ? new Judgement("allow", "policy", { records })
        : new Judgement("deny", fold.denial.basis, { ...fold.denial, records });
    const pending = fold.run();
    return pending === undefined ? finish() : pending.then(finish);
  }
}
