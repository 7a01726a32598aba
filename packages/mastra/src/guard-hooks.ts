import { type RunOptions, ToolRunner, type ToolRunnerOptions } from "@toolstile/core";
import { denial, guardingTable, type OpenedCall } from "@toolstile/core/host";
import { func, type OptionTable, readOptions, such } from "@toolstile/core/provider";
import { answerOf } from "./answer.js";
import { hookedFactsOf } from "./call-facts.js";
import { replaceMembers } from "./in-place.js";
import type { HookArgument, HookedCall } from "./mastra.js";
import { WithheldCalls } from "./withheld-calls.js";

export interface GuardHooksOptions extends Omit<ToolRunnerOptions, "aliases"> {
  /** The host's facts about a call. A hook is told neither the thread nor the resource. Where it throws or answers later, the call is denied. */
  readonly describe?: ((call: HookedCall) => RunOptions) | undefined;
}

/** For the `hooks` of an agent. */
export interface GuardedHooks {
  readonly beforeToolCall: (call: HookArgument) => Promise<void>;
  readonly afterToolCall: (result: HookArgument) => Promise<void>;
}

/**
 * Guards as the hooks of an agent, for tools that cannot be wrapped: those of a
 * memory, a workspace, an MCP client, agents and workflows as tools.
 *
 * Hooks that are given to one run take the place of the agent's, these
 * included. What is denied is thrown, which is the tool's error to the agent.
 * Arguments and results are changed in place; where that cannot be, the call is
 * denied or its result withheld. `tools` tells the guards of tools by their
 * schema; any other is known to them by its name alone.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardHooks(options: GuardHooksOptions): GuardedHooks {
  const { describe, ...guarding } = readOptions("guardHooks()", options, {
    ...guardingTable,
    tools: such<NonNullable<GuardHooksOptions["tools"]>>(Array.isArray, "an array of tools"),
    describe: func<(call: HookedCall) => RunOptions>(),
  } satisfies OptionTable<GuardHooksOptions>);
  const runner = new ToolRunner(guarding);
  /** By what both hooks are told of one call, and of that call alone. */
  const opened = new WeakMap<object, OpenedCall>();
  const withheld = new WithheldCalls();

  const beforeToolCall = async (hooked: HookArgument): Promise<void> => {
    const { toolName, input, context } = hooked;
    const earlier = withheld.of((hooked as HookedCall).context);
    if (earlier !== undefined) answerOf(earlier);
    const { callId, ...facts } = hookedFactsOf(hooked as HookedCall, describe);
    const call = await runner.open(
      { name: toolName, arguments: input, callId },
      { ...facts, tools: [{ name: toolName }] },
    );
    if (call.outcome !== undefined) {
      if (call.outcome.status === "aborted") throw facts.signal?.reason;
      answerOf(call.outcome);
      return;
    }
    const key = keyOf(context, input);
    if (key === undefined || opened.has(key) || !replaceMembers(input, call.call.args)) {
      const outcome = await call.close({ unused: true });
      throw denial("Tool call denied: its arguments cannot be held to what was decided", [outcome]);
    }
    // What was decided is what runs, whoever else holds the arguments.
    Object.freeze(input);
    opened.set(key, call);
  };

  const afterToolCall = async (hooked: HookArgument): Promise<void> => {
    const { context, input, output } = hooked;
    const key = keyOf(context, input);
    const call = key === undefined ? undefined : opened.get(key);
    if (key === undefined || call === undefined) {
      throw denial("Tool result withheld: it answers no call that was decided");
    }
    opened.delete(key);
    const failed = Object.hasOwn(hooked, "error");
    const outcome = await call.close(failed ? { error: hooked.error } : { value: output });
    if (outcome.status === "aborted") throw (hooked as HookedCall).context?.abortSignal?.reason;
    withheld.note((hooked as HookedCall).context, outcome);
    const value = answerOf(outcome);
    const isJudged = outcome.decisions.some(({ phase }) => phase === "result");
    if (!isJudged || Object.is(value, output) || replaceMembers(output, value)) return;
    throw denial("Tool result withheld: it was changed, and a hook cannot pass that on", [outcome]);
  };

  return { beforeToolCall, afterToolCall };
}

function keyOf(...candidates: readonly unknown[]): object | undefined {
  return candidates.find((each): each is object => Object(each) === each);
}
