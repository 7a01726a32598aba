/**
 * The members of Mastra's objects that this package reads.
 *
 * Written down here, and not imported, so that its types do not need Mastra's.
 */

/** A tool's second argument, beside its input. In a workflow it has no `agent`. */
export interface ToolCallContext {
  readonly agent?: AgentCall | undefined;
  readonly workflow?: object | undefined;
  /** The request, as Mastra's MCP server tells of it. */
  readonly mcp?: { readonly extra?: { readonly signal?: AbortSignal | undefined } } | undefined;
  /** The run of the agent. */
  readonly runId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  /** The application's own values for this request. */
  readonly requestContext?: { readonly get: (key: string) => unknown } | undefined;
}

/** The state that the attempts at one call share, also those of a background task that is retried. */
export interface Attempt {
  readonly toolCallId?: string | undefined;
  readonly messages?: unknown;
  readonly isBackgroundTask?: boolean | undefined;
}

/** The agent whose call it is, as a tool is told of it. */
export interface AgentCall extends Attempt {
  readonly agentId?: string | undefined;
  /** The conversation. */
  readonly threadId?: string | undefined;
  /** Whose conversation it is. */
  readonly resourceId?: string | undefined;
  readonly suspend?: ((payload: object) => unknown) | undefined;
  readonly suspendPayload?: unknown;
  readonly resumeData?: unknown;
}

/** A tool as `createTool()` makes it. */
export interface MastraTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema?: unknown;
  readonly execute?: unknown;
}

export type Execute = (input: unknown, context?: ToolCallContext) => Promise<unknown>;

/** One call, as a hook is told of it. */
export interface HookedCall {
  readonly toolName: string;
  readonly input: unknown;
  /** The context that the framework runs the tool with. */
  readonly context: HookedContext | undefined;
  readonly metadata?: { readonly agentId?: unknown } | undefined;
}

/** A call's context as a hook is told of it: less than the tool is. */
export interface HookedContext extends Attempt {
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: { readonly get: (key: string) => unknown } | undefined;
}

/** The same, as Mastra types it; and once the tool has answered, or failed. */
export interface HookArgument extends Omit<HookedCall, "context"> {
  readonly context: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}
