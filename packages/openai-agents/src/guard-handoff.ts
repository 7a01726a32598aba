import type { AgentOutputType, Handoff, RunContext } from "@openai/agents";
import { type ToolRunnerOptions, throwOnDeny } from "@toolstile/core";
import { guardExecutor } from "@toolstile/core/executor";
import { describeCall, guardingTable } from "@toolstile/core/host";
import { func, type OptionTable, readOptions } from "@toolstile/core/provider";
import { type HostFacts, runName } from "./call-facts.js";

/** Guards for one hand-off, with all that a ToolRunner takes. */
export interface GuardHandoffOptions<Context = unknown>
  extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** The host's facts about a call. A throw denies it. */
  readonly describe?: ((runContext: RunContext<Context>) => HostFacts) | undefined;
}

/**
 * Put guards in front of a hand-off.
 *
 * The framework has no way to refuse a hand-off and go on: a denial ends the
 * run, by a ToolstileError `ERR_DENIED` that carries the outcome. The result
 * that judges see is the name of the agent that takes over.
 *
 * @throws ToolstileError as ToolRunner does.
 */
export function guardHandoff<Context, Output extends AgentOutputType>(
  handoff: Handoff<Context, Output>,
  options: GuardHandoffOptions<Context>,
): Handoff<Context, Output> {
  const { describe, ...rest } = readOptions("guardHandoff()", options, {
    ...guardingTable,
    describe: func<NonNullable<GuardHandoffOptions<Context>["describe"]>>(),
  } satisfies OptionTable<GuardHandoffOptions<Context>>);
  type Taken = Handoff<Context, Output>["agent"];
  type Call = { readonly runContext: RunContext<Context>; taken?: Taken };
  const { toolName: name, toolDescription: description, inputJsonSchema: parameters } = handoff;
  const guarded = guardExecutor(
    async (_: string, args: object, call: Call) => {
      call.taken = await handoff.onInvokeHandoff(call.runContext, JSON.stringify(args));
      return call.taken.name;
    },
    {
      ...rest,
      tools: [{ name, description, parameters }],
      describe: ({ runContext }) => ({
        turnId: runName(runContext),
        ...describeCall(describe && (() => describe(runContext))),
      }),
      denied: (outcome) => String(throwOnDeny(outcome)),
    },
  );
  return handoff.clone({
    onInvokeHandoff: async (runContext, args) => {
      const call: Call = { runContext };
      await guarded(name, args, call);
      return call.taken as Taken;
    },
  });
}
