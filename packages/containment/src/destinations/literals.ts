import { parse } from "tldts";
import {
  type Address,
  canonicalHost,
  canonicalIban,
  canonicalMail,
  readUrl,
  wholeAddress,
} from "./address.js";
import { ibansIn } from "./ibans.js";
import { decoded, trimmed, withoutEscapes, wordsWithMarks } from "./words.js";

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
/** One text with more destinations than this, or more words that look like one, cannot be read. */
const mostLiterals = 256;
const mostCandidates = 4_096;
const mostWords = 65_536;
const mostNested = 16;
const mostRounds = 4;

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
 * Also those behind the escapes of HTML, JSON and URLs, and those within other URLs. Its cost grows with
 * the length of the text; where it gives up, it says that there is something that cannot be read.
 */
export function literalsIn(text: string, scan: Scan = newScan()): readonly Literal[] {
  if (text.length < leastIban && !/[.:@&\\%\u3002\uff0e\uff61]|\/\//.test(text)) return [];
  const found: Literal[] = [];
  if (bareAddress.test(text)) pushUrl(addressText(text), true, found);
  const plain = withoutEscapes(text);
  const seen = new Set<string>();
  for (const form of plain === text ? [text] : [text, plain]) {
    for (const given of wordsWithMarks(form)) {
      scan.words += 1;
      if (scan.words > mostWords) {
        scan.isOver = true;
        return [...found, unreadable];
      }
      const word = trimmed(given);
      if (word.length < 4 || !mayHold(word) || seen.has(word)) continue;
      seen.add(word);
      scan.candidates += 1;
      if (scan.candidates > mostCandidates || found.length >= mostLiterals) {
        scan.isOver = true;
        return [...found, unreadable];
      }
      readWord(word, given.length === form.length, found);
    }
  }
  readIbans(text, scan, found);
  if (!found.some(({ kind, isWhole }) => kind === "mail" && !isWhole) || !isAddressList(text))
    return found;
  return found.map((each) => (each.kind === "mail" ? { ...each, isWhole: true } : each));
}

/** The beginnings of a URL: at a scheme, at two slashes, or at www. */
const urlStart = /(?:[a-z][a-z0-9+.-]{0,30}:)?\/\/|(?:https?|wss?|ftp):(?=.)|www\./i;

function mayHold(word: string): boolean {
  if (word.length > longestWord || word.includes("//") || word.includes("@")) return true;
  return /\p{L}{2}|xn--/u.test(word) && (/[.\u3002\uff0e\uff61]/.test(word) || urlStart.test(word));
}

function readWord(word: string, isWhole: boolean, found: Literal[]): void {
  if (word.length > longestWord) {
    found.push(unreadable);
    return;
  }
  // Markdown, and some programs, let a URL begin in the middle of a word.
  const start = urlStart.exec(word);
  if (start !== null) readUrls(word.slice(start.index), isWhole, found);
  else if (!word.includes("@") || !readMail(word, isWhole, found)) readHosts(word, isWhole, found);
}

function pushUrl(text: string, isWhole: boolean, found: Literal[]): void {
  const address = readUrl(text);
  found.push({ kind: "url", value: address && wholeAddress(address), address, isWhole });
}

function readUrls(text: string, isWhole: boolean, found: Literal[]): void {
  pushUrl(text.replace(/^(https?|wss?|ftp):\/*(?=[^\\/])/i, "$1://"), isWhole, found);
  for (const each of literalsWithin(text, isWhole)) found.push(each);
}

/** Finds the URLs and addresses in the path and the query of a URL: it may lead on to them. */
export function literalsWithin(url: string, isWhole = true): readonly Literal[] {
  const found: Literal[] = [];
  const afterHost = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*/i.exec(url)?.[0].length ?? 0;
  for (const nested of nestedIn(url.slice(afterHost))) {
    if (!isMail(nested) || !readMail(nested, isWhole, found)) pushUrl(nested, isWhole, found);
  }
  return found;
}

function isMail(text: string): boolean {
  return text.includes("@") && !text.includes("/");
}

/** The URLs in the path and the query of another, and the addresses in its query, however often they are escaped. */
function nestedIn(rest: string): readonly string[] {
  const nested = new Set<string>();
  let form = rest;
  for (let round = 0; round < mostRounds; round++) {
    const plain = form.replace(/[\t\r\n]/g, "");
    for (const { index } of plain.matchAll(/(?:https?|wss?|ftp):[\\/]*|[\\/]{2,}|www\./gi)) {
      const text = plain.slice(index).replace(/[&#].*$/s, "");
      nested.add(text.replace(/^(?:([a-z]+):)?[\\/]*/i, (_, scheme) => `${scheme ?? "https"}://`));
    }
    for (const [, value = ""] of plain.matchAll(/[?&;#][^=&;#]*=[.@]*([^&;#]*)/g)) {
      if (isMail(value)) nested.add(value);
      else if (isHostName(/^[^/?#:\\]*/.exec(value)?.[0] ?? "")) nested.add(value);
    }
    const next = decoded(form);
    if (next === form) break;
    // What is escaped more often than anybody does it is unreadable.
    if (round === mostRounds - 1) nested.add("");
    form = next;
  }
  return nested.size > mostNested ? [""] : [...nested];
}

/** @returns false for a word that is no address: its @ may stand in the path of a URL. */
function readMail(word: string, isWhole: boolean, found: Literal[]): boolean {
  const value = canonicalMail(word);
  // "@ann" is a name, and "a@b" no address that mail outside of one network goes to.
  const isAddress = value?.includes(".", value.indexOf("@")) ?? /^[^/@]+@[^@]+\.[^@]/.test(word);
  if (isAddress) found.push({ kind: "mail", value, isWhole });
  return isAddress || value !== undefined;
}

/** True for a text that is nothing but mail addresses, with names before them or without, as in a header. */
function isAddressList(text: string): boolean {
  const lines = text.replace(/"[^"\r\n]*"/g, "").split(/[\r\n]+/);
  return lines.every((line) => {
    const parts = line.replace(/^\s*(?:to|b?cc|from|sender|reply-to)\s*:/i, "").split(/[,;]/);
    return (
      line.trim() === "" ||
      (parts.some((part) => part.includes("@")) && parts.every(isMailboxOrName))
    );
  });
}

function isMailboxOrName(part: string): boolean {
  const words = part.trim().split(/\s+/);
  if (!part.includes("@")) return words.length <= 3;
  return words.every((word) => word.includes("@")) || /^[^<>@]*<[^<>]*>\s*$/.test(part);
}

/** Finds names of hosts in a word, as they stand behind other signs or before a path. */
function readHosts(word: string, isWhole: boolean, found: Literal[]): void {
  for (const match of word.matchAll(/[\p{L}\p{M}\p{N}._\u3002\uff0e\uff61-]+/gu)) {
    const name = match[0].replace(/^[._-]+|(?<![._-])[._-]+$/g, "");
    const start = match.index + match[0].indexOf(name);
    // A name in a path is one of a folder or a file.
    if (/(?:^|[^\\/:])[\\/]$/.test(word.slice(0, start))) continue;
    const rest = word.slice(start);
    if (!isHostName(name) || (isFileName(name) && !/^[\\/]/.test(rest.slice(name.length))))
      continue;
    readUrls(rest, isWhole && /^[\\/]*$/.test(word.slice(0, start)), found);
    return;
  }
}

/** In a text these are names of files far more often than hosts. With a path behind them they are hosts. */
const fileEndings = /\.(?:md|py|rs|sh|pl|cc|so|ps)$/i;
/** These are both. Who names one may mean the file. */
const moreFileEndings = /\.(?:zip|mov|app|tf|pm|mk|mo|mm|cl|cab|docs|properties)$/i;

function isFileName(name: string): boolean {
  return fileEndings.test(name);
}

/** True for a host that has the name of a file. */
export function mayBeFile(host: string): boolean {
  return fileEndings.test(host) || moreFileEndings.test(host);
}

function isHostName(name: string): boolean {
  const host = name.replace(/[\u3002\uff0e\uff61]/g, ".");
  if (
    host.length > longestHost ||
    !/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*\.\p{L}[\p{L}\p{M}\p{N}-]+$/u.test(host)
  ) {
    return false;
  }
  const { domain, isIcann } = parse(host.replace(/_/g, "-"));
  return domain !== null && isIcann === true;
}

/** The address of a machine in numbers, as a whole text, with a port and a path or without. */
const bareAddress =
  /^\s*(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|[\da-f:]*::[\da-f:.]*)(?::\d+)?(?:[/?#\\].*)?\s*$/is;

function addressText(text: string): string {
  const name = text.trim();
  return canonicalHost(`[${name}]`) === undefined ? name : `[${name}]`;
}

function readIbans(text: string, scan: Scan, found: Literal[]): void {
  if (text.length < leastIban) return;
  const whole = canonicalIban(text);
  if (whole !== undefined) {
    found.push({ kind: "iban", value: whole, isWhole: true });
    return;
  }
  for (const value of ibansIn(text)) {
    scan.candidates += 16;
    if (scan.candidates > mostCandidates) {
      scan.isOver = true;
      found.push(unreadable);
      return;
    }
    if (value !== undefined) found.push({ kind: "iban", value, isWhole: false });
  }
}
