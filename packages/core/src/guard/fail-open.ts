import { Call } from "../call/head.js";
import type { GuardrailProvider, ToolResult } from "../protocol/guardrail.js";
import type { DecisionRecord } from "../protocol/outcome.js";
import { canTrustAwait } from "../time/wait.js";
import { isDoubted } from "./ask.js";
import { composed, names } from "./compose.js";
import { type Guardrail, guardsIn } from "./define.js";
import { type Answer, Guard, type GuardFacts } from "./guard.js";
import { Checked, type CheckedDecision, type Phase } from "./read-decision.js";

/**
 * Lets the failures of a guardrail allow. Its denials stand.
 *
 * A throw, a timeout or a malformed answer is recorded with `mode:
 * "fail-open"`. In a chain, or in parallel, each guardrail fails open for
 * itself, so that the denials of the others stand.
 */
export function failOpen(guardrail: Guardrail): GuardrailProvider {
  const open = (inner: Guard): Guard => new FailOpenGuard(inner.facts, inner);
  const guards = guardsIn(guardrail, "failOpen()").map((guard) => guard.each(open));
  return composed(`failOpen(${names(guards)})`, guards);
}

class FailOpenGuard extends Guard {
  readonly #inner: Guard;

  constructor(facts: GuardFacts, inner: Guard) {
    super({ ...facts, checksArguments: undefined }, inner.names);
    this.#inner = inner;
  }

  answers(phase: Phase): boolean {
    return this.#inner.answers(phase);
  }

  answer(phase: Phase, call: Call, result?: ToolResult): Answer {
    const scope = Call.scopeOf(call).child();
    const finish = (checked: CheckedDecision | undefined): CheckedDecision | undefined => {
      scope.release();
      const failed = checked?.decision === "deny" && checked.basis !== "policy";
      // A caller who gave up, or a `then` that is planted, is not a failure of the guardrail.
      return failed && !scope.aborted && canTrustAwait() && !isDoubted(checked)
        ? new Checked("allow", checked.basis, { records: [this.#opened(phase, checked)] })
        : checked;
    };
    const answer = this.#inner.answer(phase, call.under(scope), result);
    return answer instanceof Promise ? answer.then(finish) : finish(answer);
  }

  #opened(phase: Phase, { basis, reason }: CheckedDecision): DecisionRecord {
    const provider = this.facts.name;
    return Object.freeze({ provider, phase, decision: "allow", basis, mode: "fail-open", reason });
  }

  with(changes: Partial<GuardFacts>): Guard {
    return new FailOpenGuard({ ...this.facts, ...changes }, this.#inner);
  }

  within(timeoutMs: number): Guard {
    return new FailOpenGuard(this.facts, this.#inner.within(timeoutMs));
  }
}
