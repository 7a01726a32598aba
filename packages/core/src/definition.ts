import { ToolstileError } from "./errors.js";
import { quoted } from "./naming.js";
import type { ToolDefinition } from "./protocol.js";
import type { ToolDeclaration } from "./tool.js";

/** A definition of which nothing is said. */
export const undeclared = Object.freeze({
  name: "",
  description: undefined,
  parameters: undefined,
  outputSchema: undefined,
  annotations: undefined,
});

/** A copy of what a tool is declared as, frozen to the leaves. @throws ToolstileError where it is not JSON. */
export function frozenDefinition(tool: ToolDeclaration, parameters: unknown): ToolDefinition {
  const { name, description, outputSchema, annotations } = tool;
  refusePlantedJson(name);
  try {
    const text = JSON.stringify({ name, description, parameters, outputSchema, annotations });
    // Each member is its own, lest a guard take for the tool's what is planted on the root prototype.
    return deepFreeze({ ...undeclared, ...(JSON.parse(text) as ToolDefinition) });
  } catch (cause) {
    throw new ToolstileError(
      "ERR_INVALID_TOOL",
      `The definition of tool ${quoted(name)} is not JSON.`,
      { cause },
    );
  }
}

/** Whether nothing in a value can change any more. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

/** With a toJSON planted on a root prototype, what JSON.stringify writes of a schema is not the schema. */
function refusePlantedJson(name: string): void {
  const roots: object[] = [Object.prototype, Array.prototype, String.prototype, Number.prototype];
  if (roots.every((root) => !("toJSON" in root))) return;
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `The definition of tool ${quoted(name)} cannot be read while a root prototype has a toJSON. Find out who planted it.`,
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
    Object.freeze(value);
  }
  return value;
}

/** Keywords that let every object through. */
const harmless = new Set(["$schema", "$id", "$comment", "title", "description", "type"]);

/** Whether a schema says more than "any object". */
export function restrictsArguments(schema: ToolDefinition["parameters"]): boolean {
  if (schema === undefined || schema === true) return false;
  if (schema === false) return true;
  return Object.entries(schema).some(
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
