import {
  type JsonObject,
  type ToolDefinition,
  type ToolResult,
  ToolstileError,
} from "@toolstile/core";
import type { Workbench, WorkbenchCallOptions } from "@toolstile/core/workbench";
import { ClientTools } from "./client-tools.js";
import type { McpClient } from "./sdk.js";

/** The most steps of progress that wait for a reader. Of more, the oldest are dropped. */
const mostProgress = 1_000;

/** A workbench of an MCP server. */
export interface McpToolWorkbench extends Workbench {
  /** Ends it for good, with the guards that it has. `stop()` ends it until it is started again. */
  close(): Promise<void>;
}

/** A workbench over a client of an MCP SDK, which is connected when it is first used. */
export class ClientWorkbench implements McpToolWorkbench {
  readonly #connect: () => Promise<McpClient>;
  readonly #isOwner: boolean;
  readonly #callTimeoutMs: number;
  #tools: Promise<ClientTools> | undefined;
  #isStopped = false;
  #listing: Promise<unknown> = Promise.resolve();
  /** Called when the server reports that its list has changed. */
  onToolsChanged: (() => void) | undefined;
  /** Gives the list, which it may know without reading it. */
  listing = (read: () => Promise<readonly ToolDefinition[]>) => read();

  /** @param isOwner true if stopping the workbench closes the client. */
  constructor(connect: () => Promise<McpClient>, isOwner: boolean, callTimeoutMs: number) {
    this.#connect = connect;
    this.#isOwner = isOwner;
    this.#callTimeoutMs = callTimeoutMs;
  }

  /** Lists one after the other: whoever asked last also has the last answer. */
  listTools(): Promise<readonly ToolDefinition[]> {
    return this.listing(() => {
      const listed = this.#listing.then(async () => (await this.#connected()).list());
      this.#listing = listed.catch(() => {});
      return listed;
    });
  }

  async callTool(name: string, args?: unknown, given?: WorkbenchCallOptions): Promise<ToolResult> {
    const options = given ?? {};
    return this.#result(name, options, (tools) => tools.call({ name, args, options }));
  }

  async *callToolStream(
    name: string,
    args?: unknown,
    given?: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void> {
    const options = given ?? {};
    const progress: unknown[] = [];
    let wake: () => void = () => {};
    const onProgress = (step: unknown): void => {
      if (progress.push(step) > mostProgress) progress.shift();
      wake();
    };
    let result: ToolResult | undefined;
    const leaving = new AbortController();
    const called = this.#result(name, options, (tools) => {
      const signals = [leaving.signal, ...(options.signal === undefined ? [] : [options.signal])];
      const watched = { ...options, signal: AbortSignal.any(signals) };
      return tools.call({ name, args, options: watched, onProgress });
    }).then((answered) => {
      result = answered;
    });
    // A rejection is handled here, and also below if the stream is read to its end.
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
    // If it could not be opened, there is nothing to close.
    const connected = await tools?.catch(() => undefined);
    await connected?.close(this.#isOwner);
  }

  close(): Promise<void> {
    return this.stop();
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

  /** Turns every error into an error result, except an abort. */
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
      // The next call may try again.
      this.#tools = undefined;
      throw error;
    }
  }
}
