import { optionError } from "../errors/option-error.js";
import { own } from "../json/own.js";
import type { ContentPart, ToolContent, ToolResult } from "../protocol/guardrail.js";

/**
 * Writes the content of a result as one text.
 *
 * Text stays as it is. Parts that are all text are joined, with a line break between
 * them. Content with any other part is written as JSON, so that nothing of it is lost.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what has no content, such as an outcome: its `result` has it.
 */
export function textOf(result: { readonly content: ToolContent }): string {
  const content = (result as Partial<ToolResult> | undefined)?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) {
    throw optionError("textOf()", "result", "the result of a call, as in outcome.result", result);
  }
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

/** Writes all of a result that a model may read: texts as they are, everything else as JSON. */
export function textOfResult(result: Pick<ToolResult, "content" | "structured">): string {
  const { content } = result;
  const structured = own(result, "structured");
  const texts = typeof content === "string" ? [content] : content.map(textOfPart);
  if (structured !== undefined) texts.push(JSON.stringify(structured));
  return texts.join("\n");
}

function textOfPart(part: ContentPart): string {
  const text = own(part, "text");
  return part.type === "text" && typeof text === "string" ? text : JSON.stringify(part);
}
