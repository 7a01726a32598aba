import type {
  CallToolResult,
  CallToolResultContent,
  MCPServer,
  MCPServerWithResources,
} from "@openai/agents";
import type { ToolResult } from "@toolstile/core";
import { describeCall, thrownFor } from "@toolstile/core/host";
import { ownValue } from "@toolstile/core/provider";
import {
  guardWorkbench,
  type WorkbenchCallOptions,
  type WorkbenchOptions,
} from "@toolstile/core/workbench";
import { type HostFacts, refuseOptions } from "./call-facts.js";
import { errorOf, type MCPTool, ServerWorkbench, thrown } from "./mcp-workbench.js";

/** The metadata of an MCP request, as the server's `toolMetaResolver` made it. */
type Meta = Parameters<MCPServer["callTool"]>[2];
type CallOptions = Parameters<MCPServer["callTool"]>[3];

export interface GuardMcpServerOptions extends Omit<WorkbenchOptions, "overrides"> {
  /** The host's facts about a call. The framework tells a server nothing of it but the request's metadata. A throw denies the call. */
  readonly describe?: ((meta: Meta) => HostFacts) | undefined;
}

/** The members of a server that the framework uses, beside tools and calls. */
const passedOn = [
  "name",
  "cacheToolsList",
  "toolFilter",
  "toolMetaResolver",
  "customDataExtractor",
  "toolInputGuardrails",
  "toolOutputGuardrails",
  "useStructuredContent",
  "errorFunction",
  "connect",
  "close",
  "invalidateToolsCache",
  "listResources",
  "listResourceTemplates",
  "readResource",
] as const satisfies readonly (keyof MCPServerWithResources)[];

/**
 * Put guards around an MCP server, and hide it.
 *
 * Tools that a guard refuses are left off the list; what decides is the check
 * at the call. The framework tells a server neither the call's id nor the
 * agent: ids are minted. Where the server throws, judges see the error as text,
 * and an error of just that text is thrown, unless a judge withheld or changed it.
 *
 * @throws ToolstileError as guardWorkbench() does, and from `listTools()` for
 * tools whose arguments no guard checks.
 */
export function guardMcpServer(
  server: MCPServerWithResources,
  options: GuardMcpServerOptions,
): MCPServerWithResources;
export function guardMcpServer(server: MCPServer, options: GuardMcpServerOptions): MCPServer;
export function guardMcpServer(server: MCPServer, options: GuardMcpServerOptions): MCPServer {
  refuseOptions("guardMcpServer()", options, ["overrides"]);
  const { describe, ...rest } = options;
  const inner = new ServerWorkbench(server);
  const bench = guardWorkbench(inner, rest);

  async function ask(
    method: "callTool" | "callToolResult",
    name: string,
    args: Record<string, unknown> | null,
    meta: Meta,
    { signal }: NonNullable<CallOptions> = {},
  ): Promise<CallToolResult> {
    const callId = crypto.randomUUID();
    const { turnId: _, ...facts } = describeCall(describe && (() => describe(meta)));
    const known = signal === undefined ? { callId } : { callId, signal };
    const told = { ...(facts as WorkbenchCallOptions), ...known };
    try {
      return await inner.with(callId, { method, meta }, async () =>
        answered(await bench.callTool(name, args ?? {}, told)),
      );
    } catch (error) {
      throw thrownFor(error, signal);
    }
  }

  const guarded = {
    async listTools(): Promise<MCPTool[]> {
      const definitions = await bench.listTools();
      return definitions.flatMap(({ name }) => inner.listed(name) ?? []);
    },
    async callTool(...[name, args, meta, callOptions]: Parameters<MCPServer["callTool"]>) {
      return contentOf(await ask("callTool", name, args, meta, callOptions));
    },
  };
  for (const key of passedOn) {
    Object.defineProperty(guarded, key, { get: () => member(server, key), enumerable: true });
  }
  return server.callToolResult === undefined
    ? (guarded as unknown as MCPServer)
    : (Object.assign(guarded, {
        callToolResult: (...[name, args, meta, callOptions]: Parameters<MCPServer["callTool"]>) =>
          ask("callToolResult", name, args, meta, callOptions),
      }) as unknown as MCPServer);
}

function member(server: MCPServer, key: string): unknown {
  const value = (server as unknown as Record<string, unknown>)[key];
  return typeof value === "function" ? value.bind(server) : value;
}

/** @throws an error of the text that was judged, where the server threw. */
function answered({ content, structured, isError, raw }: ToolResult): CallToolResult {
  if (raw === thrown) throw errorOf(String(content));
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : [...content];
  // No other member has been judged. Metadata is the host's alone to read.
  const meta: unknown = ownValue(raw, "_meta");
  return {
    ...(meta !== undefined && { _meta: meta }),
    content: parts,
    isError,
    // Core keeps `raw` of a result that no judge changed. Of any other the content
    // is what was judged and recorded, and the framework may prefer the other half.
    structuredContent: (raw === undefined
      ? undefined
      : structured) as CallToolResult["structuredContent"],
  } as CallToolResult;
}

/** The content alone, which carries the rest as the framework's own servers have it. */
function contentOf({ content, ...rest }: CallToolResult): CallToolResultContent {
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    Object.defineProperty(content, key, { value, enumerable: false, configurable: true });
  }
  return content as CallToolResultContent;
}
