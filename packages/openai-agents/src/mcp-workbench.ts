import type { CallToolResult, CallToolResultContent, MCPServer } from "@openai/agents";
import type { JsonObject, JsonValue, ToolDefinition, ToolResult } from "@toolstile/core";
import { errorText } from "@toolstile/core/host";
import type { Workbench, WorkbenchCallOptions } from "@toolstile/core/workbench";

export type MCPTool = Awaited<ReturnType<MCPServer["listTools"]>>[number];
type Meta = Record<string, unknown> | null | undefined;

/** The part of a call that guards do not see: which of the server's two methods it is, and the request's metadata. */
interface Aside {
  readonly method: "callTool" | "callToolResult";
  readonly meta: Meta;
}

/** Beside the text of what a server threw: whoever called it is to be thrown that text. */
export const thrown: unique symbol = Symbol("thrown");

/**
 * An error that is read as this text and holds nothing else.
 *
 * The error that a server threw may say more than was judged: by a cause, by a
 * second reading of a getter, by a later change.
 */
export function errorOf(text: string): Error {
  const [, name, message] = /^(\w*Error): (.*)$/s.exec(text) ?? [undefined, "", text];
  const error = new Error(message);
  // As of any error, so that String() gives the text again, and the message is without the name.
  if (error.name !== name) {
    Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  }
  return error;
}

/** An MCP server of the framework as the workbench that core puts guards around. */
export class ServerWorkbench implements Workbench {
  readonly #server: MCPServer;
  readonly #asides = new Map<string, Aside>();
  #listed: ReadonlyMap<string, MCPTool> = new Map();

  constructor(server: MCPServer) {
    this.#server = server;
  }

  /** The tool as the server last listed it. */
  listed(name: string): MCPTool | undefined {
    return this.#listed.get(name);
  }

  /** Remember what belongs to a call until it is over. */
  async with<T>(callId: string, aside: Aside, act: () => Promise<T>): Promise<T> {
    this.#asides.set(callId, aside);
    try {
      return await act();
    } finally {
      this.#asides.delete(callId);
    }
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    const tools = await this.#server.listTools();
    this.#listed = new Map(tools.map((tool) => [tool.name, tool]));
    return tools.map(definitionOf);
  }

  async callTool(
    name: string,
    args: JsonObject,
    { callId = "", signal }: WorkbenchCallOptions,
  ): Promise<ToolResult> {
    const { method, meta } = this.#asides.get(callId) ?? { method: "callTool", meta: undefined };
    const options = signal === undefined ? undefined : { signal };
    try {
      const result =
        method === "callToolResult"
          ? await this.#server.callToolResult?.(name, args, meta, options)
          : withContent(await this.#server.callTool(name, args, meta, options));
      return resultOf(result, callId, name);
    } catch (error) {
      return {
        callId,
        name,
        isError: true,
        content: errorText(error, "The MCP server failed."),
        raw: thrown,
      };
    }
  }

  async *callToolStream(
    name: string,
    args: JsonObject,
    options: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void> {
    yield await this.callTool(name, args, options);
  }

  // The server's life is its owner's, and the framework knows of no state of it.
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  async reset(): Promise<void> {}
  async saveState(): Promise<JsonObject> {
    return {};
  }
  async loadState(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}
}

function definitionOf(tool: MCPTool): ToolDefinition {
  const { name, description, inputSchema } = tool;
  const { outputSchema, annotations } = tool as Partial<ToolDefinition>;
  const parameters = inputSchema as JsonObject | undefined;
  return { name, description, parameters, outputSchema, annotations };
}

function withContent(content: CallToolResultContent): CallToolResult {
  const { isError, structuredContent, _meta } = content;
  return Object.assign({ content }, { isError, structuredContent, _meta }) as CallToolResult;
}

function resultOf(result: CallToolResult | undefined, callId: string, name: string): ToolResult {
  const { content, isError, structuredContent } = Object(result) as CallToolResult;
  const structured = structuredContent as JsonValue | undefined;
  return { callId, name, isError: isError === true, content, structured, raw: result };
}
