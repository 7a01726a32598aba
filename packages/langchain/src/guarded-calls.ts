import type { ToolCall } from "@langchain/core/messages/tool";
import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  checkOptions,
  type GuardedExecutor,
  guardExecutor,
  guardingOptions,
  type JsonObject,
  quoted,
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import { type Answer, answerOf, denied, type TakenAnswer, take } from "./answer.js";
import { isAnswered } from "./approval-answer.js";
import { type AnswerableApprover, ApprovalInterrupts } from "./approval-interrupts.js";
import { keyFor } from "./call-key.js";
import { declarationsOf, type GuardableTool } from "./declaration.js";
import { type DescribedCall, factsOf, type HostFacts } from "./describe-call.js";
import { turnOf } from "./turn.js";

/** Guards for tools, with all that a ToolRunner takes but for aliases. */
export interface GuardOptions extends Omit<ToolRunnerOptions, "tools" | "aliases" | "approver"> {
  /** Lifts denials that can be lifted. One that answers later interrupts the graph. */
  readonly approver?: AnswerableApprover | undefined;
  /** What the host knows of a call, over the agent's name and the thread. A throw, or a promise, denies the call. */
  readonly describe?: ((call: DescribedCall) => HostFacts) | undefined;
}

/** One call, as the framework made it. */
export interface FrameworkCall extends DescribedCall {
  readonly toolCall: ToolCall;
  /** Of the run of the graph. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Run the tool with these arguments, as the framework would. */
  readonly dispatch: (args: JsonObject) => Promise<Answer>;
}

/** A call on its way, and what came of its tool. */
interface Passage {
  readonly call: FrameworkCall;
  readonly options: RunOptions;
  taken?: TakenAnswer;
  /** What the tool threw to steer the graph. */
  steering?: { readonly error: unknown };
}

const guardOptions: readonly string[] = [...guardingOptions, "describe"];

/** The guards of some tools, and the one way that their calls go. */
export class GuardedCalls {
  readonly #executor: GuardedExecutor<[Passage], unknown>;
  readonly #approvals: ApprovalInterrupts;
  readonly #describe: GuardOptions["describe"];
  /** By name: the very tools that the guards were told of. */
  readonly #tools: ReadonlyMap<string, GuardableTool>;

  /** @throws ToolstileError as ToolRunner does, and for an option that `where` does not take. */
  constructor(
    where: string,
    tools: readonly GuardableTool[],
    options: GuardOptions,
    others: readonly string[],
  ) {
    checkOptions(where, options, [...guardOptions, ...others]);
    const given = guardOptions.filter((name) => Object.hasOwn(options, name));
    const { describe, approver, ...guarding } = Object.fromEntries(
      given.map((name) => [name, options[name as keyof GuardOptions]]),
    ) as unknown as GuardOptions;
    if (describe !== undefined && typeof describe !== "function") {
      throw new ToolstileError("ERR_INVALID_OPTION", "The option 'describe' is a function.");
    }
    this.#describe = describe;
    this.#approvals = new ApprovalInterrupts(approver, guarding.onFault);
    const declarations = declarationsOf(tools);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#executor = guardExecutor<[Passage], unknown>((...given) => this.#run(...given), {
      ...guarding,
      approver: this.#approvals.noting,
      tools: declarations,
      describe: ({ call, options: known }) => ({ ...known, callId: call.toolCall.id }),
      // Never asked: the outcome is read itself.
      denied: (outcome) => outcome,
    });
  }

  /**
   * Decide on a call, run its tool if every guard allows, and judge the answer.
   *
   * @throws what the framework is to be thrown: an interrupt, the reason of an
   * abort, or what the tool threw past the model.
   */
  async answer(call: FrameworkCall): Promise<Answer> {
    const { toolCall, runtime, metadata } = call;
    const { turnId, repeatedId, unanswered } = turnOf(call.state?.messages, toolCall);
    const { signal } = runtime;
    const options = { turnId, repeatedId, signal, ...factsOf(call, this.#describe, metadata) };
    const passage: Passage = { call, options };
    try {
      const outcome = await this.#approvals.outcomeOf({
        key: repeatedId ? undefined : keyFor(toolCall, options),
        interruptible: unanswered <= 1 || isOwnTask(metadata),
        answered: isAnswered(runtime.configurable),
        run: () => endOf(this.#executor.stream(toolCall.name, toolCall.args, passage)),
        resume: (approvalId) => this.#executor.resume(approvalId, passage),
      });
      if (passage.steering !== undefined) throw passage.steering.error;
      if (typeof outcome === "string") return denied(outcome, toolCall);
      // The dispatch threw, as it would without guards.
      if (outcome.status === "failed" && passage.taken === undefined) throw outcome.error;
      return answerOf(outcome, toolCall, passage.taken);
    } catch (error) {
      const aborted = ToolstileError.isInstance(error) && error.code === "ERR_ABORTED";
      throw aborted && signal?.aborted === true ? signal.reason : error;
    }
  }

  async #run(name: string, args: JsonObject, passage: Passage): Promise<unknown> {
    const { tool, dispatch, toolCall } = passage.call;
    if (tool !== undefined && tool !== this.#tools.get(name)) {
      throw new ToolstileError(
        "ERR_PERMIT",
        `The tool ${quoted(name)} that would run is another than the one that the guards were told of. Give both the very same.`,
      );
    }
    try {
      passage.taken = take(await dispatch(args), toolCall.id);
      return passage.taken.result;
    } catch (error) {
      // An interrupt of the tool's own, or a command for a parent graph: no answer for the model.
      if (isGraphBubbleUp(error)) passage.steering = { error };
      throw error;
    }
  }
}

/** Whether the graph runs this call by itself, and would run no other again. */
function isOwnTask(metadata: FrameworkCall["metadata"]): boolean {
  const path = metadata?.["langgraph_path"];
  return Array.isArray(path) && path[0] === "__pregel_push";
}

/** The outcome, which only a stream gives: the framework takes no pieces. */
async function endOf(pieces: AsyncGenerator<unknown, ToolOutcome>): Promise<ToolOutcome> {
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return value;
  }
}
