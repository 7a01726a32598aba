import type { CallContext, JsonObject, ToolCall, ToolDefinition } from "@toolstile/core";
import { frozenCopy } from "./frozen-copy.js";

/** The facts that a test may give of a call beside its arguments and its tool. */
export interface CallOptions {
  readonly callId?: string | undefined;
  readonly requestedName?: string | undefined;
  readonly agentName?: string | undefined;
  readonly context?: CallContext | undefined;
  readonly tool?: ToolDefinition | undefined;
  readonly run?: object | undefined;
  readonly runId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

let calls = 0;

/**
 * A whole tool call, frozen to the leaves, as a provider is given one.
 *
 * Each has a run of its own. The arguments are copied, so that yours stay as
 * they are. The signal is made when first read and never aborts, unless you
 * pass one.
 */
export function call(args: object = {}, toolName = "search", options: CallOptions = {}): ToolCall {
  const number = ++calls;
  let signal = options.signal;
  return Object.freeze({
    run: options.run ?? Object.freeze({}),
    runId: options.runId ?? `run-${number}`,
    turnId: options.turnId,
    callId: options.callId ?? `call-${number}`,
    toolName,
    requestedName: options.requestedName ?? toolName,
    agentName: options.agentName,
    context: frozenCopy(options.context ?? {}),
    tool: options.tool === undefined ? undefined : frozenCopy(options.tool),
    args: frozenCopy(args) as JsonObject,
    get signal() {
      signal ??= new AbortController().signal;
      return signal;
    },
  });
}

/** The same call in the same run, with something changed. */
export function changed(original: ToolCall, changes: CallOptions & { args?: object }): ToolCall {
  const { args = original.args, ...options } = changes;
  const { run, runId, turnId, callId, requestedName, agentName, context, tool } = original;
  const same = { run, runId, turnId, callId, requestedName, agentName, context, tool };
  return call(args, original.toolName, { ...same, ...options });
}
