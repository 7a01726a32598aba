import { ToolstileError } from "./errors.js";
import { GuardedWorkbench, type WorkbenchOptions } from "./guarded-workbench.js";
import type { JsonObject, ToolResult } from "./protocol.js";
import { toolResult } from "./result.js";
import type { Tool, ToolContext } from "./tool.js";
import type { Workbench, WorkbenchCallOptions } from "./workbench.js";

/**
 * Put guards around a workbench that you have, and hide it.
 *
 * Its list of tools is asked for at start, on every `listTools`, and when a
 * name is called that it has not named yet. A tool that a guard refuses, or
 * two of one name, are left off the list, and calls to them denied; `onFault`
 * is told.
 *
 * @throws ToolstileError as ToolRunner does, and from the first list on for
 * tools whose arguments no guard checks.
 */
export function guardWorkbench(inner: Workbench, options: WorkbenchOptions): GuardedWorkbench {
  if (typeof inner?.callTool !== "function" || typeof inner.listTools !== "function") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "guardWorkbench() takes the workbench to guard first: it has listTools() and callTool().",
    );
  }
  return new OuterWorkbench(inner, options);
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
    const tools = definitions.map(
      // No more than the definition: what else the inner list says, such as `unchecked`, is not its to say.
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
    await this.#inner[Symbol.asyncDispose]();
  }
}

/** The same call for the inner workbench. All of it own properties: an inner workbench may copy them. */
function passedOn({ callId, context, agentName, signal }: ToolContext): WorkbenchCallOptions {
  return { callId, context, agentName, signal };
}

/** The inner workbench was called by the tool's own name, and answers under it. */
function claimed(result: ToolResult, { toolName, requestedName }: ToolContext): unknown {
  const name = result.name === toolName ? requestedName : result.name;
  return toolResult({ ...result, name });
}

/** The items of a stream, and its last one, the ToolResult, as what it returns. */
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
  return (
    typeof item === "object" &&
    item !== null &&
    Object.hasOwn(item, "content") &&
    Object.hasOwn(item, "isError")
  );
}
