import type { JsonObject, ToolDefinition } from "@toolstile/core";
import { ownText, ownValue, quoted } from "@toolstile/core/provider";

/** The tools that a conversation declares, as far as they can be read. */
export interface DeclaredTools {
  readonly tools: readonly ToolDefinition[];
  /** The reasons why the others cannot be read. */
  readonly faults: readonly string[];
  /** The names of those that declare an `outputSchema`, which is not read: recorded results are not held against it. */
  readonly withOutputSchema: readonly string[];
}

/**
 * Read tool definitions in any of the forms that are in use.
 *
 * OpenAI's `{ type, function: { name, parameters } }`, of which `type` may be
 * missing and the rest, as `strict`, is not looked at; its custom tools;
 * the flat forms of OpenAI's Responses and legacy functions (`parameters`), of
 * MCP (`inputSchema`) and of Anthropic (`input_schema`). A tool without a name
 * that the model's host runs itself (`{ type: "web_search" }`) goes by its
 * type. One that is declared twice in the same words is one.
 */
export function readTools(declared: readonly unknown[]): DeclaredTools {
  const tools: ToolDefinition[] = [];
  const faults: string[] = [];
  const withOutputSchema: string[] = [];
  const seen = new Set<string>();
  for (const [index, each] of declared.entries()) {
    const tool = readTool(each);
    if (tool !== undefined && ownValue(bodyOf(each), "outputSchema") != null) {
      withOutputSchema.push(tool.name);
    }
    const text = tool === undefined ? undefined : jsonText(tool);
    if (tool === undefined) {
      faults.push(`tool definition ${index} has no name`);
    } else if (/[*?]/.test(tool.name)) {
      faults.push(
        `the name of tool ${quoted(tool.name)} reads like a pattern: no allowlist takes it`,
      );
    } else if (text === undefined) {
      faults.push(`the definition of tool ${quoted(tool.name)} is nested too deeply`);
    } else if (!seen.has(text)) {
      seen.add(text);
      tools.push(tool);
    }
  }
  return { tools, faults, withOutputSchema };
}

const schemaKeys = ["parameters", "inputSchema", "input_schema"];

function readTool(declared: unknown): ToolDefinition | undefined {
  const body = bodyOf(declared);
  const nested = body === declared ? undefined : body;
  const name = ownText(body, "name") ?? builtInName(declared, nested);
  if (name === undefined) return undefined;
  const schema = schemaKeys.map((key) => ownValue(body, key)).find((each) => each != null);
  // Whether it is a schema is for the schema guard to say.
  return schema === undefined ? { name } : { name, parameters: schema as JsonObject };
}

function bodyOf(declared: unknown): unknown {
  return ownValue(declared, "function") ?? ownValue(declared, "custom") ?? declared;
}

function builtInName(declared: unknown, nested: unknown): string | undefined {
  const type = ownText(declared, "type");
  return nested === undefined && type !== "function" && type !== "custom" ? type : undefined;
}

function jsonText(tool: ToolDefinition): string | undefined {
  try {
    return JSON.stringify(tool);
  } catch {
    // All of it came from JSON text, so it is too deep for the engine to write.
    return undefined;
  }
}
