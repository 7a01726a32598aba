import type { ToolResult } from "../protocol/guardrail.js";

/** The texts of a tool's stream that follow one another, as the tool gave them, and the place of one among them. */
export interface StreamedTexts {
  readonly texts: readonly string[];
  readonly at: number;
}

const streamed = new WeakMap<ToolResult, StreamedTexts>();

/** Notes that a result is one of several texts. */
export function setAmong(result: ToolResult, texts: StreamedTexts): void {
  streamed.set(result, texts);
}

/**
 * Returns the texts of a stream among which a result is one, for a judge of what may be divided over them.
 *
 * @returns undefined for any other result, and for one that another judge has changed.
 */
export function textsAround(result: ToolResult): StreamedTexts | undefined {
  return streamed.get(result);
}
