import { allow, ToolRunner } from "@toolstile/core";
import { parseArguments } from "@toolstile/core/provider";

const none = Object.freeze([]);
const noFacts = Object.freeze({});
const read = (request, key) => (Object.hasOwn(request, key) ? request[key] : undefined);
let minted = 0;

/**
 * The cheapest call that keeps the promises of one that is allowed, in one function: the arguments are read
 * once into frozen JSON, guards are asked in order, the tool gets what they judged, and whatever guards,
 * observers and the caller are handed is frozen. It can do nothing else: what a runner costs beyond it
 * is what it can do besides.
 */
export function callByHand({ tool, guards, observers = [] }) {
  // Guards are told of the tool as a runner tells them.
  const [definition] = new ToolRunner({ tools: [tool], guardrails: guards }).tools;
  const having = (member) => guards.filter((guard) => guard[member] !== undefined);
  const [deciding, admitting] = [having("evaluate"), having("admit")];
  const [judging, settling] = [having("evaluateResult"), having("settle")];
  const decisions = Object.freeze(
    guards.map(({ name: provider }) => Object.freeze({ provider, phase: "call" })),
  );
  const isObserved = observers.length > 0;
  const open = new Set();
  const must = (answer) => {
    if (answer !== allow()) throw new TypeError("A guard did not plainly allow.");
  };
  const end = (call, askedAt, dispatchedAt, value) => {
    const { callId, requestedName, args, context } = call;
    const result = Object.freeze({ callId, name: requestedName, isError: false, content: value });
    for (const guard of judging) must(guard.evaluateResult(call, result));
    const outcome = Object.freeze({
      status: "executed",
      executed: true,
      value,
      runId: `run-${++minted}`,
      callId,
      askedArgs: args,
      usedArgs: args,
      modifiedBy: none,
      decisions,
      result,
    });
    for (const guard of settling) guard.settle(call, outcome);
    open.delete(callId);
    if (isObserved) {
      const times = Object.freeze({ askedAt, dispatchedAt, settledAt: Date.now() });
      const record = Object.freeze({
        callId,
        requestedName,
        askedArgs: args,
        args,
        context,
        decisions,
        outcome,
        times,
      });
      for (const observer of observers) observer.settle(record);
    }
    return outcome;
  };
  return (request, execute = tool.execute) => {
    const askedAt = isObserved ? Date.now() : 0;
    const callId = read(request, "callId");
    const requestedName = read(request, "name");
    const { args } = parseArguments(read(request, "arguments"));
    if (requestedName !== tool.name || open.has(callId)) throw new TypeError("No such call.");
    const call = Object.freeze({
      run: {},
      callId,
      toolName: tool.name,
      requestedName,
      context: noFacts,
      tool: definition,
      args,
    });
    for (const guard of deciding) must(guard.evaluate(call));
    for (const guard of admitting) must(guard.admit(call));
    open.add(callId);
    const dispatchedAt = isObserved ? Date.now() : 0;
    const value = execute(args, { callId, toolName: tool.name, context: noFacts });
    return value instanceof Promise
      ? value.then((answer) => end(call, askedAt, dispatchedAt, answer))
      : Promise.resolve(end(call, askedAt, dispatchedAt, value));
  };
}
