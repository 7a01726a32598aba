import { ToolstileError } from "./errors.js";
import { checkOptions, editDistance, quoted } from "./naming.js";
import { Permit } from "./permit.js";
import type { CallContext, JsonObject } from "./protocol.js";
import { type Guardrail, member } from "./provider.js";
import { isStandardSchema, type Normalised, type StandardSchema } from "./standard-schema.js";

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

/** What people write down of a tool. Schemas may be of any type that JSON can hold. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. Absent: any object. */
  readonly parameters?: object | boolean | undefined;
  /** JSON Schema of the structured result. */
  readonly outputSchema?: object | boolean | undefined;
  readonly annotations?: object | undefined;
}

/** A tool: what the model is told of it, and the function that does it. */
export interface Tool<Args = never> extends ToolDeclaration {
  /** JSON Schema, or a Standard Schema (zod and others) whose value is what guards see and the tool gets. */
  readonly parameters?: object | boolean | StandardSchema | undefined;
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

const toolMembers: readonly string[] = [
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

/** What other systems call the members of a tool. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["function", "name, description and parameters"],
  ["handler", "execute"],
  ["input_schema", "parameters"],
  ["inputSchema", "parameters"],
  ["invoke", "execute"],
  ["output_schema", "outputSchema"],
  ["run", "execute"],
  ["schema", "parameters"],
]);

/** The members of the tool's own or of its class: what is planted on the root prototype is nobody's. */
export function ownTool(tool: Tool): Tool {
  const own: Record<string, unknown> = Object.create(null);
  for (const key of toolMembers) own[key] = member(tool, key);
  return own as unknown as Tool;
}

/** The functions that tool() has sealed. */
const sealedFunctions = new WeakSet<object>();

/** @throws ToolstileError for a tool of which something that matters would not be read. */
export function checkTool(given: object, tool: Tool): void {
  const name = quoted(tool.name);
  for (const key of Object.keys(given)) {
    if (toolMembers.includes(key)) continue;
    const right = elsewhere.get(key) ?? nearMember(key);
    if (right === undefined) continue;
    throw new ToolstileError(
      "ERR_UNKNOWN_MEMBER",
      `The tool ${name} has a member ${quoted(key)}, which nobody reads. It goes under ${right}.`,
    );
  }
  if (tool.execute !== undefined && typeof tool.execute !== "function") {
    throw new ToolstileError("ERR_INVALID_TOOL", `The execute of tool ${name} is not a function.`);
  }
  for (const key of ["sealed", "unchecked"] as const) {
    if (tool[key] === undefined || typeof tool[key] === "boolean") continue;
    throw new ToolstileError("ERR_INVALID_TOOL", `The ${key} of tool ${name} is true or false.`);
  }
  if (tool.sealed === true && !sealedFunctions.has(tool.execute ?? tool)) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The tool ${name} says that it is sealed, but nothing seals it. Make it with tool().`,
    );
  }
  const { parameters } = tool;
  if (parameters === undefined || typeof parameters === "boolean" || isStandardSchema(parameters)) {
    return;
  }
  const isObject = typeof parameters === "object" && parameters !== null;
  if (isObject && !Array.isArray(parameters) && !("safeParse" in parameters)) return;
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `The parameters of tool ${name} are neither a JSON Schema nor a Standard Schema. Of zod, version 3.24 or later is one.`,
  );
}

function nearMember(key: string): string | undefined {
  const near = (member: string): boolean =>
    editDistance(key.toLowerCase(), member.toLowerCase()) <= (member.length >= 8 ? 2 : 1);
  return key.length >= 5 ? toolMembers.find(near) : undefined;
}

/**
 * Declare a tool, its arguments typed by its schema.
 *
 * The function gets frozen arguments: it copies what it wants to change. It
 * may return a string, anything JSON can hold, `toolResult(…)`, or an async
 * iterable of which the value returned, or else the last item, is the result.
 * What a Standard Schema makes of the arguments must be JSON.
 *
 * @throws ToolstileError for a member that no tool has.
 */
export function tool<Schema extends StandardSchema>(
  definition: Omit<Tool, "parameters" | "execute"> & {
    readonly parameters: Schema;
    readonly execute?: (args: Normalised<Schema>, context: ToolContext) => unknown;
  },
): Tool<Normalised<Schema>>;
export function tool<Args = JsonObject>(
  definition: Omit<Tool, "parameters" | "execute"> & {
    readonly parameters?: object | boolean | undefined;
    readonly execute?: (args: Args, context: ToolContext) => unknown;
  },
): Tool<Args>;
export function tool(definition: Tool<JsonObject>): Tool<JsonObject> {
  checkOptions("tool()", definition, toolMembers);
  if (typeof definition.name !== "string" || definition.name === "") {
    throw new ToolstileError("ERR_INVALID_TOOL", "A tool needs a name that is not empty.");
  }
  const { execute, name } = definition;
  if (definition.sealed !== undefined && typeof definition.sealed !== "boolean") {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The sealed of tool ${quoted(name)} is true or false.`,
    );
  }
  if (definition.sealed !== true) return Object.freeze({ ...definition });
  if (execute === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The tool ${quoted(name)} is sealed but has no execute to seal.`,
    );
  }
  const sealed = (args: JsonObject, context: ToolContext): unknown =>
    execute(Permit.enter(context?.permit, name, args), context);
  sealedFunctions.add(sealed);
  return Object.freeze({ ...definition, execute: sealed });
}
