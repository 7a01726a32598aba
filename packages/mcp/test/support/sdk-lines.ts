import { Client as ClientV2, InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as ServerV2 } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { GuardableServer, McpTransport } from "../../src/index.js";

/** What the two lines' clients have in common. */
export interface TestClient {
  connect(transport: McpTransport): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    options?: { signal?: AbortSignal },
  ): Promise<{ content: unknown; isError?: unknown; structuredContent?: unknown }>;
  /** As an agent would that goes around `callTool`. */
  requestCall(params: object): Promise<unknown>;
}

export interface TestServer extends GuardableServer {
  close(): Promise<void>;
  sendToolListChanged(): void;
}

export interface ServerState {
  /** What each call of a tool was given. */
  readonly ran: unknown[];
  /** Told of each call of the tool that waits until it is stopped. */
  readonly waits: (signal: AbortSignal) => void;
}

export interface SdkLine {
  readonly name: string;
  readonly client: () => TestClient;
  readonly server: (state: ServerState) => TestServer;
  readonly pair: () => [McpTransport, McpTransport];
}

const info = { name: "test", version: "1.0.0" };

/** The same tools, registered with either line. */
function register(server: ServerV1 | ServerV2, { ran, waits }: ServerState): void {
  // biome-ignore lint/suspicious/noExplicitAny: the two lines' registerTool() have no type in common.
  const mcp = server as any;
  const to = { description: "Send mail.", inputSchema: z.object({ to: z.string() }) };
  mcp.registerTool("send", to, (args: { to: string }) => {
    ran.push(args);
    return { content: [{ type: "text", text: `Sent to ${args.to}.` }], _meta: { trace: "t1" } };
  });
  const count = { ...to, outputSchema: z.object({ count: z.number() }) };
  mcp.registerTool("count", count, (args: object) => {
    ran.push(args);
    return { content: [{ type: "text", text: "3 secrets" }], structuredContent: { count: 3 } };
  });
  mcp.registerTool("fail", { description: "Fail." }, () => {
    throw new Error("disk full");
  });
  mcp.registerTool("wait", { description: "Wait." }, (context: unknown) => {
    const { signal, mcpReq } = context as {
      signal?: AbortSignal;
      mcpReq?: { signal: AbortSignal };
    };
    const stop = (signal ?? mcpReq?.signal) as AbortSignal;
    waits(stop);
    return new Promise((_, reject) => {
      stop.addEventListener("abort", () => reject(new Error("stopped")));
    });
  });
}

function serverOf<Server extends ServerV1 | ServerV2>(server: Server, state: ServerState): Server {
  register(server, state);
  return server;
}

export const lines: readonly SdkLine[] = [
  {
    name: "version 1",
    client: () => {
      const client = new ClientV1(info);
      return Object.assign(client as unknown as TestClient, {
        callTool: (params: object, options?: object) =>
          ClientV1.prototype.callTool.call(client, params as never, undefined, options),
        requestCall: (params: object) =>
          client.request({ method: "tools/call", params } as never, z.looseObject({}) as never),
      });
    },
    server: (state) => serverOf(new ServerV1(info), state) as TestServer,
    pair: () => MemoryV1.createLinkedPair() as [McpTransport, McpTransport],
  },
  ...(["legacy", "auto"] as const).map((mode) => ({
    name: `version 2, ${mode}`,
    client: () => {
      const client = new ClientV2(info, { versionNegotiation: { mode } });
      return Object.assign(client as unknown as TestClient, {
        requestCall: (params: object) => client.request({ method: "tools/call", params } as never),
      });
    },
    server: (state: ServerState) => serverOf(new ServerV2(info), state) as TestServer,
    pair: () => MemoryV2.createLinkedPair() as [McpTransport, McpTransport],
  })),
];
