import { toolResult } from "../call/result.js";
import { invalidOption, wrongValue } from "../errors/option-error.js";
import { isObject, member } from "../json/own.js";
import type { JsonObject, ToolResult } from "../protocol/guardrail.js";
import type { Tool, ToolContext } from "../tool/tool.js";
import { GuardedWorkbench, type WorkbenchOptions } from "./guarded-workbench.js";
import type { Workbench, WorkbenchCallOptions } from "./workbench.js";

/**
 * Puts guards around a workbench that you have, and hides it.
 *
 * Its list of tools is read at start, on every `listTools`, and when an unknown
 * name is called. A tool that a guard refuses, and two tools of one name, are left
 * off the list, and calls to them are denied; `onFault` is told.
 *
 * @throws ToolstileError as ToolRunner does, and from the first list on for
 * tools whose arguments no guard checks.
 */
export function guardWorkbench(inner: Workbench, options: WorkbenchOptions): GuardedWorkbench {
  checkWorkbench(inner);
  return new OuterWorkbench(inner, options);
}

const methods = [
  "listTools",
  "callTool",
  "callToolStream",
  "start",
  "stop",
  "reset",
  "saveState",
  "loadState",
] as const satisfies readonly (keyof Workbench)[];

/** @throws ToolstileError `ERR_INVALID_OPTION` that names the methods which a workbench lacks. */
function checkWorkbench(inner: Workbench): void {
  const where = "guardWorkbench()";
  if (typeof inner !== "object" || inner === null) {
    const expected = "a workbench";
    throw wrongValue("ERR_INVALID_OPTION", where, "the first argument", expected, inner);
  }
  const missing = methods.filter((method) => typeof member(inner, method) !== "function");
  if (missing.length === 0) return;
  const lacks = missing.map((method) => `${method}()`).join(", ");
  throw invalidOption(where, `the first argument must be a workbench, and it lacks ${lacks}.`);
}

class OuterWorkbench extends GuardedWorkbench {
  readonly #inner: Workbench;
  #loaded = false;

  constructor(inner: Workbench, options: WorkbenchOptions) {
    super(options, undefined);
    this.#inner = inner;
  }

  protected async refresh(): Promise<void> {
    const definitions = await this.#inner.listTools();
    if (!Array.isArray(definitions) || !(definitions as readonly unknown[]).every(isObject)) {
      const expected = "a list of tool definitions";
      const where = "guardWorkbench()";
      throw wrongValue("ERR_INVALID_TOOL", where, "what listTools() gives", expected, definitions);
    }
    const tools = definitions.map(
      // Only the definition is taken: the inner list may not decide other members, such as `unchecked`.
      ({ name, description, parameters, outputSchema, annotations }): Tool => ({
        name,
        description,
        parameters,
        outputSchema,
        annotations,
        execute: async (args: JsonObject, context: ToolContext) =>
          claimed(await this.#inner.callTool(context.toolName, args, passedOn(context)), context),
      }),
    );
    this.load(tools, !this.#loaded);
    this.#loaded = true;
  }

  protected streaming(): Tool["execute"] {
    return (args: JsonObject, context: ToolContext) =>
      lastIsResult(this.#inner.callToolStream(context.toolName, args, passedOn(context)), context);
  }

  async start(): Promise<void> {
    await this.#inner.start();
    await this.refresh();
  }

  async stop(): Promise<void> {
    await this.#inner.stop();
  }

  async reset(): Promise<void> {
    await this.#inner.reset();
    await this.refresh();
  }

  async saveState(): Promise<JsonObject> {
    return this.#inner.saveState();
  }

  async loadState(state: JsonObject): Promise<void> {
    await this.#inner.loadState(state);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    // AutoGen's workbench has none: it was stopped above.
    await this.#inner[Symbol.asyncDispose]?.();
  }
}

/** Makes the options for the inner workbench. They are own properties, because an inner workbench may copy them. */
function passedOn({ callId, context, agentName, signal }: ToolContext): WorkbenchCallOptions {
  return { callId, context, agentName, signal };
}

/** Returns the result under the requested name: the inner workbench was called by the tool's own name, and answers under it. */
function claimed(result: ToolResult, { toolName, requestedName }: ToolContext): unknown {
  const name = result.name === toolName ? requestedName : result.name;
  return toolResult({ ...result, name });
}

/** Yields the items of a stream, and returns the last one, the ToolResult. */
async function* lastIsResult(
  stream: AsyncGenerator<unknown, void>,
  context: ToolContext,
): AsyncGenerator<unknown, unknown> {
  let held: unknown;
  for await (const item of stream) {
    if (held !== undefined) yield held;
    held = undefined;
    if (looksLikeResult(item)) held = item;
    else yield item;
  }
  if (!looksLikeResult(held)) throw new TypeError("The stream ended without a result.");
  return claimed(held, context);
}

function looksLikeResult(item: unknown): item is ToolResult {
  return isObject(item) && Object.hasOwn(item, "content") && Object.hasOwn(item, "isError");
}
