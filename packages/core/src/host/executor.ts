import type { RunOptions } from "../call/request.js";
import { isUnreadable } from "../call/unreadable.js";
import { ToolstileError } from "../errors/error.js";
import { wrongValue } from "../errors/option-error.js";
import { required, such } from "../errors/option-reader.js";
import { func } from "../errors/option-readers.js";
import { type OptionTable, readOptions } from "../errors/options.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import type { Awaitable, JsonObject } from "../protocol/guardrail.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import { throwable } from "../run/outcome.js";
import type { RunMode } from "../run/run.js";
import { runnerTable, type ToolRunnerOptions } from "../runner/options.js";
import { Pipeline } from "../runner/pipeline.js";
import { streamed } from "../runner/stream.js";
import { describeCall } from "./facts.js";

/** The function that people already have: it is given a tool's name and arguments and runs it. */
export type Executor<Rest extends readonly unknown[], Value> = (
  toolName: string,
  args: JsonObject,
  ...rest: Rest
) => Awaitable<Value>;

export interface GuardExecutorOptions<Rest extends readonly unknown[], Value>
  extends Omit<ToolRunnerOptions, "tools"> {
  /** The tools that the executor knows. A call to any other is not passed on. */
  readonly tools: readonly ToolDeclaration[];
  /** Reads the call's id and the host's facts from the other arguments of the executor. If it throws or returns a promise, the call is denied. */
  readonly describe?: (...rest: Rest) => DescribedCall;
  /** Makes the value to return for a call that did not run or whose result was withheld. Default: the text for the model. */
  readonly denied?: (outcome: ToolOutcome) => Value;
}

/** A call's id, and the facts about it. */
export type DescribedCall = RunOptions & { readonly callId?: string | undefined };

/** An executor behind guards. Closing it closes guards and observers, when open calls are over. */
export interface GuardedExecutor<Rest extends readonly unknown[], Value> {
  (toolName: string, args: unknown, ...rest: Rest): Promise<Value>;
  /** Runs the call and yields its items, as `ToolRunner.stream` does. The generator returns the outcome. */
  stream: (toolName: string, args: unknown, ...rest: Rest) => AsyncGenerator<unknown, ToolOutcome>;
  /** Runs a call whose denial an approver has lifted in the meantime, as `ToolRunner.resume` does. Only the signal is taken from `describe`. @throws ToolstileError `ERR_INVALID_OPTION` if `describe` throws or returns a promise; the approval stays. */
  resume: (approvalId: string, ...rest: Rest) => Promise<ToolOutcome>;
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Puts guards in front of the executor that you have: same type in, same type out.
 *
 * The executor gets frozen arguments, and the caller gets its answer as the
 * guards judged it: a frozen JSON copy, in which a Date is text.
 *
 * For a denied call, an executor that answers in text returns the text for the
 * model; any other needs `denied`, which makes the value to return. An error of
 * the executor is thrown after the call has settled.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardExecutor<Rest extends readonly unknown[]>(
  execute: Executor<Rest, string>,
  options: GuardExecutorOptions<Rest, string>,
): GuardedExecutor<Rest, string>;
export function guardExecutor<Rest extends readonly unknown[], Value>(
  execute: Executor<Rest, Value>,
  options: GuardExecutorOptions<Rest, Value> & {
    readonly denied: (outcome: ToolOutcome) => Value;
  },
): GuardedExecutor<Rest, Value>;
export function guardExecutor<Rest extends readonly unknown[], Value>(
  execute: Executor<Rest, Value>,
  options: GuardExecutorOptions<Rest, Value>,
): GuardedExecutor<Rest, Value> {
  if (typeof execute !== "function") {
    const expected = "the function that runs tools";
    throw wrongValue("ERR_INVALID_OPTION", "guardExecutor()", "the executor", expected, execute);
  }
  const { describe, denied, ...guarding } = readOptions("guardExecutor()", options, {
    ...runnerTable,
    tools: required(such<readonly ToolDeclaration[]>(Array.isArray, "an array of tools")),
    describe: func<(...rest: Rest) => DescribedCall>(),
    denied: func<(outcome: ToolOutcome) => Value>(),
  } satisfies OptionTable<GuardExecutorOptions<Rest, Value>>);
  const stopped = denied ?? ((outcome: ToolOutcome) => outcome.result.content as Value);
  const calls = guardCalls<Rest>(
    execute,
    guarding,
    (...rest) => describeCall(describe && (() => describe(...rest))) as DescribedCall,
  );
  const guarded = async (toolName: string, args: unknown, ...rest: Rest): Promise<Value> => {
    const outcome = await calls.outcome(toolName, args, ...rest);
    switch (outcome.status) {
      case "executed":
        return outcome.value as Value;
      case "failed":
        throw throwable(outcome);
      default:
        return stopped(outcome);
    }
  };
  const { stream, resume, close } = calls;
  return Object.assign(guarded, { stream, resume, close, [Symbol.asyncDispose]: close });
}

/** The guarded calls of tools that a host runs, for an adapter. */
export interface GuardedCalls<Rest extends readonly unknown[]> {
  /** Decides on a call, runs its tool if every guard allows, and judges the result. @throws ToolstileError `ERR_ABORTED` as `ToolRunner.run` does. */
  readonly outcome: (toolName: string, args: unknown, ...rest: Rest) => Promise<ToolOutcome>;
  readonly stream: GuardedExecutor<Rest, unknown>["stream"];
  readonly resume: GuardedExecutor<Rest, unknown>["resume"];
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
