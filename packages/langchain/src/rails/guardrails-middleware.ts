import { AIMessage, type BaseMessage, isAIMessage, RemoveMessage } from "@langchain/core/messages";
import { describeCall, reportFault } from "@toolstile/core/host";
import { type OptionsOf, readOptions } from "@toolstile/core/provider";
import type { CheckResult } from "@toolstile/iorails";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";
import { forModel } from "./beside.js";
import { GuardrailViolation } from "./guardrail-violation.js";
import { given, hiddenAnswer, isHidden, withheld } from "./hidden.js";
import { judgeInput, type RailsFinding } from "./input-rails.js";
import { Judged, type Marks } from "./judged.js";
import {
  type GuardrailsMiddlewareOptions,
  type HookRuntime,
  type OneSidedRailsOptions,
  oneSidedTable,
  railsTable,
} from "./options.js";
import { type AnswerFinding, judgeOutput } from "./output-rails.js";
import { type CheckedTurn, Rails } from "./rails.js";

type InputFinding = RailsFinding & { readonly failed?: unknown };
type OutputFinding = AnswerFinding & { readonly failed?: unknown };

/**
 * Rails before and after each call of an agent's model, as NeMo's GuardrailsMiddleware has them.
 *
 * Results of tools and the arguments of calls are judged as well. What cannot
 * be judged is blocked.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and
 * `ERR_CONFIG` for YAML that is wrong; for a path, the first run throws it.
 */
export function guardrailsMiddleware(options: GuardrailsMiddlewareOptions): AgentMiddleware {
  const read = readOptions("guardrailsMiddleware()", options, railsTable);
  return middleware("GuardrailsMiddleware", read);
}

/** `guardrailsMiddleware` for what goes to the model, and nothing else. */
export function inputRailsMiddleware(options: OneSidedRailsOptions): AgentMiddleware {
  const read = readOptions("inputRailsMiddleware()", options, oneSidedTable);
  return middleware("InputRailsMiddleware", {
    ...read,
    enableInputRails: true,
    enableOutputRails: false,
  });
}

/** `guardrailsMiddleware` for what comes from the model, and nothing else. */
export function outputRailsMiddleware(options: OneSidedRailsOptions): AgentMiddleware {
  const read = readOptions("outputRailsMiddleware()", options, oneSidedTable);
  return middleware("OutputRailsMiddleware", {
    ...read,
    enableInputRails: false,
    enableOutputRails: true,
  });
}

function middleware(name: string, options: OptionsOf<typeof railsTable>): AgentMiddleware {
  const { raiseOnViolation, blockedInputMessage, blockedOutputMessage } = options;
  const { enableInputRails, enableOutputRails, describe, onFault } = options;
  const rails = new Rails(options);
  const judged = new Judged();
  const marksKey = `_${name}Judged`;
  const marksIn = (state: State) => state[marksKey] as Marks | undefined;
  // What is hidden from the model was not judged: shown again, it has to be.
  const marksOf = (messages: readonly BaseMessage[]): Marks =>
    judged.marks(messages.filter((each) => !isHidden(each)));
  const offered = new WeakMap<object, readonly unknown[]>();

  const turnOf = (messages: readonly BaseMessage[], runtime: HookRuntime): CheckedTurn => {
    const last = messages.findLast((message) => isAIMessage(message));
    const { configurable, signal } = runtime;
    const thread = configurable?.["thread_id"];
    const known = typeof thread === "string" ? { context: { sessionId: thread } } : {};
    const { agentName, context } = describeCall(describe && (() => describe(runtime)), known);
    const facts = {
      ...(agentName !== undefined && { agentName }),
      // Copied at once: the context of a `describe` that failed throws here, and the rails block.
      ...(context !== undefined && { context: { ...context } }),
      ...(signal !== undefined && { signal }),
    };
    return { messages, tools: (last && offered.get(last)) ?? [], facts };
  };

  /** The rails' finding. Rails that fail block. */
  const asked = async <Finding extends object>(
    runtime: HookRuntime,
    judge: () => Promise<Finding>,
  ): Promise<Finding | { readonly failed: unknown }> => {
    await rails.load();
    try {
      return await judge();
    } catch (failed) {
      if (runtime.signal?.aborted === true) throw failed;
      reportFault(onFault, { source: name, phase: "check", error: failed });
      return { failed };
    }
  };

  const violated = (side: "input" | "output", result: CheckResult | undefined, cause?: unknown) => {
    if (raiseOnViolation) throw new GuardrailViolation(side, result, cause);
  };

  /** The places of the messages that the model would read and that have not been judged. */
  const openIn = (state: State, fresh: number): readonly number[] =>
    [...state.messages.keys()].filter((at) => {
      const message = state.messages[at] as BaseMessage;
      return !isHidden(message) && !judged.has(message, marksIn(state), at < fresh);
    });

  /** The finding about these messages, and the conversation as it leaves them. */
  const inputFinding = async (
    messages: readonly BaseMessage[],
    open: readonly number[],
    runtime: HookRuntime,
  ) => {
    const finding = await asked(runtime, () => judgeInput(rails, turnOf(messages, runtime), open));
    const { blocked, failed, ...left }: InputFinding = { messages, changed: [], ...finding };
    const isBlocked = blocked !== undefined || "failed" in finding;
    if (isBlocked) violated("input", blocked, failed);
    return { ...left, isBlocked };
  };

  const beforeModel = async (state: State, runtime: HookRuntime) => {
    const { messages } = state;
    const open = openIn(state, messages.findLastIndex((message) => isAIMessage(message)) + 1);
    if (!enableInputRails || open.length === 0) return { [marksKey]: marksOf(messages) };
    const { isBlocked, changed, messages: now } = await inputFinding(messages, open, runtime);
    if (!isBlocked) {
      const marks = { [marksKey]: marksOf(now) };
      return changed.length === 0 ? marks : { messages: [...changed], ...marks };
    }
    // Of all that is new: what was not judged for the block is not judged later.
    const kept = withheld(
      open.map((at) => now[at] as BaseMessage),
      blockedInputMessage,
    );
    const refusal = hiddenAnswer(blockedInputMessage);
    const left = now.map((each) => kept.find(({ id }) => id === each.id) ?? each);
    return { messages: [...kept, refusal], [marksKey]: marksOf(left), jumpTo: "end" as const };
  };

  const afterModel = async (state: State, runtime: HookRuntime) => {
    const { messages } = state;
    const marks = marksIn(state);
    const answers = [...messages.keys()].filter((at) => {
      const message = messages[at] as BaseMessage;
      return isAIMessage(message) && !isHidden(message) && !judged.has(message, marks, false);
    });
    if (!enableOutputRails) return { [marksKey]: marksOf(messages) };
    const changed: BaseMessage[] = [];
    for (const at of answers) {
      const answer = messages[at] as AIMessage;
      const isLast = at === messages.length - 1;
      const finding: OutputFinding = await asked(runtime, () =>
        judgeOutput(rails, turnOf(messages.slice(0, at + 1), runtime), answer, isLast),
      );
      if (finding.blocked !== undefined || "failed" in finding) {
        violated("output", finding.blocked, finding.failed);
        const refused = refusedFrom(messages.slice(answers[0]));
        const left = [...messages.slice(0, answers[0]), refused.at(-1) as BaseMessage];
        return { messages: refused, [marksKey]: marksOf(left), ...withoutStructure(state) };
      }
      if (finding.changed !== undefined) changed.push(finding.changed);
    }
    const now = messages.map((each) => changed.find(({ id }) => id === each.id) ?? each);
    const marked = { [marksKey]: marksOf(now) };
    return changed.length === 0
      ? marked
      : { messages: changed, ...marked, ...withoutStructure(state) };
  };

  /** One message says that the answer was blocked; of the rest of it, a structured answer's results, nothing stays. */
  const refusedFrom = (answer: readonly BaseMessage[]): readonly BaseMessage[] => {
    const { id, name: agent } = answer.at(-1) as BaseMessage;
    const refusal = new AIMessage(
      given({ id, name: agent, content: blockedOutputMessage }) as never,
    );
    const removed = answer.slice(0, -1).map((each) => new RemoveMessage({ id: each.id as string }));
    return [...removed, refusal];
  };

  return createMiddleware({
    name,
    stateSchema: z.object({ [marksKey]: z.record(z.string(), z.string()).optional() }),
    beforeModel: { canJumpTo: ["end" as const], hook: beforeModel },
    afterModel,
    wrapModelCall: async (request, handler) => {
      let messages: readonly BaseMessage[] = request.messages.filter((each) => !isHidden(each));
      // What other middleware, or the agent itself, has added since. All that was judged is remembered.
      const state = { ...request.state, messages: [...messages] };
      const open = enableInputRails ? openIn(state, messages.length) : [];
      if (open.length > 0) {
        const finding = await inputFinding(messages, open, request.runtime as HookRuntime);
        if (finding.isBlocked) return hiddenAnswer(blockedInputMessage);
        messages = finding.messages;
        marksOf(messages);
      }
      const answer = await handler({ ...request, messages: messages.map(forModel) });
      for (const each of answersIn(answer)) offered.set(each, request.tools ?? []);
      return answer;
    },
  } as Parameters<typeof createMiddleware>[0]) as AgentMiddleware;
}

/** The state of the agent's graph, as a hook is told of it. */
interface State {
  readonly messages: BaseMessage[];
  readonly [key: string]: unknown;
}

/** The model's messages in what it answered: of a structured answer there are several. */
function answersIn(answer: unknown): readonly object[] {
  const { messages } = Object(answer) as { messages?: unknown };
  return [answer, ...(Array.isArray(messages) ? messages : [])].filter(
    (each): each is object => typeof each === "object" && each !== null,
  );
}

/** A structured answer is a copy of what was blocked or changed. */
function withoutStructure(state: State): object {
  return "structuredResponse" in state ? { structuredResponse: null } : {};
}
