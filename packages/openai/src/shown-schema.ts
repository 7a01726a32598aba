import type { ToolDefinition } from "@toolstile/core";

/** Returns the schema that the model is shown. The API wants an object: of a tool that says nothing, one without properties. */
export function shownSchema(parameters: ToolDefinition["parameters"]): { [key: string]: unknown } {
  return typeof parameters === "object" ? { ...parameters } : { type: "object", properties: {} };
}
