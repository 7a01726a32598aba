import type { ContentPart, JsonValue, ResultBody, ToolContent } from "@toolstile/core";
import { ownValue } from "@toolstile/core/host";
import { cutText, gapIn, noticeOf } from "./cut-text.js";

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
  const ofParts = typeof content === "string" ? 0 : restOf(content);
  let cut = structured;
  // A value that is short enough as JSON is so without its escapes.
  if (structured !== undefined && ofParts + JSON.stringify(structured).length > most) {
    if (ofParts + withoutTexts(structured).length > most) return restTooLong(most);
    const shorter = cutStructured(structured, most, id);
    if (shorter === tooMany) return tooManyTexts(most);
    cut = shorter;
  } else if (ofParts > most) return restTooLong(most);
  const shown = cutContent(content, most, id);
  return shown === content && cut === structured ? body : { content: shown, structured: cut };
}

function restTooLong(most: number): string {
  return `the result has more than ${most} characters that are no text, and these cannot be cut`;
}

function tooManyTexts(most: number): string {
  return `the structured content has so many texts that, of ${most} characters, fewer than ${leastCut} would be left of one`;
}

/** The length of all in some parts that is no text, as JSON. */
function restOf(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + restOfPart(part), 0);
}

function restOfPart(part: ContentPart): number {
  if (textIn(part) === undefined) return JSON.stringify(part).length;
  return saysOnlyText(part) ? 0 : JSON.stringify(withText(part, "")).length;
}

function withoutTexts(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "string" ? "" : each));
}

/** Cuts the texts of a content, counted as one text with a line break between two. */
function cutContent(content: ToolContent, most: number, id: string): ToolContent {
  if (typeof content === "string") return cutText(content, most, id);
  const texts = content.flatMap((part) => textIn(part) ?? []);
  const joined = texts.join("\n");
  if (joined.length <= most) return content;
  // A notice that becomes a part of its own has a line break before and after it.
  const { from, to } = gapIn(joined, texts.length === 1 ? most : most - 2, id);
  const pieces = piecesAround(content, from, to);
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

/** Cuts the longest texts of a value, all to one length, so that its texts have at most so many characters together. */
function cutStructured<Value>(value: Value, most: number, id: string): Value | typeof tooMany {
  const longest = fairLength(lengthsIn(value, []), most);
  if (longest === undefined) return value;
  if (longest < leastCut) return tooMany;
  return mapped(value as JsonValue, (text) => cutText(text, longest, id)) as Value;
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

function lengthsIn(value: unknown, lengths: number[]): readonly number[] {
  if (typeof value === "string") lengths.push(value.length);
  else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) lengthsIn(each, lengths);
  }
  return lengths;
}

function mapped(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  const members = Object.entries(value).map(([key, each]) => [
    key,
    mapped(each as JsonValue, change),
  ]);
  return Object.fromEntries(members);
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
