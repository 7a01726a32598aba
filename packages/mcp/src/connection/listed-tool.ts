import { canonicalJson, type Tool } from "@toolstile/core";
import { isRecord, own } from "./json-rpc.js";

/** One tool as the server listed it: fixed when it was read. */
export interface ListedTool {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  /** Its canonical text: what is another text is another definition. */
  readonly text: string;
}

/** Of two tools of one name neither is pinned: core refuses both. */
export function withoutTwins(tools: readonly ListedTool[]): readonly ListedTool[] {
  const seen = new Map<string, number>();
  for (const { name } of tools) seen.set(name, (seen.get(name) ?? 0) + 1);
  return tools.filter(({ name }) => seen.get(name) === 1);
}

/** A tool as it was listed, or nothing where it has no name or JSON cannot hold it. */
export function readTool(tool: unknown): ListedTool | undefined {
  try {
    const definition: unknown = JSON.parse(JSON.stringify(tool));
    const name = own(definition, "name");
    if (!isRecord(definition) || typeof name !== "string") return undefined;
    return { name, definition, text: canonicalJson(definition) };
  } catch {
    return undefined;
  }
}

export function toolOf(definition: Readonly<Record<string, unknown>>): Tool {
  const { name, description, inputSchema, outputSchema, annotations } = definition;
  return { name, description, parameters: inputSchema, outputSchema, annotations } as Tool;
}
