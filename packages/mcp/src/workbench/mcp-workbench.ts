import { ToolstileError } from "@toolstile/core";
import {
  list,
  nonEmptyText,
  type OptionTable,
  object,
  parseUrl,
  readOptions,
  required,
  such,
  text,
} from "@toolstile/core/provider";
import type { WorkbenchOptions } from "@toolstile/core/workbench";
import { milliseconds } from "../connection/connection-options.js";
import { ClientWorkbench, type McpToolWorkbench } from "./client-workbench.js";
import { type GuardedMcpWorkbench, RefreshingWorkbench } from "./refreshing-workbench.js";
import { loadSdk, type McpClient, type StdioServer } from "./sdk.js";

export interface McpWorkbenchOptions {
  /** Guards around the server's tools: the options of `guardWorkbench()`. Without them, the workbench is not guarded. */
  readonly guards?: WorkbenchOptions | undefined;
  /** Milliseconds that the server may take for a call. Default 60,000. */
  readonly callTimeoutMs?: number | undefined;
  /** The version line of the SDK. Default the newest that is installed. */
  readonly sdk?: 1 | 2 | undefined;
}

export type GuardedMcpWorkbenchOptions = McpWorkbenchOptions & {
  readonly guards: WorkbenchOptions;
};

/** The address of a server that speaks streamable HTTP. */
export interface HttpServer {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const benchTable = {
  guards: object<WorkbenchOptions>("the options of guardWorkbench()"),
  callTimeoutMs: milliseconds().default(60_000),
  sdk: such<1 | 2>(
    (value) => value === 1 || value === 2,
    "1 or 2, the version line of the MCP SDK",
  ),
} satisfies OptionTable<McpWorkbenchOptions>;

const stdioServer = {
  command: required(nonEmptyText("the program of the server")),
  args: list(text(), "an array of strings"),
  env: object<Readonly<Record<string, string>>>(),
  cwd: text(),
} satisfies OptionTable<StdioServer>;

const httpServer = {
  url: required(
    such<string | URL>(
      (value) => parseUrl(String(value)) !== undefined,
      "the whole address of the server",
    ),
  ),
  headers: object<Readonly<Record<string, string>>>().default({}),
} satisfies OptionTable<HttpServer>;

/** A workbench of a server that is started as a process, and speaks over its standard streams. */
function stdio(server: StdioServer, options: GuardedMcpWorkbenchOptions): GuardedMcpWorkbench;
function stdio(server: StdioServer, options?: McpWorkbenchOptions): McpToolWorkbench;
function stdio(server: StdioServer, options: McpWorkbenchOptions = {}): McpToolWorkbench {
  const where = "McpWorkbench.stdio()";
  const program = readOptions(where, server, stdioServer);
  return guarded(where, options, true, async (line) => {
    const sdk = await loadSdk(line);
    const client = sdk.client();
    await client.connect((await sdk.stdio(program)) as never);
    return client;
  });
}

/** A workbench of a server that speaks streamable HTTP. */
function http(server: HttpServer, options: GuardedMcpWorkbenchOptions): GuardedMcpWorkbench;
function http(server: HttpServer, options?: McpWorkbenchOptions): McpToolWorkbench;
function http(server: HttpServer, options: McpWorkbenchOptions = {}): McpToolWorkbench {
  const where = "McpWorkbench.http()";
  const { url, headers } = readOptions(where, server, httpServer);
  return guarded(where, options, true, async (line) => {
    const sdk = await loadSdk(line);
    const client = sdk.client();
    await client.connect((await sdk.http(new URL(url), headers)) as never);
    return client;
  });
}

/** A workbench of a connected client of yours, of either SDK line. Stopping the workbench leaves the client open. */
function over(client: McpClient, options: GuardedMcpWorkbenchOptions): GuardedMcpWorkbench;
function over(client: McpClient, options?: McpWorkbenchOptions): McpToolWorkbench;
function over(client: McpClient, options: McpWorkbenchOptions = {}): McpToolWorkbench {
  if (typeof client?.callTool !== "function" || typeof client.listTools !== "function") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `McpWorkbench.over(): client must be an MCP client, received ${typeof client}.`,
    );
  }
  return guarded("McpWorkbench.over()", options, false, async () => client);
}

/**
 * Makes workbenches of the tools of MCP servers.
 *
 * A workbench connects when it is first used, or by `start()`. Once it is
 * stopped, or the server has gone, every call is an error result until it is
 * started again. MCP has no state to save.
 */
export const McpWorkbench = Object.freeze({ stdio, http, over });

function guarded(
  where: string,
  options: McpWorkbenchOptions,
  isOwner: boolean,
  connect: (sdk: 1 | 2 | undefined) => Promise<McpClient>,
): McpToolWorkbench {
  const { guards, callTimeoutMs, sdk } = readOptions(where, options, benchTable);
  const inner = new ClientWorkbench(() => connect(sdk), isOwner, callTimeoutMs);
  return guards === undefined ? inner : new RefreshingWorkbench(inner, guards);
}
