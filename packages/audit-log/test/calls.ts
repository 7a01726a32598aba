import type { CallRecord, DecisionRecord, JsonObject, ToolOutcome } from "@toolstile/core";

const allowed: DecisionRecord = Object.freeze({
  provider: "allowlist",
  phase: "call",
  decision: "allow",
  basis: "policy",
});

export interface CallFacts extends Partial<Omit<CallRecord, "outcome">> {
  readonly content?: ToolOutcome["result"]["content"];
  readonly usedArgs?: JsonObject;
}

/** A call as core tells of it when it is over: executed, unless `ending` says otherwise. */
export function settledCall(facts: CallFacts = {}, ending: object = {}): CallRecord {
  const { content = "sent", usedArgs, ...given } = facts;
  const intent = intendedCall(given);
  const outcome = {
    runId: intent.runId,
    callId: intent.callId,
    askedArgs: intent.askedArgs,
    usedArgs: usedArgs ?? intent.args,
    modifiedBy: [],
    decisions: intent.decisions,
    result: { callId: intent.callId, name: intent.requestedName, isError: false, content },
    status: "executed",
    executed: true,
    value: content,
    ...ending,
  } as ToolOutcome;
  return Object.freeze({ ...intent, args: usedArgs ?? intent.args, outcome });
}

/** The same before the tool runs. */
export function intendedCall(facts: Partial<CallRecord> = {}): CallRecord {
  const askedArgs = facts.askedArgs ?? { to: "a@example.com" };
  return Object.freeze({
    runId: "run-1",
    callId: "call-1",
    requestedName: "send_mail",
    toolName: "send_mail",
    askedArgs,
    args: askedArgs,
    context: {},
    decisions: [allowed],
    times: { askedAt: 1_000, dispatchedAt: 1_001, settledAt: 1_002 },
    ...facts,
  });
}
