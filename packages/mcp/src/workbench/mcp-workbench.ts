import {
  checkOptions,
  guardWorkbench,
  type JsonObject,
  type ToolDefinition,
  type ToolResult,
  ToolstileError,
  type Workbench,
  type WorkbenchCallOptions,
  type WorkbenchOptions,
} from "@toolstile/core";
import { ClientTools } from "./client-tools.js";
import { type GuardedMcpWorkbench, RefreshingWorkbench } from "./refreshing-workbench.js";
import { loadSdk, type McpClient, type StdioServer } from "./sdk.js";

export interface McpWorkbenchOptions {
  /** Guards around the server's tools, with all that `guardWorkbench()` takes. Without them, give the workbench to it yourself. */
  readonly guards?: WorkbenchOptions | undefined;
  /** Milliseconds that the server may take for a call. Default 60,000. */
  readonly callTimeoutMs?: number | undefined;
  /** The line of the SDK. Default: the newest that is installed. */
  readonly sdk?: 1 | 2 | undefined;
}

export type GuardedMcpWorkbenchOptions = McpWorkbenchOptions & {
  readonly guards: WorkbenchOptions;
};

/** A server that is reached by streamable HTTP. */
export interface HttpServer {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Steps of progress that wait for a reader. Of more, the oldest are gone. */
const mostProgress = 1_000;

/** Has a client connected, and gives it. */
type Connect = () => Promise<McpClient>;

/**
 * The tools of an MCP server as a workbench.
 *
 * It connects when it is first used, or by `start()`. Once stopped, or when the
 * server has gone, every call is an error result until it is started again. MCP
 * knows of no state to save.
 */
export class McpWorkbench implements Workbench {
  readonly #connect: Connect;
  readonly #isOwner: boolean;
  readonly #callTimeoutMs: number;
  #tools: Promise<ClientTools> | undefined;
  #isStopped = false;
  /** Told when the server says that its list has changed. */
  onToolsChanged: (() => void) | undefined;

  private constructor(connect: Connect, isOwner: boolean, callTimeoutMs: number) {
    this.#connect = connect;
    this.#isOwner = isOwner;
    this.#callTimeoutMs = callTimeoutMs;
  }

  /** A server that is started as a process of its own, and speaks over its standard streams. */
  static stdio(server: StdioServer, options: GuardedMcpWorkbenchOptions): GuardedMcpWorkbench;
  static stdio(server: StdioServer, options?: McpWorkbenchOptions): Workbench;
  static stdio(server: StdioServer, options: McpWorkbenchOptions = {}): Workbench {
    checkOptions("McpWorkbench.stdio()", server, ["command", "args", "env", "cwd"]);
    if (typeof server.command !== "string" || server.command === "") {
      throw new ToolstileError("ERR_INVALID_OPTION", "command is the program of the server.");
    }
    return guarded("McpWorkbench.stdio()", options, true, async () => {
      const sdk = await loadSdk(options.sdk);
      const client = sdk.client();
      await client.connect((await sdk.stdio(server)) as never);
      return client;
    });
  }

  /** A server that is reached by streamable HTTP. */
  static http(server: HttpServer, options: GuardedMcpWorkbenchOptions): GuardedMcpWorkbench;
  static http(server: HttpServer, options?: McpWorkbenchOptions): Workbench;
  static http(server: HttpServer, options: McpWorkbenchOptions = {}): Workbench {
    checkOptions("McpWorkbench.http()", server, ["url", "headers"]);
    if (!URL.canParse(String(server.url))) {
      throw new ToolstileError("ERR_INVALID_OPTION", "url is the whole address of the server.");
    }
    const url = new URL(server.url);
    return guarded("McpWorkbench.http()", options, true, async () => {
      const sdk = await loadSdk(options.sdk);
      const client = sdk.client();
      await client.connect((await sdk.http(url, server.headers ?? {})) as never);
      return client;
    });
  }

  /** A client of yours, of either SDK line, that is connected. Stopping the workbench leaves it open. */
  static over(client: McpClient, options: GuardedMcpWorkbenchOptions): GuardedMcpWorkbench;
  static over(client: McpClient, options?: McpWorkbenchOptions): Workbench;
  static over(client: McpClient, options: McpWorkbenchOptions = {}): Workbench {
    if (typeof client?.callTool !== "function" || typeof client.listTools !== "function") {
      throw new ToolstileError("ERR_INVALID_OPTION", "McpWorkbench.over() takes an MCP client.");
    }
    return guarded("McpWorkbench.over()", options, false, async () => client);
  }

  /** @internal */
  static of(connect: Connect, isOwner: boolean, callTimeoutMs: number): McpWorkbench {
    return new McpWorkbench(connect, isOwner, callTimeoutMs);
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    return (await this.#connected()).list();
  }

  async callTool(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): Promise<ToolResult> {
    const call = { name, args, options, onProgress: undefined };
    return this.#result(call.name, options, (tools) => tools.call(call));
  }

  async *callToolStream(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): AsyncGenerator<unknown, void> {
    const progress: unknown[] = [];
    let wake: () => void = () => {};
    const onProgress = (step: unknown): void => {
      if (progress.push(step) > mostProgress) progress.shift();
      wake();
    };
    let result: ToolResult | undefined;
    const leaving = new AbortController();
    const signals = [leaving.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const watched = { ...options, signal: AbortSignal.any(signals) };
    const called = this.#result(name, options, (tools) =>
      tools.call({ name, args, options: watched, onProgress }),
    ).then((answered) => {
      result = answered;
    });
    // Whether it is read to its end or not: a rejection is seen to here, or below.
    called.catch(() => {}).finally(() => wake());
    try {
      while (result === undefined || progress.length > 0) {
        if (progress.length > 0) yield progress.shift();
        else {
          const waked = new Promise<void>((resolve) => {
            wake = resolve;
          });
          await Promise.race([called, waked]);
        }
      }
      yield result;
    } finally {
      if (result === undefined) leaving.abort();
    }
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    await this.#connected();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const tools = this.#tools;
    this.#tools = undefined;
    // One that never came to be has nothing to close.
    const connected = await tools?.catch(() => undefined);
    await connected?.close(this.#isOwner);
  }

  async reset(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async saveState(): Promise<JsonObject> {
    return {};
  }

  async loadState(): Promise<void> {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Whatever happens is an error result, but an abort. */
  async #result(
    name: string,
    { callId = "", signal }: WorkbenchCallOptions,
    call: (tools: ClientTools) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    try {
      return await call(await this.#connected());
    } catch (error) {
      if (signal?.aborted === true) {
        const cause = signal.reason;
        throw new ToolstileError("ERR_ABORTED", "The caller aborted the tool call.", { cause });
      }
      const content = error instanceof Error ? error.message : String(error);
      return { callId, name, isError: true, content };
    }
  }

  #connected(): Promise<ClientTools> {
    if (this.#isStopped) {
      const message = "The workbench is stopped. start() connects it again.";
      return Promise.reject(new ToolstileError("ERR_CLOSED", message));
    }
    this.#tools ??= this.#open();
    return this.#tools;
  }

  async #open(): Promise<ClientTools> {
    try {
      const client = await this.#connect();
      return new ClientTools(client, this.#callTimeoutMs, () => this.onToolsChanged?.());
    } catch (error) {
      // The next one may try again.
      this.#tools = undefined;
      throw error;
    }
  }
}

function guarded(
  where: string,
  options: McpWorkbenchOptions,
  isOwner: boolean,
  connect: Connect,
): Workbench {
  checkOptions(where, options, ["guards", "callTimeoutMs", "sdk"]);
  const { guards, callTimeoutMs = 60_000, sdk } = options;
  if (typeof callTimeoutMs !== "number" || !(callTimeoutMs > 0 && callTimeoutMs < 2 ** 31)) {
    const message = "callTimeoutMs is a number of milliseconds above 0, and less than 2^31.";
    throw new ToolstileError("ERR_INVALID_OPTION", message);
  }
  if (sdk !== undefined && sdk !== 1 && sdk !== 2) {
    throw new ToolstileError("ERR_INVALID_OPTION", "sdk is 1 or 2, the line of the MCP SDK.");
  }
  const inner = McpWorkbench.of(connect, isOwner, callTimeoutMs);
  if (guards === undefined) return inner;
  const bench = new RefreshingWorkbench(guardWorkbench(inner, guards));
  inner.onToolsChanged = () => bench.changed();
  return bench;
}
