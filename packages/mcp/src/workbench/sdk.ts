import { ToolstileError } from "@toolstile/core";
import type { McpTransport } from "../transport/transport.js";

/** The members of a client, of either SDK line, that are used here. */
export interface McpClient {
  listTools(
    params?: { cursor?: string },
    options?: { timeout: number; cacheMode: "refresh" },
  ): Promise<{ tools: readonly unknown[]; nextCursor?: unknown }>;
  /** Version 1 takes a schema before its options, version 2 does not. */
  callTool(params: never, ...rest: never[]): Promise<unknown>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  readonly transport?: McpTransport | undefined;
}

/** The parts of an SDK that make a client. */
export interface Sdk {
  readonly client: () => McpClient & { connect(transport: never): Promise<void> };
  readonly stdio: (server: StdioServer) => Promise<McpTransport>;
  readonly http: (url: URL, headers: Readonly<Record<string, string>>) => Promise<McpTransport>;
}

/** The program of a server that runs as a process of its own. */
export interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables besides those that the SDK lets a server inherit, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

const info = { name: "toolstile", version: "0.1.0" };

/** Load the SDK of this line, or the newest that is installed. @throws ToolstileError that names the package to install. */
export async function loadSdk(line: 1 | 2 | undefined): Promise<Sdk> {
  const attempts = line === undefined ? [version2, version1] : [line === 1 ? version1 : version2];
  let missing: unknown;
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing = error;
    }
  }
  const name = line === 1 ? "@modelcontextprotocol/sdk" : "@modelcontextprotocol/client";
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `McpWorkbench needs an MCP SDK to make a client: npm install ${name}. Or pass a client of yours to McpWorkbench.over().`,
    { cause: missing },
  );
}

async function version2(): Promise<Sdk> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  return {
    client: () =>
      new Client(info, { versionNegotiation: { mode: "auto" } }) as ReturnType<Sdk["client"]>,
    stdio: async (server) => {
      const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
      return new StdioClientTransport(server as never) as McpTransport;
    },
    http: async (url, headers) =>
      new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as McpTransport,
  };
}

async function version1(): Promise<Sdk> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  return {
    client: () => new Client(info) as unknown as ReturnType<Sdk["client"]>,
    stdio: async (server) => {
      const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
      return new StdioClientTransport(server as never) as McpTransport;
    },
    http: async (url, headers) => {
      const path = "@modelcontextprotocol/sdk/client/streamableHttp.js";
      const { StreamableHTTPClientTransport } = (await import(path)) as {
        StreamableHTTPClientTransport: new (url: URL, options: object) => McpTransport;
      };
      return new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

/** True for a client of version 2, which alone has a method for the revision that it speaks. */
export function isVersion2(client: McpClient): boolean {
  return typeof (client as { getProtocolEra?: unknown }).getProtocolEra === "function";
}
