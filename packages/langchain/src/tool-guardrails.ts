import { ToolMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { isGraphBubbleUp } from "@langchain/langgraph";
import { type JsonObject, ToolstileError } from "@toolstile/core";
import { errorText } from "@toolstile/core/host";
import {
  nonEmptyText,
  type OptionTable,
  quoted,
  readOptions,
  sameJson,
} from "@toolstile/core/provider";
import {
  type AgentMiddleware,
  createMiddleware,
  MiddlewareError,
  type ToolCallRequest,
  ToolInvocationError,
} from "langchain";
import type { GuardableTool } from "./declaration.js";
import type { DescribedCall } from "./facts.js";
import { GraphCalls, type GuardOptions, guardTable, toolList } from "./graph-calls.js";
import type { ToolAnswer } from "./tool-answer.js";

export interface ToolGuardrailsOptions extends GuardOptions {
  /** The tools that the agent may run. A call of any other is not passed on. */
  readonly tools: readonly GuardableTool[];
  /** The name of the middleware: unique in its agent. Default "ToolGuardrails". */
  readonly name?: string | undefined;
}

const toolGuardrailsTable = {
  ...guardTable,
  tools: toolList,
  name: nonEmptyText().default("ToolGuardrails"),
} satisfies OptionTable<ToolGuardrailsOptions>;

/**
 * Put guards in front of an agent's tools, as middleware for `createAgent`.
 *
 * A call that is stopped is answered by a ToolMessage of status "error", which
 * the model reads; a denial that can be lifted interrupts the graph. Put it
 * last among the middleware, next to the tools.
 *
 * @throws ToolstileError as ToolRunner does, and `ERR_UNSUPPORTED` for a tool
 * that the provider runs.
 */
export function toolGuardrails(options: ToolGuardrailsOptions): AgentMiddleware {
  const { tools, name, ...guarding } = readOptions(
    "toolGuardrails()",
    options,
    toolGuardrailsTable,
  );
  const guarded = new GraphCalls(tools, guarding);
  return createMiddleware({
    name,
    wrapToolCall: (request, handler) => {
      const dispatch = (args: JsonObject): Promise<ToolAnswer> => {
        // Without one, the agent would look for a tool of this name, which may be another.
        const found =
          (request.tool as GuardableTool | undefined) ?? guarded.toolOf(request.toolCall.name);
        const tool = found && onlyWith(found, args);
        const toolCall = { ...request.toolCall, args };
        return handler({ ...request, toolCall, tool } as typeof request) as Promise<ToolAnswer>;
      };
      const failed = (error: unknown): ToolAnswer => {
        if (passesBy(error) || request.runtime.signal?.aborted === true) throw error;
        return failure(error, request);
      };
      const { toolCall, tool, state, runtime } = request as DescribedCall;
      const metadata = AsyncLocalStorageProviderSingleton.getRunnableConfig()?.metadata;
      return guarded.answer({ toolCall, tool, state, runtime, metadata, dispatch, failed });
    },
  }) as AgentMiddleware;
}

/**
 * The tool, to be run once, with exactly these arguments.
 *
 * A middleware between the guards and the tool could change the call, and no
 * guard would judge the change.
 */
function onlyWith(tool: GuardableTool, args: JsonObject): GuardableTool {
  let invoked = false;
  const invoke = (call: { readonly args: unknown }, ...rest: never[]): unknown => {
    if (invoked || (call.args !== args && !sameJson(call.args, args))) {
      const what = invoked ? "ran a call twice" : "changed the arguments of a call";
      throw new ToolstileError(
        "ERR_PERMIT",
        `A middleware ${what} of the tool ${quoted(tool.name)} after the guards had decided. Put it before toolGuardrails().`,
      );
    }
    invoked = true;
    return tool.invoke(...([{ ...call, args }, ...rest] as never));
  };
  // Of the same class: other middleware may ask what it is.
  return Object.create(tool, { invoke: { value: invoke } });
}

/** True of an error that the model must not read: it steers the graph, or is a fault of the program. */
function passesBy(error: unknown): boolean {
  if (isGraphBubbleUp(error)) return true;
  if (ToolstileError.isInstance(error)) return error.code === "ERR_PERMIT";
  return MiddlewareError.isInstance(error) && !ToolInvocationError.isInstance(rootOf(error));
}

function rootOf(error: unknown): unknown {
  return MiddlewareError.isInstance(error) ? rootOf(error.cause) : error;
}

/** The message about a tool that failed, as in an agent without middleware. */
function failure(error: unknown, { toolCall }: ToolCallRequest): ToolMessage {
  const root = rootOf(error);
  const isRefusal = ToolInvocationError.isInstance(root);
  const content = isRefusal
    ? root.message
    : `${errorText(root, "The tool failed.")}\n Please fix your mistakes.`;
  const { id = "", name } = toolCall;
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
}
