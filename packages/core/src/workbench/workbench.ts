import type { CallContext, JsonObject, ToolDefinition, ToolResult } from "../protocol/guardrail.js";

export interface WorkbenchCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly callId?: string | undefined;
  readonly context?: CallContext | undefined;
  readonly agentName?: string | undefined;
}

/** A set of tools that can change, with a life cycle. The shape is AutoGen's `Workbench` and `StreamWorkbench`. */
export interface Workbench {
  listTools(): Promise<readonly ToolDefinition[]>;
  /** Rejects only on an abort: whatever else happens, also to an unknown tool, is an error result. */
  callTool(name: string, args?: unknown, options?: WorkbenchCallOptions): Promise<ToolResult>;
  /** Yields what the tool yields, and the ToolResult last. */
  callToolStream(
    name: string,
    args?: unknown,
    options?: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  reset(): Promise<void>;
  saveState(): Promise<JsonObject>;
  loadState(state: JsonObject): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
