import type { ToolDefinition } from "@toolstile/core";

/** A tool as the model is shown it. */
export interface ShownTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: { [key: string]: unknown };
}

/** Returns a tool as the model is shown it. The API wants a schema of an object: of a tool that says nothing, one without properties. */
export function shownTool({ name, description, parameters }: ToolDefinition): ShownTool {
  return {
    name,
    ...(description !== undefined && { description }),
    parameters:
      typeof parameters === "object" ? { ...parameters } : { type: "object", properties: {} },
  };
}
