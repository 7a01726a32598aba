/**
 * The members of the Claude Agent SDK's objects that this package reads.
 *
 * Written down here, and not imported, so that its types do not need the SDK's.
 */

/** A hook's input. The event says which members it has. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  /** The id of a sub-agent. */
  readonly agent_id?: string | undefined;
  /** The kind of agent: of a sub-agent, or of the whole session. */
  readonly agent_type?: string | undefined;
  readonly cwd?: string | undefined;
  readonly permission_mode?: string | undefined;
}

/** The input of a hook about a tool's call. */
export interface ToolHookInput extends HookInput {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  /** The MCP server that the tool is from, and where its definition is from. */
  readonly mcp_server?: { readonly name: string; readonly source?: string | undefined } | undefined;
  /** Once it has run. */
  readonly tool_response?: unknown;
  /** Once it has failed. */
  readonly error?: string | undefined;
}

/** The input of a hook once all calls of one answer are over, before the model reads of them. */
export interface BatchHookInput extends HookInput {
  readonly tool_calls: readonly {
    readonly tool_use_id: string;
    /** The response that the model would read. */
    readonly tool_response?: unknown;
  }[];
}

/** A hook's output, as far as it is read or written here. */
export interface HookOutput {
  readonly continue?: boolean | undefined;
  readonly stopReason?: string | undefined;
  readonly hookSpecificOutput?: HookSpecificOutput | undefined;
}

export interface HookSpecificOutput {
  readonly hookEventName: string;
  readonly permissionDecision?: string | undefined;
  readonly permissionDecisionReason?: string | undefined;
  readonly updatedInput?: unknown;
  readonly updatedToolOutput?: unknown;
  readonly updatedMCPToolOutput?: unknown;
  /** The decision on a PermissionRequest. */
  readonly decision?: unknown;
}

export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookOutput>;

export interface HookMatcher {
  readonly matcher?: string | undefined;
  readonly hooks: readonly HookCallback[];
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly onFailure?: "continue" | "block" | undefined;
}

export type Hooks = Readonly<Record<string, readonly HookMatcher[] | undefined>>;

/** The callback that the SDK asks where its permission rules say "ask". */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: never,
) => Promise<unknown>;

/** The options of `query()` that are read here. */
export interface QueryOptions {
  readonly hooks?: unknown;
  readonly canUseTool?: unknown;
}
