import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { deepFreeze } from "../json/own.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import type { ToolDefinition } from "../protocol/guardrail.js";

/** A definition that says nothing about its tool. */
export const undeclared = Object.freeze({
  name: "",
  description: undefined,
  parameters: undefined,
  outputSchema: undefined,
  annotations: undefined,
});

/** Copies the definition of a tool, frozen to the leaves. @throws ToolstileError if it is not JSON. */
export function frozenDefinition(tool: ToolDeclaration, parameters: unknown): ToolDefinition {
  const { name, description, outputSchema, annotations } = tool;
  refusePlantedJson(name);
  try {
    const text = JSON.stringify({ name, description, parameters, outputSchema, annotations });
    // Every member is an own property: a missing one could come from a polluted root prototype.
    return deepFreeze({ ...undeclared, ...(JSON.parse(text) as ToolDefinition) });
  } catch (cause) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The definition of tool ${quoted(name)} is not JSON.`,
      { cause },
    );
  }
}

/** Refuses to read a definition while a root prototype has a `toJSON`: JSON.stringify would not write the schema itself. */
function refusePlantedJson(name: string): void {
  const roots: object[] = [Object.prototype, Array.prototype, String.prototype, Number.prototype];
  if (roots.every((root) => !("toJSON" in root))) return;
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `The definition of tool ${quoted(name)} cannot be read while a root prototype has a toJSON. Find the code that sets it.`,
  );
}

/** Keywords that let every object through. */
const harmless = new Set(["$schema", "$id", "$comment", "title", "description", "type"]);

/** True if a schema says more than "any object". */
export function restrictsArguments(schema: ToolDefinition["parameters"]): boolean {
  if (schema === false) return true;
  return Object.entries(schema ?? {}).some(
    ([keyword, value]) =>
      !(harmless.has(keyword) && (keyword !== "type" || value === "object")) &&
      !isEmpty(keyword, value),
  );
}

function isEmpty(keyword: string, value: unknown): boolean {
  return (
    (keyword === "additionalProperties" && value === true) ||
    ((keyword === "properties" || keyword === "required") &&
      typeof value === "object" &&
      value !== null &&
      Object.keys(value).length === 0)
  );
}
