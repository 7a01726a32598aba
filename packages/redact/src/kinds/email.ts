import { parse } from "tldts";
import { asciiDigitsAndLetters, isDigitCode, isWord } from "../text/classes.js";
import type { Source } from "../text/source.js";
import type { Before, Detector, Place } from "./detector.js";
import { documentationDomains } from "./facts.js";

/** Letters of names in Latin, Greek and Cyrillic script; other scripts are written without spaces around an address. */
function isLocal(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 64 + 1 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 95 ||
    code === 37 ||
    (code >= 0xc0 && code <= 0x24f) ||
    (code >= 0x370 && code <= 0x52f) ||
    (code >= 0x1e00 && code <= 0x1fff)
  );
}

/** Labels may be of any script (RFC 5890); the last one must be a name of the root zone. */
const domain =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|[a-z]{2,24}|[\p{L}\p{M}]{2,24})/iuy;
const asciiEnd = /^[a-z]{2,24}/i;

const known = new Map<string, boolean>();
const mostKnown = 20_000;
/** So many unknown names are looked up for one text. From then on, mail at any name is somebody's: hostile text costs no more. */
const mostLookUps = 2_000;

/** True for a top-level domain of the root zone, by tldts; what it answers is kept. */
function isTopLevel(label: string, { costs }: Before): boolean {
  const name = label.toLowerCase();
  const before = known.get(name);
  if (before !== undefined) return before;
  costs.lookUps += 1;
  if (costs.lookUps > mostLookUps) return true;
  if (known.size >= mostKnown) known.clear();
  const answer =
    parse(`a.${name}`, { extractHostname: false, validateHostname: false, detectIp: false })
      .isIcann === true;
  known.set(name, answer);
  return answer;
}

function isPunctuation(code: number): boolean {
  return code === 46 || code === 37 || code === 45;
}

function isDigits(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigitCode(units[at] as number)) return false;
  return true;
}

/** True for anything beyond ASCII, and within it for a letter or a digit. */
function mayBeginHost(code: number): boolean {
  return code > 127 || (isWord(code) && code !== 95);
}

export const email: Detector = {
  kind: "personal.email",
  anchors: ["@"],
  next: asciiDigitsAndLetters,
  atAnchor(source, at, before): Place | undefined {
    const { units } = source;
    if (!mayBeginHost(units[at + 1] as number)) return undefined;
    let start = at;
    while (start > 0 && at - start < 65 && isLocal(units[start - 1] as number)) start -= 1;
    // RFC 5321: 64 octets. A longer row is cut rather than let go.
    while (start < at && isPunctuation(units[start] as number)) start += 1;
    if (isDigits(units, start, at)) start = beforeLetters(source, start, at);
    if (start === at || units[at - 1] === 46) return undefined;
    const { text } = source;
    // `git@host` names a service, not a person.
    if (at - start === 3 && text.startsWith("git", start)) return undefined;
    domain.lastIndex = at + 1;
    const host = domain.exec(text)?.[0];
    if (host === undefined) return undefined;
    const whole = domainIn(host, before);
    if (whole === undefined || isUserOfUrl(units, start)) return undefined;
    return isDocumentation(whole.toLowerCase()) ? undefined : { start, end: at + 1 + whole.length };
  },
};

/** The longest beginning that ends in a top-level domain: what follows may be a sentence, or a token with dots of its own. */
function domainIn(host: string, before: Before): string | undefined {
  for (let dot = host.lastIndexOf("."), end = host.length; dot > 0; ) {
    const name = topLevelOf(host.slice(dot + 1, end), before);
    if (name !== undefined) return host.slice(0, dot + 1) + name;
    end = dot;
    dot = host.lastIndexOf(".", dot - 1);
  }
  return undefined;
}

/** The label, or the ASCII letters it begins with, for other scripts go on without a space: `zoe@mail.jpです`. */
function topLevelOf(label: string, before: Before): string | undefined {
  if (isTopLevel(label, before)) return label;
  const ascii = asciiEnd.exec(label)?.[0] ?? label;
  return ascii.length < label.length && isTopLevel(ascii, before) ? ascii : undefined;
}

/** `https://user@host` and `https://user:word@host` name no mailbox. */
function isUserOfUrl(units: Uint16Array, start: number): boolean {
  let at = start;
  if (at > 0 && units[at - 1] === 58) {
    at -= 1;
    while (at > 0 && start - at < 32 && isLocal(units[at - 1] as number)) at -= 1;
  }
  return at > 1 && units[at - 1] === 47 && units[at - 2] === 47;
}

/** Scripts without spaces between words: only where no letter of ours stands before the sign is it the person's name. */
function beforeLetters({ text }: Source, from: number, at: number): number {
  let start = from;
  while (start > 0 && at - start < 32 && /[\p{L}\p{M}]/u.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function isDocumentation(host: string): boolean {
  return documentationDomains.some((each) => host === each || host.endsWith(`.${each}`));
}
