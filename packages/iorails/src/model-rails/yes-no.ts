/** The reading of an answer. It has three values, because an answer without a verdict must block as well. */
export interface Reading {
  readonly verdict: "allow" | "block" | "unparseable";
  /** The categories that the judge named, in its own words. They must not be shown as they are. */
  readonly categories?: readonly string[] | undefined;
}

export const unparseable: Reading = { verdict: "unparseable" };

type Side = "allow" | "block";
export type Vocabulary = ReadonlyMap<string, { readonly side: Side; readonly kind: string }>;

/** "Should it be blocked?" */
export const yesBlocks: Vocabulary = new Map([
  ["no", { side: "allow", kind: "yes or no" }],
  ["yes", { side: "block", kind: "yes or no" }],
  ["safe", { side: "allow", kind: "safe or unsafe" }],
  ["unsafe", { side: "block", kind: "safe or unsafe" }],
]);

/** "Is it right?" `safe` answers another question and is not read. */
export const yesAllows: Vocabulary = new Map([
  ["yes", { side: "allow", kind: "yes or no" }],
  ["no", { side: "block", kind: "yes or no" }],
  ["unsafe", { side: "block", kind: "safe or unsafe" }],
]);

/** Read no further than this: a verdict comes first. */
const headLength = 400;

/**
 * A word. Punctuation between two letters joins them ("no-brainer", "isn't",
 * "safe/unsafe"), as do signs that are no punctuation and characters that
 * cannot be seen: what is not plainly the verdict's word is another word.
 */
const word = /[^\s\p{Z}\p{P}`]+(?:[-\u2010\u2011'’.!/?&@#\\_]+[^\s\p{Z}\p{P}`]+)*/gu;

/** The signs that may stand before the first word, and between the label `Answer:` and the verdict. */
const opening = /^[\s:"'“‘«`*([]*$/u;
/** A word that allows must stand alone: "No." and "No, because", not "No doubt", "Safe to say", "Safe: no", "Safe?". */
const standsAlone = /^[ \t]*[\n\r.…,;!)\]"'”’»`*(\-–—。，！][\s.…,;!()[\]"'“”‘’«»`*\-–—。，！]*$/u;
const quote = /["'“‘`]$/u;
const quoteAfterPause = /[.,;\n–—-]\s*["'“‘`]$/u;

/** A sign of a list or a quotation before a verdict: "- no", "> no". */
const signBefore = /^(?:[-–—>•*+]+[ \t]+)+/u;
/** A picture at the end of a line: "no 😀". One that forbids or warns may mean the opposite of its word. */
const pictureBehind =
  /(?:(?![🚫❌⛔👎⚠])\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u200d\ufe0f]|[ \t])+(?=[\n\r]|$)/gu;

/**
 * Read a verdict off the first two words of an answer, or those after the label "Answer".
 *
 * "not safe" and "not yes" block where "safe" and "yes" allow. A negation
 * never makes an answer allow: "not unsafe" is unparseable, as are two words
 * that contradict each other, and a mix of both vocabularies ("safe: no").
 */
export function readVerdict(answer: string, vocabulary: Vocabulary): Reading {
  const head = answer
    .trim()
    .slice(0, headLength)
    .replace(signBefore, "")
    .replace(pictureBehind, "");
  const words = [...head.matchAll(word)].slice(0, 4).map((match) => ({
    text: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
  let from = 0;
  if (words[0]?.text === "answer") {
    if (!opening.test(head.slice(0, words[0].start))) return unparseable;
    from = words[0].end;
    words.shift();
  }
  const [first, second] = words;
  if (first === undefined || !opening.test(head.slice(from, first.start))) return unparseable;
  const said = vocabulary.get(first.text);
  // "safe/unsafe" as the first word is not a verdict. As the second word it does not contradict one.
  const next = vocabulary.get(second?.text.split(/[^\p{L}\p{N}]/u, 1)[0] ?? "");
  if (first.text === "not") return next?.side === "allow" ? { verdict: "block" } : unparseable;
  if (said === undefined) return unparseable;
  const between = head.slice(first.end, second?.start);
  // A yes or no that alone is quoted, after a comma, is talked about: "No, 'yes' is fine".
  const isMention =
    said.kind === "yes or no" &&
    next?.kind === said.kind &&
    !quote.test(head.slice(from, first.start)) &&
    quoteAfterPause.test(between);
  if (next !== undefined && !isMention) {
    if (next.side !== said.side) return unparseable;
    if (said.side === "allow" && said.kind !== next.kind) return unparseable;
  }
  if (said.side === "allow") {
    const isAlone = between === "" || standsAlone.test(between);
    return isAlone ? { verdict: "allow" } : unparseable;
  }
  return {
    verdict: "block",
    categories: first.text === "unsafe" ? listed(head.slice(first.end)) : [],
  };
}

/** The words after "unsafe", which name what was found: "unsafe S1, S10". */
function listed(rest: string): readonly string[] {
  return rest
    .split(/[\s,]+/u)
    .map((category) => category.replace(/^[\p{P}`]+|(?<![\p{P}`])[\p{P}`]+$/gu, ""))
    .filter((category) => category !== "");
}
