import type { ToolDefinition, ToolRunner } from "@toolstile/core";
import { optionError } from "@toolstile/core/provider";

/** A tool as the model is shown it. */
export interface ShownTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: { [key: string]: unknown };
}

/** Returns the tools of a runner. @throws ToolstileError `ERR_INVALID_OPTION` for a value that is not a runner. */
export function toolsOf(
  where: string,
  runner: Pick<ToolRunner, "tools">,
): readonly ToolDefinition[] {
  const tools: unknown = (runner as Partial<ToolRunner> | undefined)?.tools;
  if (Array.isArray(tools)) return tools;
  throw optionError(where, "runner", "a ToolRunner", runner);
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
