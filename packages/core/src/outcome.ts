import { ToolstileError } from "./errors.js";
import { quoted } from "./naming.js";
import type { ToolContent, ToolOutcome, ToolResult } from "./protocol.js";
import { Result } from "./result.js";
import type { Ending, Run } from "./run.js";

/**
 * What became of a run, as everybody is told it.
 *
 * Written out as literals: spreading common fields into them was a quarter of
 * the cost of a guarded call.
 */
export function outcomeOf(run: Run): ToolOutcome {
  return run.ending === undefined ? answeredOutcome(run) : stoppedOutcome(run, run.ending);
}

function answeredOutcome(run: Run): ToolOutcome {
  const result = run.result as ToolResult;
  if (run.failed) return failedOutcome(run, result);
  return Object.freeze({
    status: "executed",
    executed: true,
    value: valueFor(run, result),
    runId: run.runId,
    callId: run.callId,
    askedArgs: run.askedArgs,
    usedArgs: run.call?.args,
    modifiedBy: run.modifiedBy,
    decisions: Object.freeze(run.records),
    result,
  });
}

function failedOutcome(run: Run, result: ToolResult): ToolOutcome {
  return Object.freeze({
    status: "failed",
    executed: true,
    error: errorFor(run, result),
    ...factsOf(run, result),
  });
}

function stoppedOutcome(run: Run, ending: Ending): ToolOutcome {
  // Those that every call ends as which somebody else runs.
  if (ending.status === "released" || ending.status === "aborted") {
    return Object.freeze({
      status: ending.status,
      executed: ending.status === "aborted" ? ending.executed : "unknown",
      runId: run.runId,
      callId: run.callId,
      askedArgs: run.askedArgs,
      usedArgs: run.call?.args,
      modifiedBy: run.modifiedBy,
      decisions: Object.freeze(run.records),
      result: stoppedResult(run),
    }) as ToolOutcome;
  }
  const facts = factsOf(run, stoppedResult(run));
  switch (ending.status) {
    case "denied":
    case "withheld": {
      const { status, basis, decidedBy, code, reason, approvalId } = ending;
      return Object.freeze(
        status === "denied"
          ? { status, executed: false, basis, decidedBy, code, reason, approvalId, ...facts }
          : { status, executed: true, basis, decidedBy, code, reason, ...facts },
      );
    }
    case "invalid":
    case "not_found":
      return Object.freeze({ ...ending, executed: false, ...facts });
    default:
      return Object.freeze({ ...ending, executed: "unknown", ...facts });
  }
}

function factsOf(run: Run, result: ToolResult) {
  return {
    runId: run.runId,
    callId: run.callId,
    askedArgs: run.askedArgs,
    usedArgs: run.call?.args,
    modifiedBy: run.modifiedBy,
    decisions: Object.freeze(run.records),
    result,
  };
}

/** What the caller gets is what the last judge saw: the tool's own object may have changed since. */
function valueFor(run: Run, result: ToolResult): unknown {
  if (!run.rewritten && run.answer === undefined) return undefined;
  return result.structured === undefined ? result.content : result.structured;
}

/** What the tool threw; or what a judge made of it, lest the one thrown tell what the judge took out. */
function errorFor(run: Run, { content }: ToolResult): unknown {
  if (!run.rewritten) return run.error;
  return new Error(typeof content === "string" ? content : JSON.stringify(content));
}

/** What the model reads when it does not read the tool's own answer. */
function stoppedResult(run: Run): ToolResult {
  return new Result(
    run.callId,
    run.requestedName,
    run.ending?.status !== "released",
    stoppedText(run),
  );
}

function stoppedText({ ending, requestedName }: Run): ToolContent {
  switch (ending?.status) {
    case "denied":
      return ending.replacement ?? `Tool call denied: ${ending.reason}`;
    case "withheld":
      // "Denied" would tell the model that it may try again what has already been done.
      return ending.replacement ?? `Tool result withheld: ${ending.reason}`;
    case "invalid":
      return `Tool call denied: ${ending.reason}`;
    case "not_found":
      return ending.reason;
    case "aborted":
      return "Tool call aborted.";
    case "unknown":
      return `Tool ${quoted(requestedName)} did not answer in time. Whether it took effect is unknown.`;
    default:
      return "";
  }
}

/**
 * The value of a call that ran, or an exception, for those who want one.
 *
 * @throws ToolstileError `ERR_DENIED` with the outcome when the tool did not
 * run or its result was withheld; the tool's own error when it failed.
 */
export function throwOnDeny(outcome: ToolOutcome): unknown {
  if (outcome.status === "executed") return outcome.value;
  if (outcome.status === "failed" && outcome.error !== undefined) throw outcome.error;
  const { content } = outcome.result;
  throw new ToolstileError(
    "ERR_DENIED",
    typeof content === "string" ? content : `The call ended as '${outcome.status}'.`,
    { outcomes: [outcome] },
  );
}

/** What to throw for a tool that failed: its own error, or its text where it threw none. */
export function throwable({ error, result }: Extract<ToolOutcome, { status: "failed" }>): unknown {
  if (error !== undefined) return error;
  const { content } = result;
  return new Error(typeof content === "string" ? content : JSON.stringify(content));
}
