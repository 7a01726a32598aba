import type { ContentPart, JsonValue, ResultBody, ToolContent } from "@toolstile/core";
import { own, textOfResult } from "@toolstile/core/host";

/** Given in place of a body that is too long, and that nothing can be cut out of. */
export const uncuttable = Symbol("uncuttable");

/** The part of what is kept that is kept from the end. */
const tailShare = 1 / 4;

/**
 * Cuts the middle out of the texts of a result, so that all of it has at most so many characters,
 * a notice included.
 *
 * Many servers say their one text once more in the structured content. There it is cut as well.
 *
 * @param length - of the whole result.
 * @returns `uncuttable` if what is not text is too long by itself.
 */
export function cutBody(
  body: ResultBody,
  length: number,
  most: number,
  id: string,
): ResultBody | typeof uncuttable {
  const cut = cutContent(body, length, most, id);
  if (cut !== uncuttable || body.structured === undefined) return cut;
  const text = onlyTextOf(body.content);
  return text === undefined ? uncuttable : cutRepeated(body, text, most, id);
}

/** The passes after which no better length is found: escapes in JSON make a text longer. */
const mostPasses = 8;

/** Cuts a text that stands in the content and in the structured content. */
function cutRepeated(
  body: ResultBody,
  text: string,
  most: number,
  id: string,
): ResultBody | typeof uncuttable {
  const places = 1 + countOf(body.structured, text);
  if (places === 1) return uncuttable;
  let size = Math.floor((most - lengthOf(withText(body, text, ""))) / places);
  for (let pass = 0; pass < mostPasses && size > 0; pass++) {
    const cut = cutContent({ content: text, structured: undefined }, text.length, size, id);
    if (cut === uncuttable) return uncuttable;
    const whole = withText(body, text, cut.content as string);
    const excess = lengthOf(whole) - most;
    if (excess <= 0) return whole;
    size -= Math.ceil(excess / places);
  }
  return uncuttable;
}

function lengthOf({ content, structured }: ResultBody): number {
  return textOfResult({ content, ...(structured !== undefined && { structured }) }).length;
}

function onlyTextOf(content: ToolContent): string | undefined {
  if (typeof content === "string") return content;
  const texts = content.flatMap((part) => textOf(part) ?? []);
  return texts.length === 1 ? texts[0] : undefined;
}

function withText({ content, structured }: ResultBody, text: string, other: string): ResultBody {
  return {
    content:
      typeof content === "string"
        ? other
        : content.map((part) => (textOf(part) === undefined ? part : { ...part, text: other })),
    structured: replaced(structured as JsonValue, text, other),
  };
}

/** The number of members and entries that are this text. */
function countOf(value: unknown, text: string): number {
  if (typeof value === "string") return value === text ? 1 : 0;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + countOf(each, text), 0);
}

function replaced(value: JsonValue, text: string, other: string): JsonValue {
  if (value === text) return other;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => replaced(each, text, other));
  const members = Object.entries(value).map(([key, each]) => [
    key,
    replaced(each as JsonValue, text, other),
  ]);
  return Object.fromEntries(members);
}

function cutContent(
  { content, structured }: ResultBody,
  length: number,
  most: number,
  id: string,
): ResultBody | typeof uncuttable {
  const parts = typeof content === "string" ? [textPart(content)] : content;
  const inTexts = parts.reduce((sum, part) => sum + (textOf(part)?.length ?? 0), 0);
  // One character joins two parts where the whole is measured, and the notice is a further part.
  const room = most - (length - inTexts) - 2;
  const notice = noticeOf(inTexts - room, id);
  const kept = room - notice.length;
  if (kept < 0) return uncuttable;
  const tail = Math.floor(kept * tailShare);
  const cut = cutParts(parts, kept - tail, inTexts - tail, notice);
  const isText = typeof content === "string";
  const body: ToolContent = isText ? cut.map((part) => textOf(part) ?? "").join("") : cut;
  return { content: body, structured };
}

function noticeOf(leftOut: number, id: string): string {
  // A little more is left out to make room for the notice, so the number is rounded up.
  const about = Math.ceil((leftOut + 100) / 100) * 100;
  return `\n[… about ${about} characters left out by the rule ${id} …]\n`;
}

/** Leaves out the texts from one place to another, counted over all of them. */
function cutParts(
  parts: readonly ContentPart[],
  from: number,
  to: number,
  notice: string,
): readonly ContentPart[] {
  const kept: ContentPart[] = [];
  let place = 0;
  let noticed = false;
  for (const part of parts) {
    const text = textOf(part);
    if (text === undefined) {
      kept.push(part);
      continue;
    }
    const head = text.slice(0, wholeBefore(text, from - place));
    const tail = text.slice(wholeAfter(text, to - place));
    const crosses = place + text.length > from && place < to;
    place += text.length;
    if (!crosses) {
      kept.push(part);
      continue;
    }
    const middle = noticed ? "" : notice;
    noticed = true;
    if (head + middle + tail !== "") kept.push({ ...part, text: head + middle + tail });
  }
  return kept;
}

/** A place at or before another that is not within a surrogate pair. */
function wholeBefore(text: string, place: number): number {
  if (place <= 0) return 0;
  return isWithinPair(text, place) ? place - 1 : place;
}

function wholeAfter(text: string, place: number): number {
  if (place <= 0) return 0;
  return isWithinPair(text, place) ? place + 1 : place;
}

function isWithinPair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}

function textPart(text: string): ContentPart {
  return { type: "text", text };
}

function textOf(part: ContentPart): string | undefined {
  const text = own(part, "text");
  return part.type === "text" && typeof text === "string" ? text : undefined;
}
