import type { FunctionTool, RunContext } from "@openai/agents";

/** The details of a call, as the framework tells a tool. */
export type CallDetails = NonNullable<Parameters<FunctionTool["invoke"]>[2]>;

/** Any function tool of the framework, whatever its context, parameters and result. */
export interface GuardableTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  readonly invoke: (runContext: never, input: string, details?: CallDetails) => Promise<unknown>;
}

/** The context that a tool is run in. */
export type ContextOf<Tool> = Tool extends {
  readonly invoke: (runContext: RunContext<infer Context>, ...rest: never) => unknown;
}
  ? Context
  : never;

export type Invoke = (
  runContext: RunContext<unknown>,
  input: string,
  details?: CallDetails,
) => Promise<unknown>;

/** Ask a tool of any context: what it is run with is what the framework gave its guarded self. */
export function invokeOf(tool: GuardableTool): Invoke {
  return (runContext, input, details) => tool.invoke(runContext as never, input, details);
}

/** The same tool with another way to its function, and what else is to be put in place of its own. */
export function withInvoke<Tool extends GuardableTool>(
  tool: Tool,
  invoke: Invoke,
  others: object = {},
): Tool {
  const { on } = tool as { on?: unknown };
  if (typeof on !== "function") return copyWith(tool, { ...others, invoke });
  const guarded: Tool = copyWith(tool, {
    ...others,
    invoke,
    // An agent as a tool: its own `on` would hand out the tool without its guards.
    on: (...listener: unknown[]) => {
      on.apply(tool, listener);
      return guarded;
    },
  });
  return guarded;
}

/**
 * The details with the arguments that were decided on.
 *
 * Those of an agent as a tool keep the model's own call item: the framework
 * finds what the nested run came to by that item's identity.
 */
export function detailsFor(
  tool: GuardableTool,
  details: CallDetails | undefined,
  input: string,
): CallDetails | undefined {
  const toolCall = details?.toolCall;
  if (details === undefined || toolCall === undefined || "on" in tool) return details;
  // The usual case: a copy by descriptors costs more than a guard.
  if (toolCall.arguments === input) return details;
  return copyWith(details, { toolCall: { ...toolCall, arguments: input } });
}

/**
 * By descriptors, as the framework itself copies: a tool's namespace and its
 * validator, and what a call inherits of its run, are hidden under symbols.
 */
function copyWith<T extends object>(object: T, members: object): T {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(object);
  for (const [key, value] of Object.entries(members)) {
    descriptors[key] = { value, enumerable: true, configurable: true, writable: true };
  }
  return Object.create(Object.getPrototypeOf(object), descriptors);
}
