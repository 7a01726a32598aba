import type { Scope } from "../call/caller.js";
import { Call } from "../call/head.js";
import { inOwnWords } from "../errors/fault-warning.js";
import type { ToolCall } from "../protocol/guardrail.js";
import { canTrustAwait, ignoreRejection, isThenable, waitFor } from "../time/wait.js";
import { misanswer } from "./misanswer.js";
import {
  allowed,
  Checked,
  type CheckedDecision,
  type Denial,
  type Phase,
  readDecision,
} from "./read-decision.js";
import { ALLOW } from "./verdicts.js";

/** The question that a provider is asked, bound to it when the chain was built. */
export type Question = (call: ToolCall, result: unknown) => unknown;

/**
 * Asks one provider, and turns every way in which it can misbehave into a DENY.
 *
 * No timer and no promise is made until the provider returns a promise. A
 * synchronous loop without end cannot be cut from inside the process.
 */
export function ask(
  question: Question,
  phase: Phase,
  name: string,
  timeoutMs: number | undefined,
  call: Call,
  result?: unknown,
): CheckedDecision | Promise<CheckedDecision> {
  try {
    const answer = question(call.shown, result);
    if (answer === ALLOW) return allowed;
    const scope = Call.scopeOf(call);
    if (!isThenable(answer)) return judged(answer, phase, name, scope);
    if (canTrustAwait()) {
      return settled(answer, phase, name, timeoutMs ?? scope.terms.timeoutMs, scope);
    }
    ignoreRejection(answer);
    return doubt(name);
  } catch (error) {
    return failed(error, phase, name, Call.scopeOf(call));
  }
}

/** Waits for the answer. It is a DENY if the time is over or the caller aborts before. */
function settled(
  answer: PromiseLike<unknown>,
  phase: Phase,
  name: string,
  timeoutMs: number,
  scope: Scope,
): Promise<CheckedDecision> {
  return new Promise((resolve) => {
    waitFor(answer, scope.bounds(timeoutMs), (end, what) => {
      if (end === "value") return resolve(judged(what, phase, name, scope));
      if (end === "error") return resolve(failed(what, phase, name, scope));
      // The run reports an abort as such; here it is only one more reason not to allow.
      if (end === "aborted") return resolve(Checked.fault("error", name));
      const error = inOwnWords(new Error(`No answer within ${timeoutMs} ms.`));
      scope.report(name, phase, error);
      scope.end(error);
      resolve(Checked.fault("timeout", name));
    });
  });
}

function judged(answer: unknown, phase: Phase, name: string, scope: Scope): CheckedDecision {
  if (!canTrustAwait()) return doubt(name);
  const checked = readDecision(answer, phase, name, scope.terms.limits);
  if (checked.basis === "malformed") {
    const problem = misanswer(answer, phase, scope.terms.limits);
    scope.report(name, phase, inOwnWords(new TypeError(problem)));
  }
  return checked;
}

const doubted = new WeakSet<CheckedDecision>();

function doubt(name: string): Denial {
  const checked = Checked.fault("malformed", name);
  doubted.add(checked);
  return checked;
}

/** True for a DENY in place of an answer that a planted `then` may have given. It is not a failure of the guardrail. */
export function isDoubted(checked: CheckedDecision): boolean {
  return doubted.has(checked);
}

function failed(error: unknown, phase: Phase, name: string, scope: Scope): Denial {
  scope.report(name, phase, error);
  return Checked.fault("error", name);
}
