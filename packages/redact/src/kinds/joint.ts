import {
  asciiDigitsAndLetters,
  isLetterCode,
  isWord,
  tableOf,
  whitespace,
} from "../text/classes.js";
import type { Source } from "../text/source.js";

/** The way in which a value is joined to the word before it. */
export interface Joint {
  readonly start: number;
  /** The quote that opened the value; 0 for none. */
  readonly quote: number;
  /** True behind `=`, `:` and words such as `is`. */
  readonly isSaid: boolean;
}

const closing = "[\\\\\"'`*_\\])]{0,4}";
const note = "(?: ?(?!\\[redacted)[([{][^()[\\]{}\\n]{1,16}[)\\]}])?";
const typed =
  "(?:[:?]{0,2} {0,2}&?(?:'\\w+ )?[A-Za-z][\\w<>.?]{0,24}(?:\\[\\])?(?: {1,2}=(?![=>])|=(?=[\"'])))";
const saying =
  "(?: (?:is|was|ist|lautet|es|est|é|è|är|er|je|on|là|είναι|היא|هي)(?=[ :]):?| ?[は是는은为為])";
const sign = `(?:${typed}|[?:!=+|]{0,2}=[=>]{0,2}|\\??:(?!:)|[：＝]|->|[–—] |${saying}|\r\n\r\n)`;
const tags = "(?:\\s{0,4}</?[a-z]{1,10}>)";
const opening = `(?:[ \\t\u00a0\u200e\u200f«„“‘「]|${tags}|\\*\\*|[>|][-+]?\\r?\\n[ \\t]{1,16}){0,24}(?:[rbfuL@$]{1,2}(?=["']))?(\\\\{0,3}\`?["'\`])?`;

const said = new RegExp(`${closing}${note}${closing}[ \\t]{0,24}${sign}${opening}`, "y");
const named = new RegExp(
  `${closing}[^}\\]]{0,48}?[\\s"',](?:value|default)\\\\{0,3}["']?\\s{0,4}[:=]${opening}`,
  "iy",
);
const beside = new RegExp(
  `${closing}(?:[\\s,(|?:=)[{]{0,8}(?:or )?[rbfuL@]?(\\\\{0,3}\`?["'\`])|(?:>|${tags}{1,4})\\s{0,4})`,
  "y",
);
const flag = /(?:^|[\s"'`])--?[\w-]{0,24}$/;
const spaces = /[ \t]{1,3}(\\{0,3}["'])?/y;

/** The way from the word that begins at `word` and ends at `from` to its value; undefined if nothing joins one to it. */
export function jointBehind(source: Source, word: number, from: number): Joint | undefined {
  const { text, units } = source;
  const isPlain = units[from] === 32 && isLetterCode(units[from + 1] as number);
  const next = units[from] as number;
  const mayBeJoined = next < 128 || joins[next] === 1;
  return (
    (!mayBeJoined || (isPlain && !maySay(units, from + 1))
      ? undefined
      : joined(said, text, from, true)) ??
    (isPlain || !mayBeNamed(source, from) ? undefined : joined(named, text, from, true)) ??
    (isFlag(text, word, units[word - 1] as number)
      ? joined(spaces, text, from, true)
      : undefined) ??
    (isPlain || !mayBeJoined ? undefined : joined(beside, text, from, false))
  );
}

/** The units beyond ASCII that may stand directly behind a word and join something to it. */
const joins = tableOf(`${whitespace}：＝–—は是는은为為`);

const nameOfValue = /value|default/i;
const nameLength = 7;
/** So far behind a word, `named` looks for it. */
const farthestName = 53;
const searched = 4_096;
/** The place of the next one, as far as it was looked for: many words may stand before it. */
let textOfNames = 0;
let searchedFrom = 0;
let searchedTo = 0;
let nextName = 0;

/** False where nothing names a value, which the pattern takes longer to find. */
function mayBeNamed({ text, id }: Source, from: number): boolean {
  const isKnown = id === textOfNames && from >= searchedFrom && from + farthestName <= searchedTo;
  if (!isKnown || from > nextName) {
    textOfNames = id;
    searchedFrom = from;
    searchedTo = from + searched;
    const found = text.slice(from, searchedTo + nameLength).search(nameOfValue);
    nextName = found < 0 ? Number.POSITIVE_INFINITY : from + found;
  }
  return nextName - from <= farthestName;
}

const typeUnits = tableOf(`${asciiDigitsAndLetters}_<>.?[]`);
const longestSaying = 6;

/** False for a word, as most of prose is, that is too long for `is` and the like, and no type before `=`. */
function maySay(units: Uint16Array, start: number): boolean {
  let end = start;
  while (typeUnits[units[end] as number] === 1) end += 1;
  if (end - start <= longestSaying || (units[end] as number) > 127) return true;
  while (units[end] === 32) end += 1;
  return units[end] === 61;
}

function joined(way: RegExp, text: string, from: number, isSaid: boolean): Joint | undefined {
  way.lastIndex = from;
  const found = way.exec(text);
  if (found === null) return undefined;
  const opened = found[1];
  // A tag opens what the next one closes.
  const none = isSaid ? 0 : 62;
  return {
    start: way.lastIndex,
    quote: opened ? opened.charCodeAt(opened.length - 1) : none,
    isSaid,
  };
}

/** `--db-password` names what stands behind a space. */
function isFlag(text: string, word: number, previous: number): boolean {
  return (
    (previous === 45 || isWord(previous)) && flag.test(text.slice(Math.max(0, word - 40), word))
  );
}

const longestBefore = 200;
const valueFirst =
  /["']value\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'](\[redacted[^"'\\]{0,86}\]|[^\s"'\\]{8,128})\\{0,3}["']\s{0,4},\s{0,8}\\{0,3}["'](?:name|key)\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'][\w.-]{0,40}$/i;

/** The place of the value, or of the mark, in `{ "value": "…", "name": "DB_PASSWORD" }`, of which the word is at `word` and ends at `from`. */
export function valueBefore({ text, units }: Source, word: number, from: number) {
  if (units[from] !== 34 && units[from] !== 39 && units[from] !== 92) return undefined;
  const begin = Math.max(0, word - longestBefore);
  const found = valueFirst.exec(text.slice(begin, word));
  if (found === null) return undefined;
  const start = begin + found.index + found[0].indexOf(found[1] as string, 6);
  return { start, end: start + (found[1] as string).length };
}
