import type { ContentPart, JsonValue, ToolContent } from "@toolstile/core";
import { ownValue, type ResultBody } from "@toolstile/core/provider";
import { cutText, gapIn, noticeOf } from "./cut-text.js";
import { lengthAsJson, withTexts } from "./json-texts.js";

/** The least that is left of a text, with its notice. Less would be notices only. */
export const leastCut = 200;

/**
 * Cuts a result in each of the places that say it: the texts of the content have so many characters
 * together, and so have those of the structured content. Everything else has as many once more.
 *
 * A server that says its text in both places has it cut in the same way twice.
 *
 * @returns the same body if nothing is too long, or the reason why it cannot be cut.
 */
export function cutBody(body: ResultBody, most: number, id: string): ResultBody | string {
  const { content, structured } = body;
  const lengths: number[] = [];
  const ofStructured = structured === undefined ? 0 : restOfStructured(structured, lengths);
  if (ofStructured > most) return restTooLong(most);
  const cut = cutStructured(structured, lengths, most, id);
  if (cut === tooMany) return tooManyTexts(most);
  let shown = cutContent(content, most, id);
  if (shown === undefined) return restTooLong(most);
  if (typeof shown !== "string" && ofStructured + restOf(shown) > most) {
    shown = joined(shown);
    if (ofStructured + restOf(shown) > most) return restTooLong(most);
  }
  return shown === content && cut === structured ? body : { content: shown, structured: cut };
}

function restTooLong(most: number): string {
  return `the result has more than ${most} characters that are no text, and these cannot be cut`;
}

function tooManyTexts(most: number): string {
  return `the structured content has so many texts that, of ${most} characters, fewer than ${leastCut} would be left of one`;
}

/** The length of all in some parts that is not the text they say, as JSON. */
function restOf(parts: readonly ContentPart[]): number {
  const silent = parts.map((part) => (textIn(part) === undefined ? part : withText(part, "")));
  return lengthAsJson(silent, (text) => JSON.stringify(text).length - 2);
}

/** The same of a structured content. The lengths of its texts are added to a list. */
function restOfStructured(structured: JsonValue, lengths: number[]): number {
  return lengthAsJson(structured, (text) => {
    lengths.push(text.length);
    return 0;
  });
}

/** Makes one part of those in a row that say a text and no more: many small ones are mostly brackets. */
function joined(parts: readonly ContentPart[]): readonly ContentPart[] {
  const rows: ContentPart[][] = [];
  for (const part of parts) {
    const row = rows.at(-1);
    const [before] = row ?? [];
    if (row !== undefined && before !== undefined && saysOnlyText(before) && saysOnlyText(part)) {
      row.push(part);
    } else rows.push([part]);
  }
  return rows.flatMap((row) => {
    const [first] = row;
    if (first === undefined || row.length === 1) return row;
    return [withText(first, row.flatMap((part) => textIn(part) ?? []).join("\n"))];
  });
}

/**
 * Cuts the texts of a content, counted as one text with a line break between two.
 *
 * Undefined if too little would be left of them, beside the line breaks of parts that stay for what else they say.
 */
function cutContent(content: ToolContent, most: number, id: string): ToolContent | undefined {
  if (typeof content === "string") return cutText(content, most, id);
  const texts = content.flatMap((part) => textIn(part) ?? []);
  const whole = texts.join("\n");
  if (whole.length <= most) return content;
  // A notice that becomes a part of its own has a line break before and after it.
  let room = texts.length === 1 ? most : most - 2;
  for (let less = 1; ; less *= 2) {
    const shown = cutParts(content, whole, room, id);
    const over = shown.flatMap((part) => textIn(part) ?? []).join("\n").length - most;
    if (over <= 0) return shown;
    less = Math.max(less, over);
    room -= less;
    if (room < leastCut) return undefined;
  }
}

function cutParts(
  parts: readonly ContentPart[],
  whole: string,
  most: number,
  id: string,
): readonly ContentPart[] {
  const { from, to } = gapIn(whole, most, id);
  const pieces = piecesAround(parts, from, to);
  const leftOut = pieces.reduce((sum, { text, head, tail }) => {
    return sum + text.length - head.length - tail.length;
  }, 0);
  const first = pieces.find(({ isCut }) => isCut);
  return pieces.flatMap((piece) => {
    const { part, head, tail, isCut } = piece;
    if (!isCut) return [part];
    const text = head + (piece === first ? noticeOf(leftOut, id) : "") + tail;
    return text === "" && saysOnlyText(part) ? [] : [withText(part, text)];
  });
}

/** A part of a content, and what is left of its text at both ends. */
interface Piece {
  readonly part: ContentPart;
  readonly text: string;
  readonly head: string;
  readonly tail: string;
  readonly isCut: boolean;
}

function piecesAround(parts: readonly ContentPart[], from: number, to: number): readonly Piece[] {
  let place = 0;
  return parts.map((part): Piece => {
    const text = textIn(part);
    if (text === undefined) return { part, text: "", head: "", tail: "", isCut: false };
    const start = place;
    const end = start + text.length;
    place = end + 1;
    if (end <= from || start >= to) return { part, text, head: text, tail: "", isCut: false };
    const head = text.slice(0, Math.max(0, from - start));
    return { part, text, head, tail: text.slice(to - start), isCut: true };
  });
}

/** Given where a cut would leave too little of each text. */
const tooMany = Symbol("too many texts");

/** Cuts the longest texts of a value, all to one length, so that its texts, of these lengths, have at most so many characters together. */
function cutStructured<Value>(
  value: Value,
  lengths: readonly number[],
  most: number,
  id: string,
): Value | typeof tooMany {
  const longest = fairLength(lengths, most);
  if (longest === undefined) return value;
  if (longest < leastCut) return tooMany;
  return withTexts(value, (text) => cutText(text, longest, id));
}

/** The length to which the longest of some texts must be cut; undefined if all have room. */
function fairLength(lengths: readonly number[], most: number): number | undefined {
  let [room, others] = [most, lengths.length];
  for (const length of [...lengths].sort((one, other) => one - other)) {
    const share = Math.floor(room / others);
    if (length > share) return share;
    room -= length;
    others -= 1;
  }
  return undefined;
}

/** The text of a part, or of the resource that is embedded in it. */
function textIn(part: ContentPart): string | undefined {
  const { type } = part;
  if (type !== "text" && type !== "resource") return undefined;
  const text = ownValue(type === "text" ? part : ownValue(part, "resource"), "text");
  return typeof text === "string" ? text : undefined;
}

function withText(part: ContentPart, text: string): ContentPart {
  if (part.type === "text") return { ...part, text };
  return { ...part, resource: { ...(ownValue(part, "resource") as object), text } };
}

/** True for a part that says a text and no more. */
function saysOnlyText(part: ContentPart): boolean {
  return part.type === "text" && Object.keys(part).length === 2;
}
