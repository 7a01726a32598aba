import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { isList, wrongValue } from "../errors/option-error.js";
import type { JsonObject, JsonValue } from "../protocol/guardrail.js";
import type { Tool } from "../tool/tool.js";
import { GuardedWorkbench, type WorkbenchOptions } from "./guarded-workbench.js";

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
      throw wrongValue("ERR_INVALID_OPTION", "StaticWorkbench", "the tools", "an array", tools);
    }
    super(options, tools);
    this.#tools = tools;
  }

  protected async refresh(): Promise<void> {}
  protected streaming(): undefined {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  async reset(): Promise<void> {}

  /** Saves the states of the tools, by their own names. */
  async saveState(): Promise<JsonObject> {
    const states: [string, JsonValue][] = [];
    for (const tool of this.#tools) {
      if (tool.saveState !== undefined) states.push([tool.name, await tool.saveState()]);
    }
    return { tools: Object.fromEntries(states) };
  }

  /** Loads the states of the tools. @throws ToolstileError before the first is loaded, for the state of an unknown tool or one that keeps none. */
  async loadState(state: JsonObject): Promise<void> {
    const states = statesIn(state);
    const loading = states.map(([name, value]) => {
      const tool = this.#tools.find((each) => each.name === name);
      if (tool?.loadState !== undefined) return () => tool.loadState?.(value as JsonValue);
      // AutoGen saves an empty state for a tool that keeps none.
      if (tool !== undefined && isEmpty(value)) return () => undefined;
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `There is a state for the tool ${quoted(name)}, which does not exist or has no state.`,
      );
    });
    for (const load of loading) await load();
  }
}

/** The type that AutoGen writes into a static workbench's state. */
const autogenType = "StaticWorkbenchState";

/** Reads a state that `saveState()` gave, here or in AutoGen. @throws ToolstileError `ERR_INVALID_OPTION` for any other. */
function statesIn(state: JsonObject): readonly (readonly [string, JsonValue | undefined])[] {
  const { tools = {}, type = autogenType, ...others } = Object(state) as JsonObject;
  const isWrong = typeof state !== "object" || state === null || type !== autogenType;
  if (isWrong || typeof tools !== "object" || tools === null || isList(tools) || !isEmpty(others)) {
    const expected = "an object that saveState() gave, { tools }";
    throw wrongValue("ERR_INVALID_OPTION", "loadState()", "the state", expected, state);
  }
  return Object.entries(tools);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
