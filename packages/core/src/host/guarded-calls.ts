import type { RunOptions } from "../call/request.js";
import { isUnreadable } from "../call/unreadable.js";
import { ToolstileError } from "../errors/error.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import type { Awaitable, JsonObject } from "../protocol/guardrail.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import type { RunMode } from "../run/run.js";
import type { ToolRunnerOptions } from "../runner/options.js";
import { Pipeline } from "../runner/pipeline.js";
import { streamed } from "../runner/stream.js";

/** The function that people already have: it is given a tool's name and arguments and runs it. */
export type Executor<Rest extends readonly unknown[], Value> = (
  toolName: string,
  args: JsonObject,
  ...rest: Rest
) => Awaitable<Value>;

/** A call's id, and the facts about it. */
export type DescribedCall = RunOptions & { readonly callId?: string | undefined };

/** The guarded calls of tools that a host runs, for an adapter. */
export interface GuardedCalls<Rest extends readonly unknown[]> {
  /** Decides on a call, runs its tool if every guard allows, and judges the result. @throws ToolstileError `ERR_ABORTED` as `ToolRunner.run` does. */
  readonly outcome: (toolName: string, args: unknown, ...rest: Rest) => Promise<ToolOutcome>;
  /** Runs the call and yields its items, as `ToolRunner.stream` does. The generator returns the outcome. */
  readonly stream: (
    toolName: string,
    args: unknown,
    ...rest: Rest
  ) => AsyncGenerator<unknown, ToolOutcome>;
  /** Runs a call whose denial an approver has lifted in the meantime, as `ToolRunner.resume` does. Only the signal is taken from `describe`. @throws ToolstileError `ERR_INVALID_OPTION` if `describe` throws or returns a promise; the approval stays. */
  readonly resume: (approvalId: string, ...rest: Rest) => Promise<ToolOutcome>;
  readonly close: () => Promise<void>;
}

/**
 * Puts guards in front of a function that runs tools, and returns the outcome of each call: for adapters.
 *
 * @param facts - gives the call's id and the facts about it. The answer of a host's `describe` goes through `describeCall` first.
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardCalls<Rest extends readonly unknown[]>(
  execute: Executor<Rest, unknown>,
  options: Omit<ToolRunnerOptions, "tools"> & { readonly tools: readonly ToolDeclaration[] },
  facts: (...rest: Rest) => DescribedCall,
): GuardedCalls<Rest> {
  const pipeline = new Pipeline(options);
  const mode = (rest: Rest): RunMode => ({
    rejects: true,
    turnId: undefined,
    resumed: undefined,
    seen: undefined,
    // Called by the tool's own name: under an alias, another tool of the executor could answer.
    execute: (given, context) => execute(context.toolName, given, ...rest),
  });
  return {
    // Not asynchronous itself: in a framework that follows its calls by an AsyncLocalStorage, a promise costs as much as a guard.
    outcome: (name, args, ...rest) => {
      try {
        const { callId, ...runOptions } = facts(...rest);
        return pipeline.run({ name, arguments: args, callId }, runOptions, mode(rest));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    stream: (name, args, ...rest) =>
      streamed(pipeline, () => {
        const { callId, ...runOptions } = facts(...rest);
        return pipeline.start({ name, arguments: args, callId }, runOptions, mode(rest));
      }),
    resume: async (approvalId, ...rest) => {
      const described = facts(...rest);
      if (isUnreadable(described)) {
        throw new ToolstileError(
          "ERR_INVALID_OPTION",
          "guardExecutor(): `describe` must return a plain object at once, and not a promise.",
        );
      }
      return pipeline.resume(approvalId, described.signal, mode(rest));
    },
    close: () => pipeline.close(),
  };
}
