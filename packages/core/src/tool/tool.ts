import { Permit } from "../call/permit.js";
import { ToolstileError } from "../errors/error.js";
import { editDistance, quoted } from "../errors/names.js";
import { wrongValue } from "../errors/option-error.js";
import { unchecked } from "../errors/option-reader.js";
import { readOptions } from "../errors/options.js";
import type { Guardrail } from "../guard/define.js";
import { member } from "../json/own.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import type { CallContext, JsonObject } from "../protocol/guardrail.js";
import type { JsonSchemaArguments } from "./json-schema-arguments.js";
import { isStandardSchema, type Normalised, type StandardSchema } from "./standard-schema.js";

/** The facts that a tool is given beside its arguments. */
export interface ToolContext {
  readonly callId: string;
  readonly runId: string;
  readonly toolName: string;
  readonly requestedName: string;
  readonly agentName?: string | undefined;
  readonly context: CallContext;
  /** The signal that aborts when the caller aborts or the tool's time is over. It is made when first read. */
  readonly signal: AbortSignal;
  readonly permit: Permit;
}

/** A tool: its description for the model, and the function that runs. */
export interface Tool<Args = never, Name extends string = string> extends ToolDeclaration {
  readonly name: Name;
  /** JSON Schema, or a Standard Schema (zod and others) whose value is what guards see and the tool gets. */
  readonly parameters?: object | boolean | StandardSchema | undefined;
  /** The function that runs the tool. Without it the tool is declared only: its calls are decided on, then released to the host. */
  readonly execute?: ((args: Args, context: ToolContext) => unknown) | undefined;
  /** Guards of this tool alone, after the runner's own. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  /** With `true`, the function refuses to run without a permit. */
  readonly sealed?: boolean | undefined;
  /** With `true`, the host states that no guard checks the arguments against the JSON Schema. */
  readonly unchecked?: boolean | undefined;
  /** Milliseconds that the tool may take. Default: no deadline. After it, what became of the call is unknown. */
  readonly timeoutMs?: number | undefined;
}

/** The members of a tool. They are checked where tools are loaded: a tool need not be made by tool(). */
const toolTable = {
  name: unchecked(),
  description: unchecked(),
  parameters: unchecked(),
  outputSchema: unchecked(),
  annotations: unchecked(),
  execute: unchecked(),
  guardrails: unchecked(),
  sealed: unchecked(),
  unchecked: unchecked(),
  timeoutMs: unchecked(),
} satisfies { readonly [Name in keyof Tool]-?: unknown };

const toolMembers: readonly string[] = Object.keys(toolTable);

/** The names that other systems use for the members of a tool. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["function", "name, description and parameters"],
  ["args_schema", "parameters"],
  ["handler", "execute"],
  ["input_schema", "parameters"],
  ["inputSchema", "parameters"],
  ["invoke", "execute"],
  ["output_schema", "outputSchema"],
  ["run", "execute"],
  ["schema", "parameters"],
]);

/** Reads the name of a tool; undefined for what is none, or throws when it is read. */
export function toolName(tool: Pick<Tool, "name"> | null | undefined): string | undefined {
  try {
    return tool?.name;
  } catch {
    return undefined;
  }
}

/** Copies the members of the tool or of its class. Those planted on the root prototype are left out. */
export function ownTool(tool: Tool): Tool {
  const own: Record<string, unknown> = Object.create(null);
  for (const key of toolMembers) own[key] = member(tool, key);
  return own as unknown as Tool;
}

/** The functions that tool() has sealed. */
const sealedFunctions = new WeakSet<object>();

/** @throws ToolstileError for a tool with a member that has a wrong value, or that is not read under its name. */
export function checkTool(given: object, tool: Tool): void {
  const name = quoted(tool.name);
  for (const key of Object.keys(given)) {
    if (toolMembers.includes(key)) continue;
    const right = elsewhere.get(key) ?? nearMember(key);
    if (right === undefined) continue;
    throw new ToolstileError(
      "ERR_UNKNOWN_MEMBER",
      `The tool ${name} has a member ${quoted(key)}, which core does not read. It goes under ${right}.`,
    );
  }
  if (tool.execute !== undefined && typeof tool.execute !== "function") {
    throw wrongMember(name, "execute", "a function", tool.execute);
  }
  for (const key of ["sealed", "unchecked"] as const) {
    if (tool[key] === undefined || typeof tool[key] === "boolean") continue;
    throw wrongMember(name, key, "a boolean", tool[key]);
  }
  if (tool.sealed === true && !sealedFunctions.has(tool.execute ?? tool)) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The tool ${name} has \`sealed: true\`, but only tool() can seal its execute. Make it with tool() of this copy of @toolstile/core.`,
    );
  }
  const { parameters } = tool;
  if (parameters === undefined || typeof parameters === "boolean" || isStandardSchema(parameters)) {
    return;
  }
  const isObject = typeof parameters === "object" && parameters !== null;
  const isRaw = isObject && Object.values(parameters).some(isStandardSchema);
  const isOld = isObject && "safeParse" in parameters;
  if (isObject && !Array.isArray(parameters) && !isOld && !isRaw) return;
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `Tool ${name}: \`parameters\` must be a JSON Schema or a Standard Schema${wayOut(parameters, isRaw)}`,
  );
}

function wayOut(parameters: unknown, isRaw: boolean): string {
  if (isRaw) return ", received an object of schemas. Make one schema of it: z.object({ … }).";
  if (typeof parameters === "function") {
    return ", received function. Was it passed uncalled, as z.object in place of z.object({ … })?";
  }
  return ". Schemas of zod are one from version 3.24 on.";
}

function wrongMember(
  name: string,
  key: string,
  expected: string,
  received: unknown,
): ToolstileError {
  return wrongValue("ERR_INVALID_TOOL", `Tool ${name}`, `\`${key}\``, expected, received);
}

function nearMember(key: string): string | undefined {
  const near = (member: string): boolean =>
    editDistance(key.toLowerCase(), member.toLowerCase()) <= (member.length >= 9 ? 2 : 1);
  return key.length >= 5 ? toolMembers.find(near) : undefined;
}

type Declaration<Name extends string> = Omit<Tool<never, Name>, "parameters" | "execute">;

/** A JSON Schema that says which arguments there are. */
type ObjectSchema = { readonly type: "object"; readonly properties: object };

/** The text that a compiler shows for an object of schemas in place of one schema. */
type OneSchema<Schema> = Schema extends StandardSchema | boolean
  ? unknown
  : [Extract<Schema[keyof Schema], StandardSchema>] extends [never]
    ? unknown
    : "`parameters` must be one schema, as in z.object({ … })";

/**
 * Declares a tool whose arguments are typed by its schema.
 *
 * The function gets frozen arguments, and copies what it wants to change. It may
 * return a string, anything JSON can hold, `toolResult(…)`, or an async
 * iterable of which the value returned, or else the last item, is the result.
 * The arguments that a Standard Schema gives must be JSON.
 *
 * @throws ToolstileError for an unknown member, and for a member with a wrong value.
 */
export function tool<Schema extends StandardSchema, const Name extends string = string>(
  definition: Declaration<Name> & {
    readonly parameters: Schema;
    readonly execute?: (args: Normalised<Schema>, context: ToolContext) => unknown;
  },
): Tool<Normalised<Schema>, Name>;
export function tool<const Schema extends ObjectSchema, const Name extends string = string>(
  definition: Declaration<Name> & {
    readonly parameters: Schema;
    readonly execute?: (args: JsonSchemaArguments<Schema>, context: ToolContext) => unknown;
  },
): Tool<JsonSchemaArguments<Schema>, Name>;
export function tool<
  Args = JsonObject,
  const Name extends string = string,
  Schema extends object | boolean = object | boolean,
>(
  definition: Declaration<Name> & {
    readonly parameters?: (Schema & OneSchema<Schema>) | undefined;
    readonly execute?: (args: Args, context: ToolContext) => unknown;
  },
): Tool<Args, Name>;
export function tool(given: Tool<JsonObject>): Tool<JsonObject> {
  const definition = { ...readOptions("tool()", given, toolTable, elsewhere) } as Tool<JsonObject>;
  const { execute, name, sealed } = definition;
  if (typeof name !== "string" || name === "") {
    const expected = "a string that is not empty";
    throw wrongValue("ERR_INVALID_TOOL", "tool()", "`name`", expected, name);
  }
  if (sealed !== undefined && typeof sealed !== "boolean") {
    throw wrongMember(quoted(name), "sealed", "a boolean", sealed);
  }
  if (sealed !== true) return Object.freeze(definition);
  if (execute === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The tool ${quoted(name)} is sealed but has no execute to seal.`,
    );
  }
  const entering = (args: JsonObject, context: ToolContext): unknown =>
    execute(Permit.enter(context?.permit, name, args), context);
  sealedFunctions.add(entering);
  return Object.freeze({ ...definition, execute: entering });
}
