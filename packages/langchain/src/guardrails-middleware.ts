import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { checkOptions, type Fault, ToolstileError, tellOfFault } from "@toolstile/core";
import type { CheckRequest, CheckResult } from "@toolstile/iorails";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { GuardrailViolation } from "./guardrail-violation.js";
import { given, judgeInput, type RailsFinding } from "./input-rails.js";
import { type AnswerFinding, judgeOutput } from "./output-rails.js";
import { type CheckedTurn, Rails, type RailsSource } from "./rails.js";

/** What a hook is told of the run. */
export interface HookRuntime {
  readonly context?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rails around an agent's model; the names and defaults are NeMo Guardrails'. */
export interface GuardrailsMiddlewareOptions extends RailsSource {
  /** Throw a GuardrailViolation in place of a blocked answer. Default false. */
  readonly raiseOnViolation?: boolean | undefined;
  readonly blockedInputMessage?: string | undefined;
  readonly blockedOutputMessage?: string | undefined;
  /** Judge what goes to the model: the user's words and results of tools. Default true. */
  readonly enableInputRails?: boolean | undefined;
  /** Judge what comes from the model: its words and its calls. Default true. */
  readonly enableOutputRails?: boolean | undefined;
  /** What the host knows, for guards and records of the rails. */
  readonly describe?:
    | ((runtime: HookRuntime) => Pick<CheckRequest, "agentName" | "context">)
    | undefined;
  /** Told why rails could not be asked, for operators. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
}

type InputFinding = RailsFinding & { readonly failed?: unknown };
type OutputFinding = AnswerFinding & { readonly failed?: unknown };

/** What inputRailsMiddleware() and outputRailsMiddleware() take. */
export type OneSidedRailsOptions = Omit<
  GuardrailsMiddlewareOptions,
  "enableInputRails" | "enableOutputRails"
>;

const optionNames: readonly string[] = [
  "rails",
  "configPath",
  "configYaml",
  "raiseOnViolation",
  "blockedInputMessage",
  "blockedOutputMessage",
  "describe",
  "onFault",
];

/** In the additional_kwargs of what was blocked: the model is not shown it in later turns. */
const hidden = "toolstile_blocked";

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
  checkOptions("guardrailsMiddleware()", options, [
    ...optionNames,
    "enableInputRails",
    "enableOutputRails",
  ]);
  return middleware("GuardrailsMiddleware", options);
}

/** `guardrailsMiddleware` for what goes to the model, and nothing else. */
export function inputRailsMiddleware(options: OneSidedRailsOptions): AgentMiddleware {
  checkOptions("inputRailsMiddleware()", options, optionNames);
  return middleware("InputRailsMiddleware", { ...options, enableOutputRails: false });
}

/** `guardrailsMiddleware` for what comes from the model, and nothing else. */
export function outputRailsMiddleware(options: OneSidedRailsOptions): AgentMiddleware {
  checkOptions("outputRailsMiddleware()", options, optionNames);
  return middleware("OutputRailsMiddleware", { ...options, enableInputRails: false });
}

function middleware(name: string, options: GuardrailsMiddlewareOptions): AgentMiddleware {
  const own = checked(options);
  const {
    raiseOnViolation = false,
    blockedInputMessage = "I cannot process this request due to content policy.",
    blockedOutputMessage = "I cannot provide this response due to content policy.",
    enableInputRails = true,
    enableOutputRails = true,
    describe,
    onFault,
  } = own;
  const rails = new Rails(own);
  const offered = new WeakMap<object, readonly unknown[]>();

  const turnOf = (messages: readonly BaseMessage[], runtime: HookRuntime): CheckedTurn => {
    const last = messages.findLast((message) => isAIMessage(message));
    const { configurable, signal } = runtime;
    const thread = configurable?.["thread_id"];
    const known = typeof thread === "string" ? { context: { sessionId: thread } } : {};
    const facts = { ...known, ...describe?.(runtime), ...(signal === undefined ? {} : { signal }) };
    return { messages, tools: (last && offered.get(last)) ?? [], facts };
  };

  /** What rails say; a failure of theirs is a block. */
  const asked = async <Finding extends object>(
    runtime: HookRuntime,
    judge: () => Promise<Finding>,
  ): Promise<Finding | { readonly failed: unknown }> => {
    await rails.load();
    try {
      return await judge();
    } catch (failed) {
      if (runtime.signal?.aborted === true) throw failed;
      tellOfFault(onFault, { source: name, phase: "check", error: failed });
      return { failed };
    }
  };

  const violated = (side: "input" | "output", result: CheckResult | undefined, cause?: unknown) => {
    if (raiseOnViolation) throw new GuardrailViolation(side, result, cause);
  };

  return createMiddleware({
    name,
    ...(enableInputRails && {
      beforeModel: {
        canJumpTo: ["end" as const],
        hook: async ({ messages }: { messages: BaseMessage[] }, runtime: HookRuntime) => {
          const finding = await asked(runtime, () => judgeInput(rails, turnOf(messages, runtime)));
          const { blocked, changed, failed }: InputFinding = { changed: [], ...finding };
          if (blocked === undefined && !("failed" in finding)) {
            return changed.length === 0 ? undefined : { messages: [...changed] };
          }
          violated("input", blocked, failed);
          // Of all that is new: what was not judged for the block is not judged later.
          const kept = freshOf(messages).map((each) =>
            withoutWords(changed.find(({ id }) => id === each.id) ?? each, blockedInputMessage),
          );
          const refusal = new AIMessage({
            content: blockedInputMessage,
            additional_kwargs: { [hidden]: true },
          });
          return { messages: [...kept, refusal], jumpTo: "end" as const };
        },
      },
    }),
    ...(enableOutputRails && {
      afterModel: async ({ messages }: { messages: BaseMessage[] }, runtime: HookRuntime) => {
        const answer = messages.at(-1);
        if (answer === undefined || !isAIMessage(answer)) return undefined;
        const finding = await asked(runtime, () =>
          judgeOutput(rails, turnOf(messages, runtime), answer),
        );
        const { blocked, changed, failed }: OutputFinding = finding;
        if (blocked === undefined && !("failed" in finding)) {
          return changed === undefined ? undefined : { messages: [changed] };
        }
        violated("output", blocked, failed);
        const { id, name: agent } = answer;
        const refusal = given({ id, name: agent, content: blockedOutputMessage });
        return { messages: [new AIMessage(refusal as never)] };
      },
    }),
    wrapModelCall: async (request, handler) => {
      const messages = request.messages.filter((each) => each.additional_kwargs?.[hidden] !== true);
      const answer = await handler({ ...request, messages });
      if (typeof answer === "object") offered.set(answer, request.tools ?? []);
      return answer;
    },
  } as Parameters<typeof createMiddleware>[0]) as AgentMiddleware;
}

/** What the model has not answered yet. */
function freshOf(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const fresh = messages.findLastIndex((message) => isAIMessage(message)) + 1;
  return messages
    .slice(fresh)
    .filter((each) => HumanMessage.isInstance(each) || ToolMessage.isInstance(each));
}

/** What the user said stays, and the model is not shown it; a result has to be there, and says nothing. */
function withoutWords(message: BaseMessage, text: string): BaseMessage {
  const { id, name, content, additional_kwargs, response_metadata } = message;
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id } = message;
    return new ToolMessage(
      given({ id, name, tool_call_id, content: text, status: "error" }) as never,
    );
  }
  const marked = { ...additional_kwargs, [hidden]: true };
  return new HumanMessage(
    given({ id, name, content, additional_kwargs: marked, response_metadata }) as never,
  );
}

const kinds: Readonly<Record<string, string>> = {
  raiseOnViolation: "boolean",
  enableInputRails: "boolean",
  enableOutputRails: "boolean",
  blockedInputMessage: "string",
  blockedOutputMessage: "string",
  describe: "function",
  onFault: "function",
};

/** @throws ToolstileError `ERR_INVALID_OPTION` for an option of another kind. */
function checked(options: GuardrailsMiddlewareOptions): GuardrailsMiddlewareOptions {
  const own: Record<string, unknown> = Object.assign(Object.create(null), options);
  for (const [key, kind] of Object.entries(kinds)) {
    if (own[key] === undefined || typeof own[key] === kind) continue;
    throw new ToolstileError("ERR_INVALID_OPTION", `The option '${key}' is a ${kind}.`);
  }
  return own;
}
