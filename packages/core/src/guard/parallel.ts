import { Call } from "../call/head.js";
import { ToolstileError } from "../errors/error.js";
import type { GuardrailProvider, ToolResult } from "../protocol/guardrail.js";
import { inTurn } from "../time/wait.js";
import { composed, gathered } from "./compose.js";
import { flatten, type Guardrail, givenName } from "./define.js";
import { Deliberation } from "./deliberation.js";
import { type Answer, Guard, type GuardFacts } from "./guard.js";
import { Checked, type CheckedDecision, type Denial, type Phase } from "./read-decision.js";
import { ofPhase } from "./records.js";
import type { Trail } from "./trail.js";

/**
 * Asks slow guardrails all at once, and takes the strictest answer.
 *
 * Any DENY denies; of several, the first in the list is reported. One MODIFY
 * modifies, after the others have been asked again about its change. Two that
 * modify at once are a DENY, because neither saw the change of the other.
 */
export function parallel(
  guardrails: readonly Guardrail[],
  options: { readonly name?: string } = {},
): GuardrailProvider {
  const all = flatten(guardrails, "parallel()");
  const given = givenName("parallel()", options);
  if (all.length === 0) {
    throw new ToolstileError("ERR_INVALID_OPTION", "parallel() needs at least one guardrail.");
  }
  const branches = guardrails.map((guardrail) => flatten([guardrail]));
  const facts = gathered(branches.flat());
  const name = given ?? `parallel(${facts.name})`;
  return composed(name, [new ParallelGuard({ ...facts, name }, branches)]);
}

type Branch = readonly Guard[];

class ParallelGuard extends Guard {
  readonly #branches: readonly Branch[];
  /** The guards of the branches that answer in a phase. */
  readonly #answering: Readonly<Record<Phase, readonly Branch[]>>;

  constructor(facts: GuardFacts, branches: readonly Branch[]) {
    super(facts, [facts.name, ...branches.flat().flatMap(({ names }) => names)]);
    this.#branches = branches;
    const answering = (phase: Phase): readonly Branch[] =>
      narrowed(branches, (guard) => guard.answers(phase));
    this.#answering = {
      call: answering("call"),
      admit: answering("admit"),
      result: answering("result"),
    };
  }

  answers(phase: Phase): boolean {
    return ofPhase(this.#answering, phase).length > 0;
  }

  override hasSay(call: Call): boolean | Denial {
    const applies = this.applies(call);
    if (applies !== true) return applies;
    // If a condition fails, the branch denies, so the guard has a say.
    return this.#branches
      .flat()
      .some((guard) => guard.covers(call.toolName) && guard.hasSay(call) !== false);
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Answer {
    const answering = ofPhase(this.#answering, phase);
    const branches = narrowed(answering, (guard) => guard.covers(call.toolName));
    const rounds = new Rounds(branches, phase, call, result);
    // Quota is taken in order: after a later denial, earlier branches have to give theirs back.
    if (phase === "admit") return rounds.inOrder();
    const pending = rounds.run();
    return pending === undefined ? rounds.conclusion() : pending.then(() => rounds.conclusion());
  }

  with(changes: Partial<GuardFacts>): Guard {
    return new ParallelGuard({ ...this.facts, ...changes }, this.#branches);
  }

  within(timeoutMs: number): Guard {
    return this.each((guard) => guard.within(timeoutMs));
  }

  override each(change: (guard: Guard) => Guard): Guard {
    const branches = this.#branches.map((branch) => branch.map((guard) => guard.each(change)));
    const { checksArguments } = gathered(branches.flat());
    return new ParallelGuard({ ...this.facts, checksArguments }, branches);
  }
}

/** Branches with these of their guards, where there are any. */
function narrowed(
  branches: readonly Branch[],
  among: (guard: Guard) => boolean,
): readonly Branch[] {
  return branches.map((branch) => branch.filter(among)).filter((branch) => branch.length > 0);
}

/** Rounds of questions to all branches that are not yet satisfied with what is now decided. */
class Rounds {
  readonly #branches: readonly Branch[];
  readonly #phase: Phase;
  readonly #records: Trail[] = [];
  #call: Call;
  #result: ToolResult | undefined;
  #author: Branch | undefined;
  #authorName: string | undefined;
  #denial: Denial | undefined;
  #round = 0;
  #judged = false;
  /** True if one of the guards had a say. */
  #asked = false;

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
    const deliberations = asked.map(
      (branch, index) =>
        new Deliberation(
          branch,
          this.#phase,
          this.#call.under(scopes[index] as typeof scope),
          this.#result,
        ),
    );
    const finish = (): Promise<void> | undefined => {
      for (const each of scopes) each.release();
      return this.#take(asked, deliberations) ? this.run() : undefined;
    };
    // All branches are asked before the first is awaited.
    const pending = deliberations.map((deliberation) => deliberation.run());
    const waiting = inTurn(pending, undefined, (each) => each);
    return waiting === undefined ? finish() : waiting.then(finish);
  }

  /** Takes the answers of a round. @returns true if another round is due. */
  #take(asked: readonly Branch[], deliberations: readonly Deliberation[]): boolean {
    for (const deliberation of deliberations) {
      this.#records.push(deliberation.trail);
      this.#asked ||= deliberation.asked;
    }
    this.#denial = deliberations.find((deliberation) => deliberation.denial !== undefined)?.denial;
    if (this.#denial !== undefined) return false;
    const changed = deliberations.filter((deliberation) => deliberation.modifiedBy.length > 0);
    if (changed.length === 0) {
      this.#judged ||= deliberations.some((deliberation) => deliberation.judged);
      return false;
    }
    this.#round++;
    if (changed.length > 1 || this.#round === 3) {
      this.#denial = new Checked("deny", "unstable", {
        reason: "guardrails that are asked at once do not agree on one change",
        decidedBy: "core",
      });
      return false;
    }
    const [deliberation] = changed as [Deliberation];
    this.#author = asked[deliberations.indexOf(deliberation)];
    this.#authorName = deliberation.modifiedBy.at(-1);
    this.#judged = deliberation.judged;
    this.#call = deliberation.call.under(Call.scopeOf(this.#call));
    this.#result = deliberation.result;
    return true;
  }

  /** The decision of all branches; undefined if none of their guards had a say. */
  conclusion(): CheckedDecision | undefined {
    if (!this.#asked) return undefined;
    const records = this.#records;
    if (this.#denial !== undefined) {
      return new Checked("deny", this.#denial.basis, { ...this.#denial, records });
    }
    const counts = this.#judged;
    if (this.#author === undefined) return new Checked("allow", "policy", { records, counts });
    const decidedBy = this.#authorName;
    return this.#phase === "call"
      ? new Checked("modify", "policy", {
          args: this.#call.args,
          decidedBy,
          records,
          counts,
        })
      : new Checked("modify", "policy", { body: this.#result, decidedBy, records, counts });
  }

  inOrder(): Answer {
    const deliberation = new Deliberation(this.#branches.flat(), this.#phase, this.#call);
    const finish = (): CheckedDecision => {
      const { denial, trail: records } = deliberation;
      return denial === undefined
        ? new Checked("allow", "policy", { records })
        : new Checked("deny", denial.basis, { ...denial, records });
    };
    const pending = deliberation.run();
    return pending === undefined ? finish() : pending.then(finish);
  }
}
