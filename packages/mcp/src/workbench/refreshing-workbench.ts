import {
  deny,
  type JsonObject,
  type ToolDefinition,
  type ToolResult,
  ToolstileError,
  when,
} from "@toolstile/core";
import { reportFault } from "@toolstile/core/host";
import { systemClock, valueWithin } from "@toolstile/core/provider";
import {
  type GuardedWorkbench,
  guardWorkbench,
  type WorkbenchCallOptions,
  type WorkbenchOptions,
} from "@toolstile/core/workbench";
import { LatestList } from "../tools/latest-list.js";
import { ListRevision, presentListUnread, Readings } from "../tools/list-revision.js";
import type { ClientWorkbench, McpToolWorkbench } from "./client-workbench.js";

/** A workbench behind guards. */
export interface GuardedMcpWorkbench extends McpToolWorkbench {
  /** Run a call that an approver has approved in the meantime, as `ToolRunner.resume` does. */
  resume: GuardedWorkbench["resume"];
}

/**
 * A guarded workbench that reads a changed list before the next call.
 *
 * While the new list cannot be read, every call is denied: the definitions that
 * the guards know are out of date.
 */
export class RefreshingWorkbench implements GuardedMcpWorkbench {
  readonly #bench: GuardedWorkbench;
  readonly #onFault: WorkbenchOptions["onFault"];
  readonly #revision = new ListRevision();
  readonly #readings = new Readings(this.#revision);
  readonly #latest: LatestList<readonly ToolDefinition[]>;
  /** The hosts that have asked for a list and wait for it. */
  #asking = 0;

  constructor(inner: ClientWorkbench, options: WorkbenchOptions) {
    const { guardrails } = options;
    this.#latest = new LatestList(this.#revision, options.clock);
    const isOutOfDate = when(() => this.#isOutOfDate, {
      name: "mcp-workbench",
      evaluate: () => deny(presentListUnread, { code: "withheld" }),
    });
    // The workbench refuses anything but a list.
    const all = Array.isArray(guardrails) ? [isOutOfDate, ...guardrails] : guardrails;
    this.#bench = guardWorkbench(inner, { ...options, guardrails: all });
    this.#onFault = options.onFault;
    inner.onToolsChanged = () => this.#revision.changed();
    inner.listing = (read) => this.#listed(read);
  }

  get #isOutOfDate(): boolean {
    return !this.#revision.isInForce;
  }

  /** The server's list. One that was read just now is not read again for a call of a tool that it does not have. */
  async #listed(
    read: () => Promise<readonly ToolDefinition[]>,
  ): Promise<readonly ToolDefinition[]> {
    const present = this.#asking > 0 ? undefined : this.#latest.present;
    if (present !== undefined) return present;
    const { current } = this.#revision;
    const tools = await read();
    this.#latest.take(tools, current);
    return tools;
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    const { current } = this.#revision;
    this.#asking++;
    try {
      const tools = await this.#bench.listTools();
      this.#revision.take(current);
      return tools;
    } finally {
      this.#asking--;
    }
  }

  async callTool(
    name: string,
    args?: unknown,
    options?: WorkbenchCallOptions,
  ): Promise<ToolResult> {
    await this.#refreshed(options);
    return this.#bench.callTool(name, args, options);
  }

  async *callToolStream(
    name: string,
    args?: unknown,
    options?: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void> {
    await this.#refreshed(options);
    yield* this.#bench.callToolStream(name, args, options);
  }

  async resume(...given: Parameters<GuardedWorkbench["resume"]>): Promise<ToolResult> {
    await this.#refreshed(given[1]);
    return this.#bench.resume(...given);
  }

  /** It never rejects: if the list cannot be read, the guard above denies the call, and operators are told. */
  async #refreshed(options: WorkbenchCallOptions | undefined): Promise<void> {
    if (!this.#isOutOfDate) return;
    const read = this.#readings.read(async () => {
      try {
        await this.listTools();
      } catch (cause) {
        const message = "The server's tools could not be listed.";
        const error = new ToolstileError("ERR_INVALID_TOOL", message, { cause });
        reportFault(this.#onFault, { source: "mcp", phase: "tools/list", error });
      }
    });
    try {
      const bounds = { clock: systemClock, timeoutMs: Number.POSITIVE_INFINITY };
      await valueWithin({ ...bounds, caller: options?.signal }, read, () => {});
    } catch {
      // What is given as the signal is none. The next step refuses the call.
      await read;
    }
  }

  /** Starts the inner workbench anew, after which an older list says nothing. */
  async #restarted(act: () => Promise<void>): Promise<void> {
    this.#revision.changed();
    const { current } = this.#revision;
    await act();
    this.#revision.take(current);
  }

  start(): Promise<void> {
    return this.#restarted(() => this.#bench.start());
  }

  stop(): Promise<void> {
    return this.#bench.stop();
  }

  close(): Promise<void> {
    return this.#bench[Symbol.asyncDispose]();
  }

  reset(): Promise<void> {
    return this.#restarted(() => this.#bench.reset());
  }

  saveState(): Promise<JsonObject> {
    return this.#bench.saveState();
  }

  loadState(state: JsonObject): Promise<void> {
    return this.#bench.loadState(state);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
