import type { ToolDefinition } from "@toolstile/core";
import { canonicalJson, deepFreeze, isJsonObject, ownValue } from "@toolstile/core/provider";

/** One tool as the server listed it. Nothing in it can change. */
export interface ListedTool {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  /** Its canonical text. Another text is another definition. */
  readonly text: string;
}

/** The tools whose name is not listed twice. Core refuses two tools of one name, and neither is pinned. */
export function withoutTwins(tools: readonly ListedTool[]): readonly ListedTool[] {
  const seen = new Map<string, number>();
  for (const { name } of tools) seen.set(name, (seen.get(name) ?? 0) + 1);
  return tools.filter(({ name }) => seen.get(name) === 1);
}

/** A tool as it was listed, which is frozen; `undefined` if it has no name, or is nested too deeply to be read. */
export function readTool(tool: unknown): ListedTool | undefined {
  try {
    const name = ownValue(tool, "name");
    if (!isJsonObject(tool) || typeof name !== "string") return undefined;
    return Object.freeze({ name, text: canonicalJson(tool), definition: deepFreeze(tool) });
  } catch {
    return undefined;
  }
}

/** The tool of MCP's definition, as core has it. Languages that write null for what is absent mean that. */
export function toolOf(definition: object): ToolDefinition {
  const given = (name: string): unknown => ownValue(definition, name) ?? undefined;
  return Object.freeze({
    name: given("name"),
    description: given("description"),
    // Null is not left out here: a tool without a schema would take any arguments.
    parameters: ownValue(definition, "inputSchema"),
    outputSchema: given("outputSchema"),
    annotations: given("annotations"),
  }) as ToolDefinition;
}
