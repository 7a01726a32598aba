import type { Call } from "./call.js";
import { ToolstileError } from "./errors.js";
import { Fold } from "./fold.js";
import type { Link } from "./link.js";
import { quoted } from "./naming.js";
import { tellOutcome } from "./observer.js";
import { outcomeOf } from "./outcome.js";
import type { Basis, ToolContent, ToolOutcome, ToolResult } from "./protocol.js";
import { sign } from "./receipt.js";
import { Result, readResult } from "./result.js";
import type { Answer, Run } from "./run.js";
import { attempt, type Step } from "./step.js";
import { waitUntilHeard } from "./tell.js";
import { afterwards, inTurn, isThenable } from "./thenable.js";

// Signed again at the end where a record that could not be written has changed the result.
const steps: readonly Step[] = [judge, conclude, sign, settle, record, sign, emit];

/** The way from answered, or stopped, to settled. Every run goes it exactly once. */
export function close(run: Run): Promise<void> | undefined {
  run.revoke();
  if (run.answered !== undefined && run.ending === undefined) take(run, run.answered);
  return inTurn(steps, run, follow);
}

function follow(step: Step, run: Run): Promise<void> | undefined {
  return attempt(step, run, unjudged);
}

/** What could not be judged is kept from the model. What has been told is not told otherwise. */
function unjudged(run: Run, error: unknown): void {
  run.scope.report("core", "close", error);
  if (run.outcome !== undefined) return;
  if (run.ending === undefined) {
    withhold(run, "error", "core", "internal_error", "the result could not be judged");
  }
  run.outcome = outcomeOf(run);
}

/** Read what the tool answered, before anybody judges it. */
function take(run: Run, answer: Answer): void {
  if (Object.hasOwn(answer, "released")) {
    run.ending = { status: "released" };
  } else if (Object.hasOwn(answer, "unused")) {
    run.ending = { status: "aborted", executed: run.used ? "unknown" : false };
  } else if (run.aborted) {
    run.ending = { status: "aborted", executed: "unknown" };
  } else if (Object.hasOwn(answer, "unknown")) {
    run.ending = { status: "unknown" };
  } else if (Object.hasOwn(answer, "error")) {
    fail(run, (answer as { error: unknown }).error);
  } else {
    try {
      run.answer = (answer as { value: unknown }).value;
      if (run.answer instanceof Error) throw run.answer;
      run.result = readResult(run.answer, run.callId, run.requestedName);
      run.failed = run.result.isError;
    } catch (cause) {
      if (cause === run.answer) {
        fail(run, cause);
        return;
      }
      const message = `Tool ${quoted(run.toolName)} answered what JSON cannot hold.`;
      fail(run, new ToolstileError("ERR_NOT_JSON", message, { cause }));
    }
  }
}

function fail(run: Run, error: unknown): void {
  run.failed = true;
  run.error = error;
  run.answer = undefined;
  const text = messageOf(error) || `Tool ${quoted(run.toolName)} failed.`;
  run.result = new Result(run.callId, run.requestedName, true, text);
}

function messageOf(error: unknown): string | undefined {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** 8. The judges see the identity that the result claims; then core writes its own. */
function judge(run: Run): Promise<void> | undefined {
  const claimed = run.result;
  if (claimed === undefined) return undefined;
  if (run.policy.result.length === 0) {
    identify(run, claimed);
    return undefined;
  }
  const fold = new Fold(run.policy.result, "result", run.call as Call, claimed, run.records);
  return afterwards(fold.run(), judged, run, fold);
}

function judged(run: Run, fold: Fold): void {
  if (run.aborted) {
    run.ending = { status: "aborted", executed: "unknown" };
  } else if (fold.denial !== undefined) {
    const { basis, decidedBy, code, reason, replacement } = fold.denial;
    withhold(run, basis, decidedBy ?? "core", code, reason, replacement);
  } else {
    identify(run, fold.result as ToolResult);
  }
}

function identify(run: Run, result: ToolResult): void {
  run.rewritten = result !== run.result;
  run.result = Result.identified(result, run.callId, run.requestedName);
}

function conclude(run: Run): undefined {
  if (run.aborted) run.ending ??= { status: "aborted", executed: "unknown" };
  run.outcome = outcomeOf(run);
}

/** 9. Each guard is told once how the call ended, and gives back what it took. */
function settle(run: Run): Promise<void> | undefined {
  return inTurn(run.policy.settle, run, tellGuard);
}

function tellGuard(link: Link, run: Run): Promise<void> | undefined {
  try {
    const heard: unknown = link.facts.settle?.(run.settled, run.outcome as ToolOutcome);
    return isThenable(heard) ? waitForGuard(heard, link, run) : undefined;
  } catch (error) {
    run.scope.report(link.facts.name, "settle", error);
    return undefined;
  }
}

function waitForGuard(heard: PromiseLike<unknown>, { facts }: Link, { scope }: Run): Promise<void> {
  const failed = (error: unknown): void => scope.report(facts.name, "settle", error);
  return waitUntilHeard(heard, scope.clock, scope.timeoutMs, failed);
}

function record(run: Run): Promise<void> | undefined {
  const { openCalls } = run.settings;
  if (run.entered && run.minted) openCalls.drop();
  else if (run.entered) openCalls.leave(run.openIn, run.callId);
  run.entered = false;
  run.scope.release();
  if (!run.settings.observed()) return undefined;
  run.settledAt = run.scope.clock.now();
  return tellOutcome(run, run.record(), unrecorded);
}

/** All were told the facts; what is off the record is only kept from the model. */
function unrecorded(run: Run, observer: string): void {
  if (run.outcome?.status === "released") {
    // Nobody has it yet: whoever asked is told that it is not to run.
    const reason = "the call could not be put on record";
    run.ending = {
      status: "denied",
      basis: "audit",
      decidedBy: observer,
      code: "audit",
      reason,
      replacement: undefined,
    };
    run.outcome = outcomeOf(run);
    return;
  }
  // What did not run, or perhaps did not, is not said to have run.
  if (run.outcome?.executed !== true) return;
  withhold(run, "audit", observer, "audit", "the call could not be put on record");
  run.outcome = outcomeOf(run);
}

function emit(run: Run): undefined {
  if (run.settings.observed()) run.settings.emit(run);
}

function withhold(
  run: Run,
  basis: Basis,
  decidedBy: string,
  code: string | undefined,
  reason = "policy violation",
  replacement?: ToolContent,
): void {
  run.ending = { status: "withheld", basis, decidedBy, code, reason, replacement };
}
