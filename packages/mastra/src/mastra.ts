/**
 * What this package reads of Mastra's objects.
 *
 * Written down here, and not imported, so that its types do not need Mastra's.
 */

/** What Mastra tells a tool beside its input. Where there is no agent, as in a workflow, there is no `agent`. */
export interface ToolCallContext {
  readonly agent?: AgentCall | undefined;
  readonly workflow?: object | undefined;
  /** What Mastra's MCP server says of the request. */
  readonly mcp?: { readonly extra?: { readonly signal?: AbortSignal | undefined } } | undefined;
  /** The run of the agent. */
  readonly runId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  /** What the application put there for this request. */
  readonly requestContext?: { readonly get: (key: string) => unknown } | undefined;
}

/** What a tool is told of the agent whose call it is. */
export interface AgentCall {
  readonly agentId?: string | undefined;
  readonly toolCallId?: string | undefined;
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

/** What a hook is told of a call. */
export interface HookedCall {
  readonly toolName: string;
  readonly input: unknown;
  /** What the framework runs the tool with. */
  readonly context: HookedContext | undefined;
  readonly metadata?: { readonly agentId?: unknown } | undefined;
}

/** Of a call's context, a hook is told less than the tool is. */
export interface HookedContext {
  readonly toolCallId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: { readonly get: (key: string) => unknown } | undefined;
}

/** The same, as Mastra types it; and once the tool has answered, or failed. */
export interface HookArgument extends Omit<HookedCall, "context"> {
  readonly context: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}
