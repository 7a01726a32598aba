import { asciiDigitsAndLetters, isDigitCode, isLetterCode, isWord } from "../text/classes.js";
import type { Source } from "../text/source.js";
import type { Place } from "./before.js";
import type { Detector } from "./detector.js";
import { domainEnd } from "./domains.js";

/** Letters of names in Latin, Greek and Cyrillic script; other scripts are written without spaces around an address. */
const localUnits = new Uint8Array(65_536)
  .fill(1, 0xc0, 0x250)
  .fill(1, 0x370, 0x530)
  .fill(1, 0x1e00, 0x2000);
for (const sign of `${asciiDigitsAndLetters}+-._%`) localUnits[sign.charCodeAt(0)] = 1;

function isLocal(code: number): boolean {
  return localUnits[code] === 1;
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
    if (isElided(units, start)) start -= 2;
    // RFC 5321: 64 octets. A longer row is cut rather than let go.
    while (start < at && isPunctuation(units[start] as number)) start += 1;
    if (isDigits(units, start, at)) start = beforeLetters(source, start, at);
    if (start === at || units[at - 1] === 46) return undefined;
    // `git@host` names a service, not a person.
    if (at - start === 3 && isGit(units, start)) return undefined;
    const end = domainEnd(source, at + 1, before);
    if (end < 0) return undefined;
    if (!isUserOfUrl(units, start)) return { start, end };
    before.doubt(at, start - longestUser - 2, at);
    return undefined;
  },
};

/** True behind `o'` or the like, which is a part of some names. */
function isElided(units: Uint16Array, start: number): boolean {
  if (start < 2 || units[start - 1] !== 39 || !isLetterCode(units[start] as number)) return false;
  const elided = "odln".includes(String.fromCharCode((units[start - 2] as number) | 32));
  return elided && (start === 2 || !isLocal(units[start - 3] as number));
}

function isGit(units: Uint16Array, at: number): boolean {
  return units[at] === 103 && units[at + 1] === 105 && units[at + 2] === 116;
}

const longestUser = 32;

/** `https://user@host` and `https://user:word@host` name no mailbox. */
function isUserOfUrl(units: Uint16Array, start: number): boolean {
  let at = start;
  if (at > 0 && units[at - 1] === 58) {
    at -= 1;
    while (at > 0 && start - at < longestUser && isLocal(units[at - 1] as number)) at -= 1;
  }
  return at > 1 && units[at - 1] === 47 && units[at - 2] === 47;
}

/** Scripts without spaces between words: only where no letter of ours stands before the sign is it the person's name. */
function beforeLetters({ text }: Source, from: number, at: number): number {
  let start = from;
  while (start > 0 && at - start < 32 && /[\p{L}\p{M}]/u.test(text.charAt(start - 1))) start -= 1;
  return start;
}
