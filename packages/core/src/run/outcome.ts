import { Result } from "../call/result.js";
import { textOf } from "../call/text.js";
import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { optionError } from "../errors/option-error.js";
import type { ToolContent, ToolResult } from "../protocol/guardrail.js";
import type { OutcomeFacts, ToolOutcome } from "../protocol/outcome.js";
import type { CallerSignal } from "../time/abort.js";
import { type AnsweredRun, isAnswered, type Run, type Stop } from "./run.js";
import { abort } from "./stop.js";

/** Makes the outcome of a run, for the caller, guards, observers and listeners alike. */
export function conclude(run: Run): undefined {
  if (run.aborted) abort(run, "unknown");
  if (run.stop !== undefined) run.outcome = stopped(run, run.stop);
  else if (isAnswered(run)) run.outcome = answered(run);
  else throw new TypeError("the tool has not answered");
}

/** Makes the outcome of an answered run. It is a literal: spreading common facts into it was a quarter of the cost of a guarded call. */
function answered(run: AnsweredRun): ToolOutcome {
  const { result } = run;
  if (result.isError) {
    const error = errorOf(run, result);
    return Object.freeze({ status: "failed", executed: true, error, ...factsOf(run, result) });
  }
  return Object.freeze({
    status: "executed",
    executed: true,
    value: returnedValue(run, result),
    runId: run.call.runId,
    callId: run.call.callId,
    askedArgs: run.askedArgs,
    usedArgs: run.call.args,
    modifiedBy: run.modifiedBy,
    decisions: run.records.list,
    result,
  });
}

function stopped(run: Run, how: Stop): ToolOutcome {
  const { callId, requestedName } = run.intake.head;
  const content = stoppedContent(how, requestedName);
  const facts = factsOf(run, new Result(callId, requestedName, how.status !== "released", content));
  switch (how.status) {
    case "denied": {
      const { status, basis, decidedBy, code, reason, approvalId } = how;
      // A literal: to freeze a copy made by spread costs ten times as much, and attacks are denied.
      return Object.freeze({
        status,
        executed: false,
        basis,
        decidedBy,
        code,
        reason,
        approvalId,
        runId: facts.runId,
        callId: facts.callId,
        askedArgs: facts.askedArgs,
        usedArgs: facts.usedArgs,
        modifiedBy: facts.modifiedBy,
        decisions: facts.decisions,
        result: facts.result,
      });
    }
    case "withheld": {
      const { status, basis, decidedBy, code, reason } = how;
      return Object.freeze({ status, executed: true, basis, decidedBy, code, reason, ...facts });
    }
    case "invalid":
    case "not_found":
      return Object.freeze({ ...how, status: how.status, executed: false, ...facts });
    case "aborted":
      return Object.freeze({ status: how.status, executed: how.executed, ...facts });
    default:
      return Object.freeze({ status: how.status, executed: "unknown", ...facts });
  }
}

function factsOf(run: Run, result: ToolResult): OutcomeFacts {
  const { head } = run.intake;
  return {
    runId: head.runId,
    callId: head.callId,
    askedArgs: run.askedArgs,
    usedArgs: run.call?.args,
    modifiedBy: run.modifiedBy,
    decisions: run.records.list,
    result,
  };
}

/** Returns the value as the last judge saw it. The tool's own object may have changed since. */
function returnedValue(run: AnsweredRun, result: ToolResult): unknown {
  const returned = run.answered !== undefined && "value" in run.answered && run.answered.value;
  if (!run.rewritten && returned === undefined) return undefined;
  return result.structured === undefined ? result.content : result.structured;
}

/** Returns the tool's error, or the judged text if a guard changed it. The original could contain what the guard removed. */
function errorOf({ rewritten, answered }: AnsweredRun, { content }: ToolResult): unknown {
  if (rewritten) return new Error(textOf({ content }));
  // Only an own property counts: a tool that reports an error need not have thrown one.
  return answered !== undefined && "error" in answered && Object.hasOwn(answered, "error")
    ? answered.error
    : undefined;
}

/** Writes the content that the model reads in place of the tool's own answer. */
function stoppedContent(how: Stop, requestedName: string): ToolContent {
  switch (how.status) {
    case "denied":
      return how.replacement ?? `Tool call denied: ${how.reason}`;
    case "withheld":
      // "Denied" would tell the model that it may try again what has already been done.
      return how.replacement ?? `Tool result withheld: ${how.reason}`;
    case "invalid":
      return `Tool call denied: ${how.reason}`;
    case "not_found":
      return how.reason;
    case "aborted":
      return "Tool call aborted.";
    case "unknown":
      return `Tool ${quoted(requestedName)} did not answer in time. Whether it took effect is unknown.`;
    case "released":
      return "";
  }
}

/**
 * Returns the value of a call that ran, and throws for any other.
 *
 * @throws the tool's own error if it failed, or an Error with its text if it reported one;
 * ToolstileError `ERR_DENIED` with the outcome if the tool did not run or its result was withheld;
 * `ERR_INVALID_OPTION` for what is no outcome, such as the promise of one.
 */
export function throwOnDeny(outcome: ToolOutcome): unknown {
  if (typeof (outcome as ToolOutcome | undefined)?.status !== "string") {
    throw optionError("throwOnDeny()", "outcome", "the awaited outcome of a call", outcome);
  }
  if (outcome.status === "executed") return outcome.value;
  if (outcome.status === "failed") throw throwable(outcome);
  const { content } = outcome.result;
  throw new ToolstileError(
    "ERR_DENIED",
    typeof content === "string" ? content : `The call ended as '${outcome.status}'.`,
    { outcomes: [outcome] },
  );
}

/** Returns the error to throw for a tool that failed: its own, or one with its text if it threw none. */
export function throwable({ error, result }: Extract<ToolOutcome, { status: "failed" }>): unknown {
  return error !== undefined ? error : new Error(textOf({ content: result.content }));
}

/** Makes the error for a call that its caller aborted. */
export function abortion(outcome: ToolOutcome, caller: CallerSignal | undefined): ToolstileError {
  return new ToolstileError("ERR_ABORTED", "The caller aborted the tool call.", {
    cause: caller?.reason,
    outcomes: [outcome],
  });
}
