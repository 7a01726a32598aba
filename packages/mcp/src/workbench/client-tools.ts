import {
  type ToolContent,
  type ToolDefinition,
  type ToolResult,
  ToolstileError,
  type WorkbenchCallOptions,
} from "@toolstile/core";
import { own } from "../connection/json-rpc.js";
import { ToolPages } from "../connection/tool-pages.js";
import { isVersion2, type McpClient } from "./sdk.js";

/** One call of a tool. */
interface ToolRequest {
  readonly name: string;
  readonly args: unknown;
  readonly options: WorkbenchCallOptions;
  readonly onProgress: ((step: unknown) => void) | undefined;
}

/** The tools of a server that a client is connected to. */
export class ClientTools {
  readonly #client: McpClient;
  readonly #timeoutMs: number;
  #hasGone = false;

  constructor(client: McpClient, timeoutMs: number, onChanged: () => void) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    const onClose = client.onclose;
    client.onclose = () => {
      this.#hasGone = true;
      onClose?.();
    };
    watch(client, onChanged);
  }

  async close(isOwner: boolean): Promise<void> {
    this.#hasGone = true;
    if (isOwner) await this.#client.close();
  }

  async list(): Promise<readonly ToolDefinition[]> {
    this.#requireThere();
    const pages = new ToolPages();
    let cursor: unknown;
    for (;;) {
      const page = await this.#client.listTools(
        ...(cursor === undefined ? [] : [{ cursor: cursor as string }]),
      );
      try {
        cursor = pages.add(page.tools, page.nextCursor);
      } catch (cause) {
        const message = cause instanceof RangeError ? cause.message : "The server's list is none.";
        throw new ToolstileError("ERR_INVALID_TOOL", message, { cause });
      }
      if (cursor === undefined) return pages.tools.map(definitionOf);
    }
  }

  async call({ name, args, options, onProgress }: ToolRequest): Promise<ToolResult> {
    this.#requireThere();
    const { callId = "", signal } = options;
    const given = {
      timeout: this.#timeoutMs,
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onprogress: onProgress }),
    };
    const params = { name, arguments: args ?? {} };
    const result = isVersion2(this.#client)
      ? await this.#client.callTool(params, given)
      : await this.#client.callTool(params, undefined, given);
    const content = (own(result, "content") ?? []) as ToolContent;
    const structured = own(result, "structuredContent") as ToolResult["structured"];
    const isError = own(result, "isError") === true;
    return { callId, name, isError, content, structured, raw: result };
  }

  #requireThere(): void {
    if (!this.#hasGone) return;
    throw new ToolstileError("ERR_CLOSED", "The MCP server has gone. reset() starts it again.");
  }
}

/**
 * Be told when the server says that its tools have changed.
 *
 * At the transport, since a client has one listener for it, which may be its
 * owner's.
 */
function watch({ transport }: McpClient, onChanged: () => void): void {
  if (transport === undefined) return;
  const listener = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (own(message, "method") === "notifications/tools/list_changed") onChanged();
    listener?.(message, extra);
  };
}

function definitionOf(tool: unknown): ToolDefinition {
  const { name, description, inputSchema, outputSchema, annotations } = Object(tool) as {
    readonly name: string;
  } & Record<string, never>;
  return { name, description, parameters: inputSchema, outputSchema, annotations };
}
