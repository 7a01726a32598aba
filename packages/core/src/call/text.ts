import type { ContentPart, ToolContent } from "../protocol/guardrail.js";

/**
 * Writes the content of a result as one text.
 *
 * Text stays as it is. Parts that are all text are joined, with a line break between
 * them. Content with any other part is written as JSON, so that nothing of it is lost.
 */
export function textOf({ content }: { readonly content: ToolContent }): string {
  if (typeof content === "string") return content;
  return content.every(isText)
    ? content.map(({ text }) => text).join("\n")
    : JSON.stringify(content);
}

/** True for a part that says nothing but a text. */
function isText(part: ContentPart): part is ContentPart & { readonly text: string } {
  return (
    part.type === "text" &&
    Object.hasOwn(part, "text") &&
    typeof part["text"] === "string" &&
    Object.keys(part).length === 2
  );
}
