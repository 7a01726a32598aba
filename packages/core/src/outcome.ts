import { ToolstileError } from "./errors.js";
import { quoted } from "./naming.js";
import type { ToolContent, ToolOutcome, ToolResult } from "./protocol.js";
import { Result } from "./result.js";
import type { Run } from "./run.js";

/** What became of a run, as everybody is told it. */
export function outcomeOf(run: Run): ToolOutcome {
  const { ending } = run;
  const runId = run.runId;
  const { callId, askedArgs, modifiedBy } = run;
  const usedArgs = run.call?.args;
  const decisions = run.records;
  if (ending === undefined) {
    const result = run.result as ToolResult;
    const facts = { runId, callId, askedArgs, usedArgs, modifiedBy, decisions, result };
    return Object.freeze(
      run.failed
        ? { ...facts, status: "failed", executed: true, error: run.error }
        : { ...facts, status: "executed", executed: true, value: valueFor(run, result) },
    );
  }
  const result = stoppedResult(run);
  const facts = { runId, callId, askedArgs, usedArgs, modifiedBy, decisions, result };
  switch (ending.status) {
    case "denied":
    case "withheld": {
      const { status, basis, decidedBy, code, reason } = ending;
      const why = { basis, decidedBy, code, reason };
      return Object.freeze(
        status === "denied"
          ? { ...facts, status, executed: false, ...why }
          : { ...facts, status, executed: true, ...why },
      );
    }
    case "invalid":
    case "not_found":
      return Object.freeze({ ...facts, ...ending, executed: false });
    case "aborted":
      return Object.freeze({ ...facts, ...ending });
    default:
      return Object.freeze({ ...facts, ...ending, executed: "unknown" });
  }
}

/** What the caller gets is what the last judge saw: the tool's own object may have changed since. */
function valueFor(run: Run, result: ToolResult): unknown {
  if (!run.rewritten && (typeof run.answer !== "object" || run.answer === null)) return run.answer;
  return result.structured ?? result.content;
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
