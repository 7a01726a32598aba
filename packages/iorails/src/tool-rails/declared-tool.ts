import type { JsonObject } from "@toolstile/core";
import type { ToolDeclaration } from "@toolstile/core/host";
import { isJsonObject, ownText, ownValue } from "@toolstile/core/provider";
import type { RailsConfigData } from "../config/model.js";

/** A function with a schema, a custom tool that takes free text, or a tool that the provider runs. */
export type ToolKind = "function" | "custom" | "hosted";

/** A tool as a chat request declares it. */
export interface DeclaredTool {
  readonly kind: ToolKind;
  /** The name, or the type of a hosted tool. */
  readonly name: string;
  /** The declaration that the guards see. It is frozen: a frozen one is remembered. */
  readonly declaration: ToolDeclaration;
  /** The declaration that its results must match, if there is one. */
  readonly resultDeclaration: ToolDeclaration | undefined;
  /** As the request or the configuration has it, frozen. */
  readonly wire: JsonObject;
}

/** The key of a tool in a toolset: tools of two kinds may have one name. */
export function toolKey(kind: ToolKind, name: string): string {
  return `${kind} ${name}`;
}

/**
 * Read one entry of `tools`. What names neither a function nor a custom tool nor
 * a type declares nothing, so that calls of it are refused.
 *
 * @param wire frozen, and as JSON has it.
 */
export function readTool(wire: unknown): DeclaredTool | undefined {
  const type = ownText(wire, "type");
  const definition = ownValue(wire, "function") ?? undefined;
  if (definition === undefined) return readOther(wire, type);
  const name = ownText(definition, "name");
  if (name === undefined) return undefined;
  const parameters = ownValue(definition, "parameters") ?? undefined;
  const outputSchema = ownValue(definition, "outputSchema") ?? undefined;
  return {
    kind: "function",
    name,
    declaration: Object.freeze({ name, parameters: parameters as object | undefined }),
    resultDeclaration: outputSchema === undefined ? undefined : resultOf(name, outputSchema),
    wire: wire as JsonObject,
  };
}

function readOther(wire: unknown, type: string | undefined): DeclaredTool | undefined {
  if (type === undefined || type === "function") return undefined;
  const isCustom = type === "custom";
  const name = isCustom ? ownText(ownValue(wire, "custom"), "name") : type;
  if (name === undefined) return undefined;
  return {
    kind: isCustom ? "custom" : "hosted",
    name,
    declaration: Object.freeze(
      isCustom ? { name, parameters: freeText } : { name, annotations: hosted },
    ),
    resultDeclaration: undefined,
    wire: wire as JsonObject,
  };
}

/** The tools among the parameters of the main model. */
export function configuredTools({ models }: Pick<RailsConfigData, "models">): unknown {
  return ownValue(models.find(({ type }) => type === "main")?.parameters, "tools");
}

/** The schemas of the arguments of functions that a configuration declares. */
export function declaredSchemas(
  data: Pick<RailsConfigData, "models">,
): ReadonlyMap<string, JsonObject | boolean> {
  const tools = configuredTools(data);
  const schemas = new Map<string, JsonObject | boolean>();
  for (const tool of Array.isArray(tools) ? tools : []) {
    const declared = readTool(tool);
    const schema: unknown = declared?.declaration.parameters;
    if (declared?.kind !== "function" || !isSchema(schema)) continue;
    schemas.set(declared.name, schema);
  }
  return schemas;
}

function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

/** The arguments as which guards see the text of a custom tool's call. */
export function textArguments(text: unknown): unknown {
  return typeof text === "string" || text === undefined || text === null
    ? { input: text ?? "" }
    : text;
}

const freeText = Object.freeze({
  type: "object",
  properties: Object.freeze({ input: Object.freeze({ type: "string" }) }),
  required: Object.freeze(["input"]),
  additionalProperties: false,
});

/** A declaration that says of a tool only what its results must match. */
export function resultOf(name: string, outputSchema: unknown): ToolDeclaration {
  return Object.freeze({ name, outputSchema: outputSchema as object });
}

const hosted = Object.freeze({ hosted: true });
