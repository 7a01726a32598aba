/// <reference lib="esnext.disposable" preserve="true" />
// As in the module of the runner: this entry does not load its types.

import { wrongValue } from "../errors/option-error.js";
import { required, such } from "../errors/option-reader.js";
import { func } from "../errors/option-readers.js";
import { type OptionTable, readOptions } from "../errors/options.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import type { ToolOutcome } from "../protocol/outcome.js";
import { throwable } from "../run/outcome.js";
import { runnerTable, type ToolRunnerOptions } from "../runner/options.js";
import { describeCall } from "./facts.js";
import {
  type DescribedCall,
  type Executor,
  type GuardedCalls,
  guardCalls,
} from "./guarded-calls.js";

export type { Executor } from "./guarded-calls.js";

export interface GuardExecutorOptions<Rest extends readonly unknown[], Value>
  extends Omit<ToolRunnerOptions, "tools"> {
  /** The tools that the executor knows. A call to any other is not passed on. */
  readonly tools: readonly ToolDeclaration[];
  /** Reads the call's id and the host's facts from the other arguments of the executor. If it throws or returns a promise, the call is denied. */
  readonly describe?: (...rest: Rest) => DescribedCall;
  /** Makes the value to return for a call that did not run or whose result was withheld. Default: the text for the model. */
  readonly denied?: (outcome: ToolOutcome) => Value;
}

/** An executor behind guards. Closing it closes guards and observers, when open calls are over. */
export interface GuardedExecutor<Rest extends readonly unknown[], Value>
  extends Omit<GuardedCalls<Rest>, "outcome"> {
  (toolName: string, args: unknown, ...rest: Rest): Promise<Value>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
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
