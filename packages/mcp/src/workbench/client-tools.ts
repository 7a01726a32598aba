import {
  type ToolContent,
  type ToolDefinition,
  type ToolResult,
  ToolstileError,
} from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";
import type { WorkbenchCallOptions } from "@toolstile/core/workbench";
import { ToolPages } from "../tools/tool-pages.js";
import { isVersion2, type McpClient } from "./sdk.js";

/** One call of a tool, for the server. */
interface ToolRequest {
  readonly name: string;
  readonly args: unknown;
  readonly options: WorkbenchCallOptions;
  readonly onProgress?: (step: unknown) => void;
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
    let cursor: string | undefined;
    do {
      const page = await this.#client.listTools(
        cursor === undefined ? undefined : { cursor },
        // Version 2 keeps a list for as long as its server said, also one that has changed.
        { timeout: this.#timeoutMs, cacheMode: "refresh" },
      );
      cursor = pages.add(page.tools, page.nextCursor);
    } while (cursor !== undefined);
    return pages.list.all;
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
      ? await this.#client.callTool(params as never, given as never)
      : await this.#client.callTool(params as never, undefined as never, given as never);
    const content = (ownValue(result, "content") ?? []) as ToolContent;
    const structured = ownValue(result, "structuredContent") as ToolResult["structured"];
    const isError = ownValue(result, "isError") === true;
    return { callId, name, isError, content, structured, raw: result };
  }

  #requireThere(): void {
    if (!this.#hasGone) return;
    throw new ToolstileError("ERR_CLOSED", "The MCP server has gone. reset() starts it again.");
  }
}

/**
 * Call back when the server reports that its tools have changed.
 *
 * This listens at the transport: a client has one listener for it, which may be
 * its owner's.
 */
function watch({ transport }: McpClient, onChanged: () => void): void {
  if (transport === undefined) return;
  const listener = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (ownValue(message, "method") === "notifications/tools/list_changed") onChanged();
    listener?.(message, extra);
  };
}
