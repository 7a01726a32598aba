import type { Call, Scope } from "./call.js";
import { deadline } from "./clock.js";
import { allowed, Judgement, judge, type Phase } from "./judgement.js";
import { canTrustAwait, isThenable } from "./thenable.js";
import { allow } from "./verdict.js";

/** The question that a provider is asked, bound to it when the chain was built. */
export type Question = (call: Call, result: unknown) => unknown;

/**
 * Ask one provider, turning every way in which it can misbehave into a DENY.
 *
 * No timer and no promise is made until the provider returns a promise. A
 * synchronous loop without end cannot be cut from inside the process.
 */
export function ask(
  question: Question,
  phase: Phase,
  name: string,
  timeoutMs: number | undefined,
  scope: Scope,
  call: Call,
  result?: unknown,
): Judgement | Promise<Judgement> {
  try {
    const answer = question(call, result);
    if (answer === allow()) return allowed;
    return isThenable(answer)
      ? settled(answer, phase, name, timeoutMs ?? scope.timeoutMs, scope)
      : judged(answer, phase, name, scope);
  } catch (error) {
    return failed(error, phase, name, scope);
  }
}

/** The answer when it comes, or a DENY when the time is over or the caller gives up first. */
function settled(
  answer: PromiseLike<unknown>,
  phase: Phase,
  name: string,
  timeoutMs: number,
  scope: Scope,
): Promise<Judgement> {
  return new Promise((resolve) => {
    const { caller } = scope;
    const finish = (judgement: Judgement): void => {
      cancel();
      caller?.removeEventListener("abort", giveUp);
      resolve(judgement);
    };
    // The run reports an abort as such; here it is only one more reason not to allow.
    const giveUp = (): void => finish(Judgement.fault("error", name));
    const cancel = deadline(scope.clock, timeoutMs, () => {
      const error = new Error(`No answer within ${timeoutMs} ms.`);
      scope.report(name, phase, error);
      scope.end(error);
      finish(Judgement.fault("timeout", name));
    });
    if (caller?.aborted === true) giveUp();
    else caller?.addEventListener("abort", giveUp, { once: true });
    try {
      Promise.resolve(answer).then(
        (value) => finish(judged(value, phase, name, scope)),
        (error: unknown) => finish(failed(error, phase, name, scope)),
      );
    } catch (error) {
      // A native promise can carry a `then` or a `constructor` of its own.
      finish(failed(error, phase, name, scope));
    }
  });
}

function judged(answer: unknown, phase: Phase, name: string, scope: Scope): Judgement {
  if (!canTrustAwait()) return Judgement.fault("malformed", name);
  const judgement = judge(answer, phase, name, scope.limits);
  if (judgement.basis === "malformed") {
    scope.report(name, phase, new TypeError(noDecision(answer, phase)));
  }
  return judgement;
}

const answersOf: Readonly<Record<Phase, string>> = {
  call: "allow(), deny(reason) or modify(args)",
  admit: "allow() or deny(reason)",
  result: "allow(), deny(reason) or rewrite(body)",
};

/** For operators: what was wrong with an answer, without what stood in it. */
function noDecision(answer: unknown, phase: Phase): string {
  const what = saysDecision(answer)
    ? "a decision with a wrong or unknown field, or one that JSON cannot hold"
    : kindOf(answer);
  return `The guardrail answered ${what}. It answers ${answersOf[phase]}.`;
}

function saysDecision(answer: unknown): boolean {
  try {
    return typeof answer === "object" && answer !== null && Object.hasOwn(answer, "decision");
  } catch {
    // A proxy's trap threw.
    return false;
  }
}

/** What kind of thing a value is, in words that say nothing of it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  try {
    return isThenable(value) ? "a promise" : "an object";
  } catch {
    // A getter of its own threw.
    return "an object";
  }
}

function failed(error: unknown, phase: Phase, name: string, scope: Scope): Judgement {
  scope.report(name, phase, error);
  return Judgement.fault("error", name);
}
