import { ToolstileError } from "./errors.js";
import { GuardedWorkbench, type WorkbenchOptions } from "./guarded-workbench.js";
import { quoted } from "./naming.js";
import type { JsonObject, JsonValue } from "./protocol.js";
import type { Tool } from "./tool.js";

/** A tool that keeps something between calls. */
export interface StatefulTool extends Tool {
  readonly saveState?: () => JsonValue | Promise<JsonValue>;
  readonly loadState?: (state: JsonValue) => void | Promise<void>;
}

/** A workbench of tools that are given, each behind the guards. */
export class StaticWorkbench extends GuardedWorkbench {
  readonly #tools: readonly StatefulTool[];

  constructor(tools: readonly StatefulTool[], options: WorkbenchOptions) {
    if (!Array.isArray(tools)) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "StaticWorkbench takes a list of tools first.",
      );
    }
    super(
      options,
      tools.map(({ saveState: _save, loadState: _load, ...tool }) => tool),
    );
    this.#tools = tools;
  }

  protected async refresh(): Promise<void> {}
  protected streaming(): undefined {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  async reset(): Promise<void> {}

  /** Keyed by the tools' own names, whatever they are called by. */
  async saveState(): Promise<JsonObject> {
    const states: [string, JsonValue][] = [];
    for (const tool of this.#tools) {
      if (tool.saveState !== undefined) states.push([tool.name, await tool.saveState()]);
    }
    return { tools: Object.fromEntries(states) };
  }

  /** @throws ToolstileError before anything is loaded, for the state of a tool that is not there or keeps none. */
  async loadState(state: JsonObject): Promise<void> {
    const given = Object.keys(Object(state));
    if (given.length !== 1 || given[0] !== "tools") {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "A state is what saveState() gave: { tools }.",
      );
    }
    const states = Object.entries((state.tools ?? {}) as JsonObject);
    const loading = states.map(([name, value]) => {
      const tool = this.#tools.find((each) => each.name === name);
      if (tool?.loadState !== undefined) return () => tool.loadState?.(value as JsonValue);
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `There is a state for the tool ${quoted(name)}, which is not there or keeps none.`,
      );
    });
    for (const load of loading) await load();
  }
}
