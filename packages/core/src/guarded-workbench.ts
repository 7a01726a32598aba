import { Engine } from "./engine.js";
import { ToolstileError } from "./errors.js";
import { checkOptions, quoted } from "./naming.js";
import { Overrides, type ToolOverride } from "./overrides.js";
import type { JsonObject, ToolDefinition, ToolResult } from "./protocol.js";
import type { Run, Way } from "./run.js";
import { guardingOptions, type ToolRunnerOptions } from "./runner-options.js";
import { endingWithResult, streamed } from "./stream.js";
import type { Tool } from "./tool.js";
import type { Workbench, WorkbenchCallOptions } from "./workbench.js";

export interface WorkbenchOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** By the tool's own name. No two tools may end up with one name. */
  readonly overrides?: Readonly<Record<string, ToolOverride>> | undefined;
}

const workbenchOptions = [...guardingOptions, "overrides"];

/** Both ways of calling, over the one path. */
export abstract class GuardedWorkbench implements Workbench {
  readonly #engine: Engine;
  readonly #overrides: Overrides;
  #looking: Promise<void> | undefined;

  constructor(options: WorkbenchOptions, tools: readonly Tool[] | undefined) {
    checkOptions("A workbench", options, workbenchOptions);
    const { overrides, ...rest } = options;
    this.#overrides = new Overrides(overrides);
    if (tools !== undefined) this.#overrides.check(tools);
    const { resolve } = this.#overrides;
    this.#engine = new Engine(tools === undefined ? rest : { ...rest, tools }, { resolve });
  }

  /** Bring the list of tools up to date. */
  protected abstract refresh(): Promise<void>;
  /** What runs a tool piece by piece, where that is not what runs it whole. */
  protected abstract streaming(): Tool["execute"];
  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  abstract reset(): Promise<void>;
  abstract saveState(): Promise<JsonObject>;
  abstract loadState(state: JsonObject): Promise<void>;

  protected load(tools: readonly Tool[], first: boolean): void {
    if (first) {
      // Before anything is taken on: a guard that is configured for no tool must not be silently off.
      this.#overrides.check(tools);
      this.#engine.catalogue.checkToolNames(new Map(tools.map((tool) => [tool.name, tool])));
    }
    // A later tool may come under a name that an override has given away. No call can mean it.
    const named = tools.filter(({ name }) => this.#overrides.resolve(name) === name);
    for (const { name, refusedBy, cause } of this.#engine.load(named)) {
      // Not the inner workbench's doing but the host's own: all of its tools would be gone without a word.
      if (first && ToolstileError.isInstance(cause) && cause.code === "ERR_UNCHECKED_TOOL")
        throw cause;
      this.#engine.report(refusedBy, "register", new Error(`refused ${quoted(name)}`, { cause }));
    }
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    await this.refresh();
    return this.#overrides.apply(this.#engine.catalogue.definitions);
  }

  async callTool(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): Promise<ToolResult> {
    await this.#know(name, options.signal);
    const { callId, ...rest } = withoutTools(options);
    const outcome = await this.#engine.run({ name, arguments: args, callId }, rest);
    return outcome.result;
  }

  callToolStream(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): AsyncGenerator<unknown, void> {
    const { callId, ...rest } = withoutTools(options);
    const request = { name, arguments: args, callId };
    const execute = this.streaming() as Way["execute"];
    const way = { rejects: true, turnId: undefined, seen: undefined, execute, resumed: undefined };
    const start = async (): Promise<Run> => {
      await this.#know(name, options.signal);
      return this.#engine.start(request, rest, way);
    };
    return endingWithResult(streamed(this.#engine, start));
  }

  /**
   * Run a call whose denial an approver has lifted in the meantime, as `ToolRunner.resume` does.
   *
   * The approver tells the id, as a result for a model has no place for it.
   */
  async resume(
    approvalId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ToolResult> {
    checkOptions("resume()", options, ["signal"]);
    // After a restart nobody may have asked for the list. If that fails, the tool is one that nobody declared.
    await this.#engine.wait(() => this.#look(), "workbench", "listTools", options.signal);
    return (await this.#engine.resume(approvalId, options.signal)).result;
  }

  /** Look for a tool that nobody has named yet; once for all who look at the same time. */
  async #know(requestedName: string, caller: AbortSignal | undefined): Promise<void> {
    const toolName = this.#overrides.resolve(requestedName);
    if (this.#engine.catalogue.get(toolName) !== undefined) return;
    // If it fails, the call goes on, to a tool that nobody declared.
    await this.#engine.wait(() => this.#look(), "workbench", "listTools", caller);
  }

  async #look(): Promise<void> {
    this.#looking ??= this.refresh();
    try {
      await this.#looking;
    } finally {
      this.#looking = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
    await this.stop();
  }
}

/** A workbench has its tools; no call declares others. */
function withoutTools(options: WorkbenchCallOptions): WorkbenchCallOptions {
  const { tools: _, ...rest } = options as WorkbenchCallOptions & { tools?: unknown };
  return rest;
}
