import { asciiDigitsAndLetters, isDigitCode, isLetterCode, tableOf } from "../text/classes.js";
import { opensMark } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { isPlaceholder } from "./placeholder.js";

const shortestValue = 8;
const longestValue = 128;
/** The longest value far from its word: longer rows are keys and digests. */
const longestFar = 40;

/** The kinds of signs that a value has, as bits. Digits with `-`, `_`, `.`, `/` and `:` are dates, paths and ranges. */
const hasSmall = 1;
const hasCapital = 2;
const hasDigit = 4;
const hasSign = 8;
/** Ends a value that no quote opened. */
export const ends = 16;
/** A letter beyond ASCII. */
export const isForeign = 32;

/** From here on there are signs, and letters of scripts without spaces between words. */
const firstSpaceless = 0x2000;
const bits = new Uint8Array(65_536).fill(hasSign, 0, 128).fill(ends, 128);
bits.fill(isForeign, 0xc0, firstSpaceless);
for (const sign of " \t\r\n\"'`<>&,;|\\()[]{}\u060c") bits[sign.charCodeAt(0)] = hasSign | ends;
for (const sign of "_-./:") bits[sign.charCodeAt(0)] = 0;
for (const sign of asciiDigitsAndLetters) {
  const code = sign.charCodeAt(0);
  bits[code] = isDigitCode(code) ? hasDigit : code > 96 ? hasSmall : hasCapital;
}
export const bitsOf: Uint8Array = bits;

const isEnd = (code: number) => ((bits[code] as number) & ends) !== 0;

/** The units that were read last as one token, as far as it was read: several words may stand in it. */
let textOfToken = 0;
let startOfToken = 0;
let endOfToken = 0;

/** The end of what begins at `start` and stands in no quotes. */
function tokenEnd({ units, length, id }: Source, start: number): number {
  const most = Math.min(length, start + longestValue + 1);
  const isKnown = id === textOfToken && start >= startOfToken && start < endOfToken;
  let end = isKnown ? Math.min(endOfToken, most) : start;
  while (end < most && !isEnd(units[end] as number)) end += 1;
  if (!isKnown) startOfToken = start;
  textOfToken = id;
  endOfToken = end;
  while (end > start && (units[end - 1] === 46 || units[end - 1] === 58)) end -= 1;
  return end;
}

/** The tokens of a text that were read last, each at the place of its first unit: several words may stand before one. */
const mostKept = 128;
const keptStarts = new Int32Array(mostKept);
const keptEnds = new Int32Array(mostKept);
const keptStrong = new Uint8Array(mostKept);
let keptText = 0;

/** The place in what is kept of the token that begins at `start`. */
function kept(source: Source, start: number): number {
  if (source.id !== keptText) keptStarts.fill(-1);
  keptText = source.id;
  const place = start % mostKept;
  if (keptStarts[place] !== start) {
    const end = Math.max(tokenEnd(source, start), start + 1);
    keptStarts[place] = start;
    keptEnds[place] = end;
    keptStrong[place] = isStrong(source, start, end) ? 1 : 0;
  }
  return place;
}

/** The end of a token that stands far from its word: one unit at least. */
export function farEnd(source: Source, start: number): number {
  return keptEnds[kept(source, start)] as number;
}

/** True for a token that neither a word nor a name looks like, wherever it stands. */
export function isStrongAt(source: Source, start: number): boolean {
  return keptStrong[kept(source, start)] === 1;
}

const lineBefore = /(?:[\n"'`]|\\[nrt])[ \t>+\-#$*]{0,24}(?:(?:export|set|env) )?[\w.$-]{0,40}$/i;
/** The signs with which `lineBefore` may end. */
const inLineBefore = tableOf(`${asciiDigitsAndLetters}_.$- \t>+#*\n"'\``);
const mostBefore = 72;
/** A mark ends it, with or without spaces in it. */
const line =
  /(?:(?!\[redacted)[^\s"'`\\\0\u2000-\uffff]){1,129}(?=[ \t]*(?:$|[\r\n"'`\\\0]|[ \t]#)|\[redacted)/y;
const inside = /[&()](?!\w{1,32}[;=])[\w!#$%*+^~-]/y;
const nextPair = /[&;,][\w.%-]{1,32}=/;

/** The end of what was looked at for the last value that is assigned: a mark in it might make it one. */
export let assignedSeen = 0;

/** The same for what is assigned to the name in which the word at `word` stands: alone on its line, it goes on to the end of the line. */
export function assignedEnd(source: Source, word: number, start: number): number {
  const { text, units } = source;
  assignedSeen = start;
  // Behind a name in quotes stands a value of JSON, which `,` and brackets end.
  if (units[start - 1] === 58 || units[start - 1] === 32) {
    let colon = start - 1;
    while (units[colon] === 32) colon -= 1;
    if (units[colon] === 58 && units[colon - 1] === 34) return tokenEnd(source, start);
  }
  const from = word - mostBefore;
  const mayBeginLine = word === 0 || inLineBefore[source.units[word - 1] as number] === 1;
  if (
    mayBeginLine &&
    lineBefore.test(from < 0 ? `\n${text.slice(0, word)}` : text.slice(from, word))
  ) {
    line.lastIndex = start;
    const value = line.exec(text)?.[0];
    assignedSeen = Math.min(text.length, start + longestValue + 2);
    if (value !== undefined) {
      const next = value.search(nextPair);
      const own = next < 0 ? value : value.slice(0, next);
      return start + own.replace(/(?<![.,;:])[.,;:]+$/, "").length;
    }
  }
  let end = tokenEnd(source, start);
  // It goes on behind a sign that ends no form, no call and no escape of HTML.
  while (end - start < longestValue) {
    inside.lastIndex = end;
    if (!inside.test(text) || isCall(text.slice(start, end + 1))) break;
    end = tokenEnd(source, end + 1);
  }
  return end;
}

const closings = new Map([..."\"'`"].map((quote) => [quote.charCodeAt(0), quote.charCodeAt(0)]));
closings.set(62, 60).set(0x201c, 0x201d).set(0x201e, 0x201c).set(0xab, 0xbb);
const neverQuoted = tableOf(" \t\r\n\0");

/** The end of what a quote before `start` opened; `start` if there is none, as for more than one word. */
export function quotedEnd(source: Source, start: number, quote: number): number {
  const { units, length } = source;
  const closing = closings.get(quote) ?? quote;
  const most = Math.min(length, start + longestValue + 1);
  for (let end = start; end < most; end++) {
    const code = units[end] as number;
    if (code === closing) return end;
    if (code === 34 && endsString(units, end)) return start;
    if (code === 92) return units[end + 1] === closing || units[end + 1] === 92 ? end : start;
    if (neverQuoted[code] === 1 || (code === 91 && opensMark(source, end))) return start;
    // A template.
    if (code === 123 && !isDigitCode(units[end + 1] as number)) return start;
  }
  return start;
}

const behindString = tableOf(",:]}\0");

/** True for a `"` that ends a string of JSON, in which a quote of another kind stays open. */
function endsString(units: Uint16Array, at: number): boolean {
  let next = at + 1;
  while (next - at < 4 && (units[next] === 32 || units[next] === 10)) next += 1;
  return behindString[units[next] as number] === 1;
}

function bitsIn(value: string): number {
  let all = 0;
  for (let at = 0; at < value.length; at++) all |= bits[value.charCodeAt(at)] as number;
  return all;
}

const parts = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/** True for letters and digits that change as no row of words does: their parts have less than `least` signs each. */
function isScrambled(value: string, least = 3): boolean {
  const found = value.match(parts) ?? [];
  return found.join("").length < least * found.length;
}

const other =
  /^(?:[\d\s.,:/+TZ-]+|[A-Za-z]*\d{4}-\d\d-\d\d.*|(?:[a-z][\w+.-]*:)?\/\/.*|\.{0,2}\/[\w./-]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\$(?:2[aby]?|argon2\w*|scrypt|pbkdf2[\w-]*|[156y])\$.*|(?:arn|vault|op|ssm|secretsmanager|env|file|projects)[:/].*|[vV]?\d+(?:\.\d+)+[\w.+-]*|v\d+|\W?A-Z.*|\W?a-z.*|\w*:?\d\d:\d\d.*|[,:\]}](?:[\d.,:[\]{}+-]|null|true|false)*)$/;
const digest = /^(?:pbkdf2|hmac|sha|md5|nist|scram|aes|rsa|bcrypt)\b[\w-]*$/i;

/** True for a date, a path, an address, a version, a digest and the like. */
function isOther(value: string): boolean {
  return other.test(value) || digest.test(value);
}

const name =
  /^[$@:&*.!]{0,2}[A-Za-z_][\w$]*(?:(?:[?!]?\.|::?|->|[-/])[A-Za-z_][\w$]*)*(?:(?<!\d\d)[?!])?$/;

/** True for what programs and people name things with: `config.password2`, `ResetPasswordDto`, `Vault-Entry12`. */
function isName(value: string): boolean {
  if (!name.test(value) || /\d{3}/.test(value.replace(/128|256|384|512/, ""))) return false;
  return !isScrambled(value, value.length < 16 ? 3 : 4) || wordInside.test(value);
}

/** Letters only, in a case that no name of words has: `bmDcxcgutvpqEuuHxP`. */
function isMixedCase(letters: string, isQuoted: boolean): boolean {
  return (
    letters.length >= 12 &&
    /^[A-Za-z]+$/.test(letters) &&
    (letters.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0) >= 2 &&
    (isScrambled(letters) ||
      (isQuoted && !wordInside.test(letters) && /[bcdfghjklmnpqrstvwxz]{4}/i.test(letters)))
  );
}

const inBrackets = /^(?:\(.*\)|\[.*\]|\{.*\}|<.*>)$/;
const call = /^([A-Za-z_$][\w$.:>-]*)[([]/;

/** True for `name(…` and `name[…`. */
function isCall(value: string): boolean {
  const called = call.exec(value)?.[1];
  return called !== undefined && (!isScrambled(called) || wordInside.test(called));
}

const wordInside = /pass|pwd|secret/i;

/** True for a value that stands where one must: not for a word, a name, an expression or a placeholder. */
export function isPassword(source: Source, start: number, end: number, isQuoted: boolean): boolean {
  if (end - start < shortestValue || end - start > longestValue) return false;
  const whole = source.text.slice(start, end);
  if (isQuoted && /^\d+$/.test(whole)) return true;
  const value = inBrackets.test(whole) ? whole.slice(1, -1) : whole;
  const all = bitsIn(value);
  if ((all & (hasSmall | hasCapital | isForeign)) === 0) return false;
  if (isPlaceholder(whole) || isPlaceholder(value) || isOther(value)) return false;
  if ((all & hasDigit) === 0 && !/[A-Za-z][!#$%^*~@]+[A-Za-z]/.test(value))
    return isMixedCase(value, isQuoted);
  const namesOne = wordInside.test(value) && (isName(value) || /^[a-z\d_-]+$/.test(value));
  if (isQuoted || namesOne) return !namesOne;
  const next = source.units[end];
  if (next === 40 || (next === 91 && !opensMark(source, end))) return false;
  return !isCall(value) && !isName(value);
}

const signed = /[A-Za-z\d][!#$%^*~@?+=]+[A-Za-z\d]|\d\d[!?*#%]$/;
const wordsAndDigits = /^[A-Za-z]+[-_.][A-Za-z]+\d{3,}$/;

function isStrong(source: Source, start: number, end: number): boolean {
  if (end - start < shortestValue || end - start > longestFar) return false;
  let all = 0;
  for (let at = start; at < end; at++) all |= bits[source.units[at] as number] as number;
  const mixed = hasSmall | hasCapital | hasDigit;
  if ((all & (mixed | isForeign)) !== mixed) return false;
  const value = source.text.slice(start, end);
  if (isPlaceholder(value) || isOther(value) || /^[A-Za-z_]{2,}=/.test(value)) return false;
  if (isName(value)) return false;
  if (signed.test(value) || wordsAndDigits.test(value)) return true;
  if (end - start < 10 || !isScrambled(value)) return false;
  return end - start >= 16 || !/[a-z]{6}/.test(value);
}

/** True if letters only stand at `start`, and more behind them. */
export function isWordOnly({ units }: Source, start: number): boolean {
  let end = start;
  while (isLetterCode(units[end] as number) || bits[units[end] as number] === isForeign) end += 1;
  return end > start && isEnd(units[end] as number);
}
