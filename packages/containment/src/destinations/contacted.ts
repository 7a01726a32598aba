import { parseUrl } from "@toolstile/core/provider";
import {
  asClientsMap,
  isAnyAddress,
  isFileName,
  isHostName,
  isNameOfHost,
  isPlainAddress,
} from "./host-names.js";
import { decoded } from "./words.js";

/** A URL as a client reads it, where that is more than the next word of the text. */
export interface Contacted {
  readonly url: string;
  readonly isWhole: boolean;
}

const longest = 4_096;
const mostNested = 16;
const mostRounds = 4;
const starts = /[\\/]{2}|(?:https?|wss?|ftp):[\\/]*|www\./gi;
const nextUrl = /(?:https?|wss?|ftp):|www\./iy;

/**
 * Yields the URLs of which clients read more than one word.
 *
 * They leave out tabs and ends of lines, and a host may have commas and other signs in it. In a sentence
 * only another host that exists counts: a line that ends with a URL goes on with a word.
 */
export function* contactedIn(text: string): Iterable<Contacted> {
  const whole = wholeIn(text);
  if (whole !== undefined) yield { url: whole, isWhole: true };
  const seeks = new RegExp(starts);
  for (let start = seeks.exec(text); start !== null; start = seeks.exec(text)) {
    const { end, word } = endOf(text, start.index + start[0].length);
    seeks.lastIndex = end;
    const written = text.slice(start.index, end);
    const joined = written.replace(/[\t\r\n]+/g, "");
    if (joined.length > longest) continue;
    const before = text.charAt(start.index - 1);
    const isQuoted = (before === '"' || before === "'") && text.charAt(end) === before;
    if (joined !== written && isQuoted) yield { url: joined, isWhole: false };
    else if (isOther(joined, text.slice(start.index, word))) yield { url: joined, isWhole: false };
    else if (joined !== written) {
      const first = text.slice(start.index, end).split(/[\t\r\n]/, 1)[0] ?? "";
      if (isOther(first, text.slice(start.index, word))) yield { url: first, isWhole: false };
    }
  }
}

/** Finds the end of a URL that goes on over ends of lines, and the end of its first word. */
function endOf(text: string, from: number): { readonly end: number; readonly word: number } {
  let word: number | undefined;
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if ("\t\r\n".includes(sign)) {
      word ??= at;
      while ("\t\r\n".includes(text.charAt(at + 1)) && at + 1 < text.length) at++;
      nextUrl.lastIndex = at + 1;
      if (nextUrl.test(text)) return { end: at + 1, word };
    } else if (" \"'`<>".includes(sign)) return { end: at, word: word ?? at };
    else if (",;()[]{}|*".includes(sign)) word ??= at;
  }
  return { end: text.length, word: word ?? text.length };
}

/** True if a text names another host that may exist than its beginning does. */
function isOther(text: string, beginning: string): boolean {
  if (text === beginning) return false;
  const host = hostOf(text);
  return host !== undefined && host !== hostOf(beginning) && mayExist(host);
}

function hostOf(text: string): string | undefined {
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*([^\\/?#]*)/i.exec(text)?.[1] ?? "";
  return parseUrl(`http://${authority}/`)?.hostname.replace(/\.$/, "");
}

function mayExist(host: string): boolean {
  return isHostName(host.replace(/[^a-z\d.-]/gi, "x")) || isAnyAddress(host);
}

/** Reads a text that is nothing but a URL or a host, if it has signs in it at which words end. */
function wholeIn(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const given = text.trim();
  const joined = given.replace(/[\t\r\n]+/g, "");
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*([^\\/?#]*)/i.exec(joined)?.[1] ?? "";
  if (/\s/.test(authority) || (joined === given && /^[\w.:@%-]*$/.test(authority)))
    return undefined;
  const host = hostOf(joined);
  if (host === undefined || !mayExist(host)) return undefined;
  const [word = "", more] = joined.split(/\s/, 2);
  // A sentence is no URL, but its beginning may be one.
  if (more !== undefined) return host === hostOf(given.split(/\s/, 1)[0] ?? "") ? undefined : word;
  // Each entry of a list is judged by itself.
  return given.split(/[\s,;|]+/).every(isEntry) ? undefined : joined;
}

function isEntry(text: string): boolean {
  const host = hostOf(text);
  return (
    text === "" ||
    (/^[\w.:/-]*$/.test(text) && host !== undefined && isHostName(host) && !isFileName(host))
  );
}

export function isMail(text: string): boolean {
  return text.includes("@") && !text.includes("/");
}

/** The URLs in the path and the query of another, and the addresses in its query, however often they are escaped. */
export function nestedIn(rest: string): readonly string[] {
  const nested = new Set<string>();
  let form = rest;
  for (let round = 0; round < mostRounds; round++) {
    const plain = form.replace(/[\t\r\n]/g, "");
    for (const { index } of plain.matchAll(/(?:https?|wss?|ftp):[\\/]*|[\\/]{2,}|www\./gi)) {
      const text = plain.slice(index).replace(/[&#].*$/s, "");
      nested.add(text.replace(/^(?:([a-z]+):)?[\\/]*/i, (_, scheme) => `${scheme ?? "https"}://`));
    }
    for (const [, name = "", value = ""] of plain.matchAll(/[?&;#]([^=&;#]*)=[.@]*([^&;#]*)/g)) {
      if (isMail(value) || isHostIn(value, name)) nested.add(value);
    }
    const next = decoded(form);
    if (next === form) break;
    // What is escaped more often than anybody does it is unreadable.
    if (round === mostRounds - 1) nested.add("");
    form = next;
  }
  return nested.size > mostNested ? [""] : [...nested];
}

/** True if a value of a query begins with a host. One number is a host only where its name says so. */
function isHostIn(value: string, name: string): boolean {
  const host = asClientsMap(/^(?:\[[^\]]*\]|[^/?#:\\]*)/.exec(value)?.[0] ?? "");
  return isHostName(host) || isPlainAddress(host) || (isNameOfHost(name) && isAnyAddress(host));
}
