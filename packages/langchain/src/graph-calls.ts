import type { ToolCall } from "@langchain/core/messages/tool";
import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  type JsonObject,
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import {
  callKey,
  type GuardedCalls,
  guardCalls,
  guardingTable,
  thrownFor,
} from "@toolstile/core/host";
import {
  func,
  type OptionReader,
  type OptionTable,
  quoted,
  required,
  sharedSignal,
  such,
} from "@toolstile/core/provider";
import { isAnswered } from "./approval-answer.js";
import { type AnswerableApprover, ApprovalInterrupts } from "./approval-interrupts.js";
import { declarationsOf, type GuardableTool } from "./declaration.js";
import { type DescribedCall, factsOf, type HostFacts } from "./facts.js";
import { answerOf, denied, type ReadAnswer, readAnswer, type ToolAnswer } from "./tool-answer.js";
import { hasOneCallLeft, idsOf, messagesIn, turnOf } from "./turn.js";

/** Guards for tools, with all that a ToolRunner takes but for aliases. */
export interface GuardOptions extends Omit<ToolRunnerOptions, "tools" | "aliases" | "approver"> {
  /** Lifts denials that can be lifted. One that answers later interrupts the graph. */
  readonly approver?: AnswerableApprover | undefined;
  /** The host's facts about a call, in place of the agent's name and the thread. A throw, or a promise, denies the call. */
  readonly describe?: ((call: DescribedCall) => HostFacts) | undefined;
}

/** One call, as the framework made it. */
export interface FrameworkCall extends DescribedCall {
  readonly toolCall: ToolCall;
  /** The metadata of the graph's run. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Runs the tool with these arguments, as the framework would. */
  readonly dispatch: (args: JsonObject) => Promise<ToolAnswer>;
  /** The text that the model reads of a dispatch that threw. @throws the error, if the model must not read it. */
  readonly failed?: (error: unknown) => ToolAnswer;
}

/** A call that is under way. */
interface Passage {
  readonly call: FrameworkCall;
  readonly options: RunOptions;
  /** The tool's answer, once there is one. */
  answer?: ReadAnswer;
  /** An interrupt, or a command for a parent graph, which the tool threw. It is not an answer for the model. */
  steering?: { readonly error: unknown };
}

export const guardTable = {
  ...guardingTable,
  approver: guardingTable.approver as OptionReader<AnswerableApprover | undefined>,
  describe: func<(call: DescribedCall) => HostFacts>(),
} satisfies OptionTable<GuardOptions>;

export const toolList = required(such<readonly GuardableTool[]>(Array.isArray, "a list of tools"));

/** The guards of a graph's tools. Every call goes through `answer`. */
export class GraphCalls {
  readonly #calls: GuardedCalls<[Passage]>;
  readonly #approvals: ApprovalInterrupts | undefined;
  readonly #describe: GuardOptions["describe"];
  /** By name: the very tools that the guards were told of. */
  readonly #tools: ReadonlyMap<string, GuardableTool>;

  /** @throws ToolstileError as ToolRunner does. */
  constructor(tools: readonly GuardableTool[], options: GuardOptions) {
    const { describe, approver, ...guarding } = options;
    this.#describe = describe;
    if (approver !== undefined) {
      this.#approvals = new ApprovalInterrupts(approver, guarding.onFault);
    }
    const declarations = declarationsOf(tools);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#calls = guardCalls<[Passage]>(
      (...given) => this.#run(...given),
      { ...guarding, approver: this.#approvals?.approver, tools: declarations },
      ({ options }) => options,
    );
  }

  /**
   * Decides on a call, runs its tool if every guard allows, and judges the answer.
   *
   * @throws what the framework is to be thrown: an interrupt, the reason of an
   * abort, or what the tool threw past the model.
   */
  async answer(call: FrameworkCall): Promise<ToolAnswer> {
    const { toolCall, runtime, metadata } = call;
    const { signal } = runtime;
    const { turnId, repeatedId } = turnOf(call.state?.messages, toolCall);
    const options = factsOf(call, this.#describe, metadata, {
      turnId,
      repeatedId,
      signal: signal && sharedSignal(signal),
    });
    const passage: Passage = { call, options };
    const run = () => this.#calls.outcome(toolCall.name, toolCall.args, passage);
    try {
      const outcome =
        this.#approvals === undefined ? await run() : await this.#approved(passage, run);
      if (passage.steering !== undefined) throw passage.steering.error;
      if (typeof outcome === "string") return denied(outcome, toolCall);
      // The dispatch threw, as it would without guards.
      if (outcome.status === "failed" && passage.answer === undefined) throw outcome.error;
      return answerOf(outcome, toolCall, passage.answer);
    } catch (error) {
      throw thrownFor(error, signal);
    }
  }

  /** The very tool that the guards were told of under a name. */
  toolOf(name: string): GuardableTool | undefined {
    return this.#tools.get(name);
  }

  /** The outcome of a call that may have to wait for an approval; or the reason why its approval did not help. */
  async #approved(
    passage: Passage,
    run: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome | string> {
    const { call, options } = passage;
    const { toolCall, runtime, metadata } = call;
    const request = { name: toolCall.name, callId: toolCall.id, arguments: toolCall.args };
    return (this.#approvals as ApprovalInterrupts).outcomeOf({
      key: options.repeatedId === true ? undefined : callKey(request, options),
      facts: options,
      interruptible: isOwnTask(metadata) || hasOneCallLeft(call.state?.messages),
      answered: isAnswered(runtime.configurable),
      run,
      resume: (approvalId) => this.#calls.resume(approvalId, passage),
    });
  }

  async #run(name: string, args: JsonObject, passage: Passage): Promise<unknown> {
    const { call } = passage;
    const { tool, toolCall, state } = call;
    if (tool !== undefined && tool !== this.#tools.get(name)) {
      throw new ToolstileError(
        "ERR_PERMIT",
        `The tool ${quoted(name)} that would run is not the one that the guards were given. Give the agent and the guards the same object.`,
      );
    }
    try {
      const known = messagesIn(state);
      // Before the tool runs, which might change its turn.
      const asked = idsOf(known);
      let given: ToolAnswer;
      try {
        given = await call.dispatch(args);
      } catch (error) {
        if (call.failed === undefined) throw error;
        given = call.failed(error);
      }
      passage.answer = readAnswer(given, { callId: toolCall.id, known, asked });
      return passage.answer.result;
    } catch (error) {
      if (isGraphBubbleUp(error)) passage.steering = { error };
      throw error;
    }
  }
}

/** True if the graph runs this call as a task of its own: then resuming it runs no other call again. */
function isOwnTask(metadata: FrameworkCall["metadata"]): boolean {
  const path = metadata?.["langgraph_path"];
  return Array.isArray(path) && path[0] === "__pregel_push";
}
