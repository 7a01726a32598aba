import type { ContentPart, ResultBody, ToolContent } from "@toolstile/core";
import { own } from "@toolstile/core/host";

/** Given in place of a body that is too long, and that nothing can be cut out of. */
export const uncuttable = Symbol("uncuttable");

/** The part of what is kept that is kept from the end. */
const tailShare = 1 / 4;

/**
 * Cuts the middle out of the texts of a result, so that all of it has at most so many characters,
 * a notice included.
 *
 * @param length - of the whole result.
 * @returns `uncuttable` if what is not text is too long by itself.
 */
export function cutBody(
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
