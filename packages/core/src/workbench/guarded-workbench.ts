import { unreadableOptions } from "../call/unreadable.js";
import { ToolstileError } from "../errors/error.js";
import { object } from "../errors/option-readers.js";
import { type OptionTable, readOptions } from "../errors/options.js";
import type { JsonObject, ToolDefinition, ToolResult } from "../protocol/guardrail.js";
import type { Run, RunMode } from "../run/run.js";
import { refusedFault } from "../runner/faults.js";
import { guardingTable, resumeOptions, type ToolRunnerOptions } from "../runner/options.js";
import { Pipeline, usual } from "../runner/pipeline.js";
import { endingWithResult, streamed } from "../runner/stream.js";
import type { Tool } from "../tool/tool.js";
import { Overrides, type ToolOverride } from "./overrides.js";
import type { Workbench, WorkbenchCallOptions } from "./workbench.js";

export interface WorkbenchOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** The overrides, by the tool's own name. No two tools may end up with one name. */
  readonly overrides?: Readonly<Record<string, ToolOverride>> | undefined;
}

const workbenchOptions = {
  ...guardingTable,
  overrides: object<Readonly<Record<string, ToolOverride>>>(),
} satisfies OptionTable<WorkbenchOptions>;

/** A workbench behind guards. Plain and streamed calls take the same path. */
export abstract class GuardedWorkbench implements Workbench {
  readonly #pipeline: Pipeline;
  readonly #overrides: Overrides;
  #looking: Promise<void> | undefined;
  /** False from the beginning of a look until it has found the list. */
  #knowsTools = true;

  constructor(options: WorkbenchOptions, tools: readonly Tool[] | undefined) {
    const { overrides, ...rest } = readOptions("A workbench", options, workbenchOptions);
    this.#overrides = new Overrides(overrides);
    if (tools !== undefined) this.#overrides.check(tools);
    const { resolve } = this.#overrides;
    const kin = { resolve, knowsTools: () => this.#knowsTools };
    this.#pipeline = new Pipeline({ ...rest, tools }, kin);
  }

  /** Brings the list of tools up to date. */
  protected abstract refresh(): Promise<void>;
  /** Returns the function that streams a tool's items, if it differs from the one that runs the tool. */
  protected abstract streaming(): Tool["execute"];
  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  abstract reset(): Promise<void>;
  abstract saveState(): Promise<JsonObject>;
  abstract loadState(state: JsonObject): Promise<void>;

  protected load(tools: readonly Tool[], first: boolean): void {
    if (first) {
      // Checked before any tool is loaded: a guard that names no tool must not silently have no effect.
      this.#overrides.check(tools);
      this.#pipeline.tools.checkToolNames(new Set(tools.map(({ name }) => name)));
    }
    // A later tool may come under a name that an override has given away. No call can mean it.
    const named = tools.filter(({ name }) => this.#overrides.resolve(name) === name);
    for (const { name, refusedBy, cause } of this.#pipeline.tools.load(named)) {
      // This is a fault of the host, not of the inner workbench: all of its tools would silently be missing.
      if (first && ToolstileError.isInstance(cause) && cause.code === "ERR_UNCHECKED_TOOL")
        throw cause;
      this.#pipeline.report(refusedBy, "register", refusedFault(name, cause));
    }
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    await this.refresh();
    return this.#overrides.apply(this.#pipeline.tools.registry.definitions);
  }

  async callTool(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): Promise<ToolResult> {
    const { callId, ...rest } = readOnce(options);
    await this.#know(name, rest.signal);
    const outcome = await this.#pipeline.run({ name, arguments: args, callId }, rest);
    return outcome.result;
  }

  callToolStream(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): AsyncGenerator<unknown, void> {
    const { callId, ...rest } = readOnce(options);
    const request = { name, arguments: args, callId };
    const execute = this.streaming() as RunMode["execute"];
    const mode = { ...usual, execute };
    const start = (): Run => this.#pipeline.start(request, rest, mode);
    const ready = (): Promise<void> => this.#know(name, rest.signal);
    return endingWithResult(streamed(this.#pipeline, start, ready));
  }

  /**
   * Runs a call whose denial an approver has lifted in the meantime, as `ToolRunner.resume` does.
   *
   * The approver tells the id: a result for a model has no place for it.
   */
  async resume(
    approvalId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ToolResult> {
    const { signal } = readOptions("resume()", options, resumeOptions);
    // After a restart the list may not have been read yet. If reading it fails, the tool counts as not declared.
    await this.#pipeline.wait(() => this.#look(), "workbench", "listTools", signal);
    return (await this.#pipeline.resume(approvalId, signal)).result;
  }

  /** Looks for a tool that is not known yet; once for all callers that look at the same time. */
  async #know(requestedName: string, caller: AbortSignal | undefined): Promise<void> {
    const toolName = this.#overrides.resolve(requestedName);
    if (this.#pipeline.tools.registry.get(toolName) !== undefined) return;
    // If it fails, the call goes on, to a tool that is not declared.
    await this.#pipeline.wait(() => this.#look(), "workbench", "listTools", caller);
  }

  async #look(): Promise<void> {
    this.#knowsTools = false;
    this.#looking ??= this.refresh();
    try {
      await this.#looking;
      this.#knowsTools = true;
    } finally {
      this.#looking = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pipeline.close();
    await this.stop();
  }
}

/** Reads the options once, without `tools`: a call of a workbench cannot declare any. What cannot be read makes core deny the call. */
function readOnce(options: WorkbenchCallOptions): WorkbenchCallOptions {
  try {
    const { tools: _, ...rest } = (options ?? {}) as WorkbenchCallOptions & { tools?: unknown };
    return rest;
  } catch (error) {
    return unreadableOptions(error) as WorkbenchCallOptions;
  }
}
