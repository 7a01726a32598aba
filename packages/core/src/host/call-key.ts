import type { CallRequest, RunOptions } from "../call/request.js";
import { canonicalJson } from "../json/canonical.js";
import { parseArguments } from "../json/parse.js";

/** The facts that distinguish a call from others, beside the model's request. */
type CallFacts = Pick<RunOptions, "turnId" | "agentName" | "context">;

/**
 * Returns one text for one call: equal each time that a framework comes to it, and different from any other call's.
 *
 * It holds the tool's name, the call's id and arguments, the turn, the agent and
 * the host's facts. `traceparent` is left out: the request that comes back after
 * a human's answer has another trace.
 *
 * @returns undefined for a call that cannot be distinguished from others: without an id, or with a member that is not JSON.
 */
export function callKey(request: CallRequest, known: CallFacts): string | undefined {
  try {
    const { name, callId, arguments: given } = request;
    const { turnId, agentName, context } = known;
    const read = parseArguments(given);
    if (!read.ok) return undefined;
    const { traceparent: _, attributes, ...facts } = { ...context };
    const lasting = withoutUndefined({ ...facts, attributes: attributes && { ...attributes } });
    return canonicalJson([name, callId, read.args, turnId ?? null, agentName ?? null, lasting]);
  } catch {
    // It lacks an id, or a member of it is not JSON: core denies such a call, and says why.
    return undefined;
  }
}

function withoutUndefined(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
