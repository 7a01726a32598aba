import type {
  GuardedWorkbench,
  JsonObject,
  ToolDefinition,
  ToolResult,
  Workbench,
  WorkbenchCallOptions,
} from "@toolstile/core";

/** A workbench behind guards. */
export interface GuardedMcpWorkbench extends Workbench {
  /** Run a call whose denial an approver has lifted in the meantime, as `ToolRunner.resume` does. */
  resume: GuardedWorkbench["resume"];
}

/** A guarded workbench whose guards are told of a changed list before the next call. */
export class RefreshingWorkbench implements GuardedMcpWorkbench {
  readonly #bench: GuardedWorkbench;
  #hasChanged = false;

  constructor(bench: GuardedWorkbench) {
    this.#bench = bench;
  }

  changed(): void {
    this.#hasChanged = true;
  }

  listTools(): Promise<readonly ToolDefinition[]> {
    this.#hasChanged = false;
    return this.#bench.listTools();
  }

  async callTool(
    name: string,
    args?: unknown,
    options?: WorkbenchCallOptions,
  ): Promise<ToolResult> {
    if (this.#hasChanged) await this.listTools();
    return this.#bench.callTool(name, args, options);
  }

  async *callToolStream(
    name: string,
    args?: unknown,
    options?: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void> {
    if (this.#hasChanged) await this.listTools();
    yield* this.#bench.callToolStream(name, args, options);
  }

  async resume(...given: Parameters<GuardedWorkbench["resume"]>): Promise<ToolResult> {
    if (this.#hasChanged) await this.listTools();
    return this.#bench.resume(...given);
  }

  start(): Promise<void> {
    return this.#bench.start();
  }

  stop(): Promise<void> {
    return this.#bench.stop();
  }

  reset(): Promise<void> {
    return this.#bench.reset();
  }

  saveState(): Promise<JsonObject> {
    return this.#bench.saveState();
  }

  loadState(state: JsonObject): Promise<void> {
    return this.#bench.loadState(state);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#bench[Symbol.asyncDispose]();
  }
}
