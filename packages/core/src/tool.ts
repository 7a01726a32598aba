import { ToolstileError } from "./errors.js";
import { checkOptions, quoted } from "./naming.js";
import { Permit } from "./permit.js";
import type { CallContext, JsonObject, ToolDefinition } from "./protocol.js";
import type { Guardrail } from "./provider.js";
import type { Normalised, StandardSchema } from "./standard-schema.js";

/** What a tool is told beside its arguments. */
export interface ToolContext {
  readonly callId: string;
  readonly runId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName?: string | undefined;
  readonly context: CallContext;
  /** Aborted when the caller gives up or the tool's time is over. Made when first read. */
  readonly signal: AbortSignal;
  readonly permit: Permit;
}

/** A tool: what the model is told of it, and the function that does it. */
export interface Tool<Args = never> extends Omit<ToolDefinition, "parameters"> {
  /** JSON Schema, or a Standard Schema (zod and others) whose value is what guards see and the tool gets. */
  readonly parameters?: ToolDefinition["parameters"] | StandardSchema;
  /** Without it the tool is declared only: calls are decided, then released to whoever runs it. */
  readonly execute?: ((args: Args, context: ToolContext) => unknown) | undefined;
  /** Guards of this tool alone, after the runner's own. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  /** Refuse to run without a permit, however the function is reached. */
  readonly sealed?: boolean | undefined;
  /** "Nobody holds the arguments to the JSON Schema, and that is meant." */
  readonly unchecked?: boolean | undefined;
  /** Milliseconds that the tool may take. Default: no deadline. After it, what became of the call is unknown. */
  readonly timeoutMs?: number | undefined;
}

const members = [
  "name",
  "description",
  "parameters",
  "outputSchema",
  "annotations",
  "execute",
  "guardrails",
  "sealed",
  "unchecked",
  "timeoutMs",
];

/**
 * Declare a tool, its arguments typed by its schema.
 *
 * The function gets frozen arguments: it copies what it wants to change. It
 * may return a string, anything JSON can hold, `toolResult(…)`, or an async
 * iterable of which the value returned, or else the last item, is the result.
 *
 * @throws ToolstileError for a member that no tool has.
 */
export function tool<Schema extends StandardSchema>(
  definition: Omit<Tool, "parameters" | "execute"> & {
    readonly parameters: Schema;
    readonly execute?: (args: Normalised<Schema>, context: ToolContext) => unknown;
  },
): Tool<Normalised<Schema>>;
export function tool(
  definition: Omit<Tool, "parameters" | "execute"> & {
    readonly parameters?: ToolDefinition["parameters"];
    readonly execute?: (args: JsonObject, context: ToolContext) => unknown;
  },
): Tool<JsonObject>;
export function tool(definition: Tool<JsonObject>): Tool<JsonObject> {
  checkOptions("tool()", definition, members);
  if (typeof definition.name !== "string" || definition.name === "") {
    throw new ToolstileError("ERR_INVALID_TOOL", "A tool needs a name that is not empty.");
  }
  const { execute, name } = definition;
  if (definition.sealed !== true) return Object.freeze({ ...definition });
  if (execute === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The tool ${quoted(name)} is sealed but has no execute to seal.`,
    );
  }
  return Object.freeze({
    ...definition,
    execute: (args: JsonObject, context: ToolContext) =>
      execute(Permit.enter(context?.permit, name, args), context),
  });
}
