import type {
  JsonObject,
  ToolDefinition,
  ToolResult,
  Workbench,
  WorkbenchCallOptions,
} from "@toolstile/core";

/** A guarded workbench whose guards are told of a changed list before the next call. */
export class RefreshingWorkbench implements Workbench {
  readonly #bench: Workbench;
  #hasChanged = false;

  constructor(bench: Workbench) {
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
