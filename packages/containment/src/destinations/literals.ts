import { parse } from "tldts";
import { type Address, canonicalIban, canonicalMail, readUrl } from "./address.js";

/** A destination that stands in a text. */
export interface Literal {
  readonly kind: "url" | "mail" | "iban";
  /** Undefined for one that can be read in two ways. */
  readonly value: string | undefined;
  readonly address?: Address | undefined;
  /** True if the text is nothing else. */
  readonly isWhole: boolean;
}

const longestWord = 4_096;
const longestHost = 255;
const leastIban = 15;
const mostIban = 34;
/** One text with more destinations than this, or more words that look like one, cannot be read. */
const mostLiterals = 256;
const mostCandidates = 4_096;
const mostWords = 65_536;

/** Stands for what cannot be read, and may be a destination. */
const unreadable: Literal = { kind: "url", value: undefined, isWhole: false };

/** The work done so far, over all texts of one call. */
export interface Scan {
  words: number;
  candidates: number;
  /** True if there was too much to look at. What cannot be read was found, then. */
  isOver: boolean;
}

export function newScan(): Scan {
  return { words: 0, candidates: 0, isOver: false };
}

/**
 * Finds the destinations in a text: URLs and hosts, mail addresses, IBANs.
 *
 * Also those in the query of another URL, once and twice escaped. Its cost grows with the length of
 * the text; where it gives up, it says that there is something that cannot be read.
 */
export function literalsIn(text: string, scan: Scan = newScan()): readonly Literal[] {
  if (text.length < leastIban && !/[.@]|\/\//.test(text)) return [];
  const found: Literal[] = [];
  for (const given of wordsWithMarks(text)) {
    scan.words += 1;
    if (scan.words > mostWords) {
      scan.isOver = true;
      return [...found, unreadable];
    }
    if (given.length < 4) continue;
    const isUrl = given.includes("//") || /www\./i.test(given.slice(0, longestWord));
    if (!isUrl && !given.includes("@") && !looksLikeHost(given)) continue;
    scan.candidates += 1;
    if (scan.candidates > mostCandidates || found.length >= mostLiterals) {
      scan.isOver = true;
      return [...found, unreadable];
    }
    const isWhole = given.length === text.length;
    if (given.length > longestWord) found.push(unreadable);
    else if (isUrl) readUrls(trimmed(given), isWhole, found);
    else if (given.includes("@")) readMail(trimmed(given), isWhole, found);
    else if (isHostName(trimmed(given))) readUrls(trimmed(given), isWhole, found);
  }
  readIbans(text, scan, found);
  return found;
}

/** The words in which a dot, an @ or two slashes stand. No other word is cut out of the text. */
function* wordsWithMarks(text: string): Iterable<string> {
  const mark = /[.@]|\/\//g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    let start = found.index;
    while (start > 0 && !isBorder(text.charCodeAt(start - 1))) start -= 1;
    let end = found.index;
    while (end < text.length && !isBorder(text.charCodeAt(end))) end += 1;
    yield text.slice(start, end);
    mark.lastIndex = end;
  }
}

const borders: ReadonlySet<number> = new Set(
  Array.from("\t\n\v\f\r \"'`<>()[]{}|,;*", (character) => character.charCodeAt(0)),
);

function isBorder(code: number): boolean {
  return code < 128 ? borders.has(code) : code >= 160 && /\s/.test(String.fromCharCode(code));
}

export function textOf({ origin, path }: Address): string {
  return origin + path;
}

function readUrls(word: string, isWhole: boolean, found: Literal[]): void {
  // Markdown, and some programs, let a URL begin in the middle of a word.
  const start = /(?:[a-z][a-z0-9+.-]{0,30}:)?\/\/|www\./i.exec(word);
  const text = start === null ? word : word.slice(start.index);
  const address = readUrl(text);
  found.push({ kind: "url", value: address && textOf(address), address, isWhole });
  const authorityEnds = text.replace(/^[^/]*\/\//, "").search(/[/?#]/);
  if (authorityEnds < 0) return;
  const rest = text.replace(/^[^/]*\/\//, "").slice(authorityEnds + 1);
  for (const inner of new Set([rest, decoded(rest), decoded(decoded(rest))])) {
    const next = inner.search(/(?:https?|wss?|ftp):|\/\/|www\./i);
    if (next < 0) continue;
    const after = inner.slice(next).replace(/^(https?:)\/*(?=[^/])/i, "$1//");
    const nested = readUrl(after.replace(/[&#].*$/s, ""));
    found.push({ kind: "url", value: nested && textOf(nested), address: nested, isWhole });
    return;
  }
}

function readMail(word: string, isWhole: boolean, found: Literal[]): void {
  const value = canonicalMail(word);
  // "@ann" is a name, and "a@b" no address that mail outside of one network goes to.
  if (value === undefined ? /[^@]@[^@]+\.[^@]/.test(word) : value.includes(".", value.indexOf("@")))
    found.push({ kind: "mail", value, isWhole });
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

const before = ".!?:&=-_~";
const after = ".!?:&=-_~\\";

function trimmed(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && before.includes(word.charAt(start))) start++;
  while (end > start && after.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

function looksLikeHost(word: string): boolean {
  return word.includes(".") && /\p{L}{2}|xn--/u.test(word.slice(word.lastIndexOf(".")).slice(0, 64))
    ? true
    : /^[^/]{4,255}\//.test(word) && word.slice(0, word.indexOf("/")).includes(".");
}

/** In a text these are names of files far more often than hosts. With a path behind them they are hosts. */
const fileEndings = /\.(?:md|py|rs|sh|pl|cc|so|ps)$/i;

function isHostName(word: string): boolean {
  const host = /^[^/?#:]*/.exec(word)?.[0] ?? "";
  if (host.length > longestHost || !/^[\p{L}\d][\p{L}\d.-]*\.\p{L}[\p{L}\d-]+$/u.test(host)) {
    return false;
  }
  if (host === word && fileEndings.test(word)) return false;
  const { domain, isIcann } = parse(host);
  return domain !== null && isIcann === true;
}

function readIbans(text: string, scan: Scan, found: Literal[]): void {
  if (text.length < leastIban) return;
  const whole = canonicalIban(text);
  if (whole !== undefined) {
    found.push({ kind: "iban", value: whole, isWhole: true });
    return;
  }
  for (const [match] of text.matchAll(/\b[A-Z]{2}\d{2}[A-Z0-9 -]{11,45}/g)) {
    scan.candidates += 16;
    if (scan.candidates > mostCandidates) {
      scan.isOver = true;
      found.push(unreadable);
      return;
    }
    const run = match.replace(/[ -]/g, "");
    for (let length = Math.min(run.length, mostIban); length >= leastIban; length--) {
      const value = run.slice(0, length);
      if (!hasRightSum(value)) continue;
      found.push({ kind: "iban", value, isWhole: false });
      break;
    }
  }
}

/** The check of ISO 13616: the number that letters and digits make has the remainder 1. */
function hasRightSum(iban: string): boolean {
  let sum = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    sum = (sum * (value > 9 ? 100 : 10) + value) % 97;
  }
  return sum === 1;
}
