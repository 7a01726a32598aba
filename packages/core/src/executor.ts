import { Engine } from "./engine.js";
import { ToolstileError } from "./errors.js";
import { checkOptions } from "./naming.js";
import { throwable } from "./outcome.js";
import type { Awaitable, JsonObject, ToolOutcome } from "./protocol.js";
import type { RunOptions } from "./request.js";
import type { Way } from "./run.js";
import { runnerOptions, type ToolRunnerOptions } from "./runner-options.js";
import { streamed } from "./stream.js";
import { disown, isThenable } from "./thenable.js";
import type { ToolDeclaration } from "./tool.js";

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
  /** Read the call's id and the host's facts from what else the executor is given. */
  readonly describe?: (...rest: Rest) => RunOptions & { readonly callId?: string | undefined };
  /** What to return for a call that did not run or whose result was withheld. Default: the text for the model. */
  readonly denied?: (outcome: ToolOutcome) => Value;
}

/** What `describe` says of a call. */
type Described = RunOptions & { readonly callId?: string | undefined };

/** An executor behind guards. Closing it closes them and the observers, when what is under way is over. */
export interface GuardedExecutor<Rest extends readonly unknown[], Value> {
  (toolName: string, args: unknown, ...rest: Rest): Promise<Value>;
  /** The same call piece by piece, as `ToolRunner.stream` gives them; what the generator returns is the outcome. */
  stream: (toolName: string, args: unknown, ...rest: Rest) => AsyncGenerator<unknown, ToolOutcome>;
  /** Run a call whose denial an approver has lifted in the meantime, as `ToolRunner.resume` does. Of what else the executor is given, `describe` is asked only for the signal. */
  resume: (approvalId: string, ...rest: Rest) => Promise<ToolOutcome>;
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Put guards in front of the executor that you have: same type in, same type out.
 *
 * The executor gets frozen arguments, and what it answers reaches the caller as
 * the guards judged it: a frozen JSON copy, in which a Date is text.
 *
 * Where a call is denied, an executor that answers in text gives the text for
 * the model; any other needs `denied` to say what to return. What the executor
 * throws is thrown, after the call has settled.
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
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "guardExecutor() takes the function that runs tools.",
    );
  }
  checkOptions("guardExecutor()", options, [...runnerOptions, "describe", "denied"]);
  const { describe, denied, ...engineOptions } = options;
  const engine = new Engine(engineOptions);
  const stopped = denied ?? ((outcome: ToolOutcome) => outcome.result.content as Value);
  const described = (rest: Rest): Described => {
    const said: unknown = describe?.(...rest) ?? {};
    if (isThenable(said)) {
      disown(said);
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "describe() answers at once, not with a promise.",
      );
    }
    return said as Described;
  };
  const way = (rest: Rest): Way => ({
    rejects: true,
    turnId: undefined,
    resumed: undefined,
    seen: undefined,
    // By the tool's own name: under an alias, another tool of the executor's might answer.
    execute: (given, context) => execute(context.toolName, given, ...rest),
  });
  const guarded = async (toolName: string, args: unknown, ...rest: Rest): Promise<Value> => {
    const { callId, ...runOptions } = described(rest);
    const request = { name: toolName, arguments: args, callId };
    const outcome = await engine.run(request, runOptions, way(rest));
    switch (outcome.status) {
      case "executed":
        return outcome.value as Value;
      case "failed":
        throw throwable(outcome);
      default:
        return stopped(outcome);
    }
  };
  const stream = (toolName: string, args: unknown, ...rest: Rest) =>
    streamed(engine, () => {
      const { callId, ...runOptions } = described(rest);
      return engine.start({ name: toolName, arguments: args, callId }, runOptions, way(rest));
    });
  const resume = async (approvalId: string, ...rest: Rest): Promise<ToolOutcome> =>
    engine.resume(approvalId, described(rest).signal, way(rest));
  const close = (): Promise<void> => engine.close();
  return Object.assign(guarded, { stream, resume, close, [Symbol.asyncDispose]: close });
}
