import { ownValue } from "@toolstile/core/provider";

/** The types of items that are words of the model, or what OpenAI runs itself and its results. */
const ofModelAndOpenai: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "compaction",
  "file_search_call",
  "web_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call",
  "mcp_list_tools",
  "program",
  "program_output",
  "tool_search_output",
]);

/**
 * True for an item of a response that asks nothing of this program.
 *
 * An item of a type that is not known is not passed over: the program would answer it, or leave
 * it unanswered, without a guard being asked.
 */
export function asksNothing(type: string, item: unknown): boolean {
  if (type === "tool_search_call") return ownValue(item, "execution") === "server";
  return ofModelAndOpenai.has(type);
}
