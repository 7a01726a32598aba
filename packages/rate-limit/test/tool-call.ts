import type { CallContext, ToolCall, ToolOutcome } from "@toolstile/core";
import { call, outcome } from "@toolstile/testing";

const template = call();

/** A call in a run of its own, cheap enough to make a million of. */
export function toolCall(
  toolName: string,
  options: { run?: object; agentName?: string; context?: CallContext; args?: object } = {},
): ToolCall {
  return {
    run: options.run ?? {},
    runId: template.runId,
    callId: template.callId,
    toolName,
    requestedName: toolName,
    agentName: options.agentName,
    context: options.context ?? template.context,
    args: (options.args ?? template.args) as ToolCall["args"],
    signal: template.signal,
  };
}

export const executed: ToolOutcome = outcome(template, "executed");
export const notExecuted: ToolOutcome = outcome(template, "denied");
export const unknown: ToolOutcome = outcome(template, "unknown");

/** A clock that is set by hand, also backwards. */
export function handClock(start = 0): { now: () => number; time: number } {
  const clock = { time: start, now: () => clock.time };
  return clock;
}
