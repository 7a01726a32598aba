import { ToolMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { isGraphBubbleUp } from "@langchain/langgraph";
import { canonicalJson, type JsonObject, quoted, ToolstileError } from "@toolstile/core";
import {
  type AgentMiddleware,
  createMiddleware,
  MiddlewareError,
  type ToolCallRequest,
  ToolInvocationError,
} from "langchain";
import type { Answer } from "./answer.js";
import type { GuardableTool } from "./declaration.js";
import type { DescribedCall } from "./describe-call.js";
import { GuardedCalls, type GuardOptions } from "./guarded-calls.js";

export interface ToolGuardrailsOptions extends GuardOptions {
  /** The tools that the agent may run. A call of any other is not passed on. */
  readonly tools: readonly GuardableTool[];
  /** Of the middleware: unique in its agent. Default "ToolGuardrails". */
  readonly name?: string | undefined;
}

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
  const own: ToolGuardrailsOptions = Object.assign(Object.create(null), options);
  const { tools, name = "ToolGuardrails" } = own;
  const guarded = new GuardedCalls("toolGuardrails()", tools, options, ["tools", "name"]);
  return createMiddleware({
    name,
    wrapToolCall: (request, handler) => {
      const dispatch = async (args: JsonObject): Promise<Answer> => {
        const tool = request.tool && onlyWith(request.tool as GuardableTool, args);
        const toolCall = { ...request.toolCall, args };
        try {
          return await handler({ ...request, toolCall, ...(tool && { tool }) } as typeof request);
        } catch (error) {
          if (passesBy(error) || request.runtime.signal?.aborted === true) throw error;
          return failure(error, request);
        }
      };
      const metadata = AsyncLocalStorageProviderSingleton.getRunnableConfig()?.metadata;
      return guarded.answer({ ...(request as DescribedCall), metadata, dispatch });
    },
  }) as AgentMiddleware;
}

/**
 * The tool, to be run once, with exactly these arguments.
 *
 * What a middleware between the guards and the tool makes of a call, no guard
 * has judged.
 */
function onlyWith(tool: GuardableTool, args: JsonObject): GuardableTool {
  let invoked = false;
  const invoke = (call: { readonly args: unknown }, ...rest: never[]): unknown => {
    if (invoked || canonicalJson(call.args) !== canonicalJson(args)) {
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

/** What is not for the model to read: it steers the graph, or is a fault of the program. */
function passesBy(error: unknown): boolean {
  if (isGraphBubbleUp(error)) return true;
  if (ToolstileError.isInstance(error)) return error.code === "ERR_PERMIT";
  return MiddlewareError.isInstance(error) && !ToolInvocationError.isInstance(rootOf(error));
}

function rootOf(error: unknown): unknown {
  return MiddlewareError.isInstance(error) ? rootOf(error.cause) : error;
}

/** What the model reads of a tool that failed, as in an agent without middleware. */
function failure(error: unknown, { toolCall }: ToolCallRequest): ToolMessage {
  const root = rootOf(error);
  const isRefusal = ToolInvocationError.isInstance(root);
  const content = isRefusal ? root.message : `${textOf(root)}\n Please fix your mistakes.`;
  const { id = "", name } = toolCall;
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
}

function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "The tool failed.";
  }
}
