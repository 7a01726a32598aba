import type { OutcomeStatus, ToolCall, ToolOutcome } from "@toolstile/core";
import { isObject, optionError } from "@toolstile/core/provider";
import { result } from "./result.js";

/** The end of a call, as `settle` is told; by default the tool ran and answered "done". */
export function outcome(call: ToolCall, status: OutcomeStatus = "executed"): ToolOutcome {
  if (!isObject(call)) throw optionError("outcome()", "call", "a call", call);
  const facts = {
    runId: call.runId,
    callId: call.callId,
    askedArgs: call.args,
    usedArgs: call.args,
    modifiedBy: [],
    decisions: [],
    result: result(call, status === "executed" ? "done" : "not done", {
      isError: status !== "executed",
    }),
  } as const;
  const stopped = { basis: "policy", decidedBy: "another", reason: "policy violation" } as const;
  switch (status) {
    case "executed":
      return { ...facts, status, executed: true, value: "done" };
    case "failed":
      return { ...facts, status, executed: true, error: new Error("the tool failed") };
    case "withheld":
      return { ...facts, ...stopped, status, executed: true };
    case "denied":
      return { ...facts, ...stopped, status, executed: false };
    case "invalid":
    case "not_found":
      return { ...facts, status, executed: false, code: status, reason: "the call was not run" };
    case "aborted":
      return { ...facts, status, executed: false };
    case "unknown":
    case "released":
      return { ...facts, status, executed: "unknown" };
  }
}
