import { Engine, type ToolRunnerOptions } from "./engine.js";
import { quoted } from "./naming.js";
import { Overrides, type ToolOverride } from "./overrides.js";
import type { JsonObject, ToolDefinition, ToolResult } from "./protocol.js";
import type { Run } from "./run.js";
import { aborted } from "./runner.js";
import { streamed } from "./stream.js";
import type { Tool } from "./tool.js";
import type { Workbench, WorkbenchCallOptions } from "./workbench.js";

export interface WorkbenchOptions extends Omit<ToolRunnerOptions, "tools" | "aliases"> {
  /** By the tool's own name. No two tools may end up with one name. */
  readonly overrides?: Readonly<Record<string, ToolOverride>> | undefined;
}

/** Both ways of calling, over the one path. */
export abstract class GuardedWorkbench implements Workbench {
  readonly #engine: Engine;
  readonly #overrides: Overrides;

  constructor(options: WorkbenchOptions, tools: readonly Tool[] | undefined) {
    const { overrides, ...rest } = options;
    this.#overrides = new Overrides(overrides);
    if (tools !== undefined) this.#overrides.check(tools);
    const { resolve } = this.#overrides;
    this.#engine = new Engine(tools === undefined ? rest : { ...rest, tools }, { resolve });
  }

  /** Called before each use, to bring the list of tools up to date. */
  protected abstract refresh(why: { readonly unknown?: string }): Promise<void>;
  /** What runs a tool piece by piece, where that is not what runs it whole. */
  protected abstract streaming(): Tool["execute"];
  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  abstract reset(): Promise<void>;
  abstract saveState(): Promise<JsonObject>;
  abstract loadState(state: JsonObject): Promise<void>;

  protected load(tools: readonly Tool[], first: boolean): void {
    if (first) this.#overrides.check(tools);
    for (const { name, refusedBy, cause } of this.#engine.load(tools)) {
      this.#engine.report(refusedBy, "register", new Error(`refused ${quoted(name)}`, { cause }));
    }
    if (first) this.#engine.catalogue.checkToolNames();
  }

  async listTools(): Promise<readonly ToolDefinition[]> {
    await this.refresh({});
    return this.#overrides.apply(this.#engine.catalogue.definitions);
  }

  async callTool(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): Promise<ToolResult> {
    const run = await this.#begin(name, args, options, undefined);
    const outcome = await this.#engine.complete(run);
    if (outcome.status === "aborted") throw aborted([outcome], options.signal);
    return outcome.result;
  }

  async *callToolStream(
    name: string,
    args?: unknown,
    options: WorkbenchCallOptions = {},
  ): AsyncGenerator<unknown, void> {
    const begun = await this.#begin(name, args, options, this.streaming());
    const pieces = streamed(
      this.#engine,
      () => begun,
      (outcome) => aborted([outcome], options.signal),
    );
    let step = await pieces.next();
    try {
      for (; step.done !== true; step = await pieces.next()) yield step.value;
    } finally {
      if (step.done !== true) await pieces.return(undefined as never);
    }
    yield step.value.result;
  }

  async #begin(
    name: string,
    args: unknown,
    options: WorkbenchCallOptions,
    execute: Tool["execute"],
  ): Promise<Run> {
    const toolName = this.#overrides.resolve(name);
    if (this.#engine.catalogue.get(toolName) === undefined) {
      try {
        await this.refresh({ unknown: toolName });
      } catch (error) {
        // The call goes on, to a tool that nobody declared.
        this.#engine.report("workbench", "listTools", error);
      }
    }
    const { callId, ...rest } = options;
    const request = { name, arguments: args, callId };
    return this.#engine.start(request, rest, undefined, execute as Run["execute"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
    await this.stop();
  }
}
