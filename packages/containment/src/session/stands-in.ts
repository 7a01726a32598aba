/**
 * True if a value stands in a text as a whole, and not as a part of a longer name.
 *
 * "ann" stands in "Ann's" and in "ann/bob", and not in "joanne", "mary-ann" or "ann@example.com". A value
 * with a slash is a path: it stands in no longer one.
 */
export function standsIn(text: string, value: string): boolean {
  return occursBetween(text, value, /[\\/]/.test(value) ? path : name);
}

/** True if a mail address stands in a text as a whole. Both are in lower case. */
export function mailStandsIn(text: string, address: string): boolean {
  return occursBetween(text, address, mail);
}

/** True if what stands before a value, or behind it, may be its border. */
interface Borders {
  readonly before: (text: string, edge: string) => boolean;
  readonly after: (text: string, edge: string) => boolean;
}

/** So much of a text is looked at on each side of a value. */
const window = 8;
/** A value that stands in a text so often is not sought on. */
const mostParts = 256;

function occursBetween(text: string, value: string, borders: Borders): boolean {
  for (const _ of placesBetween(text, value, borders)) return true;
  return false;
}

function* placesBetween(text: string, value: string, { before, after }: Borders): Iterable<number> {
  if (value === "") return;
  let at = text.indexOf(value);
  for (let parts = 0; at >= 0 && parts < mostParts; parts++, at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (
      before(text.slice(Math.max(0, at - window), at), value.charAt(0)) &&
      after(text.slice(end, end + window), value.slice(-1))
    )
      yield at;
  }
}

/** Signs that join the parts of one name, as in "general-private", "alice@example.com" and "v1.2". */
const joiner = /[-.@+~%&^]/;
const partOfWord = /[\p{L}\p{M}\p{N}_]/u;

const name: Borders = {
  before: (text, edge) =>
    /[\p{L}\p{M}\p{N}_]$/u.test(text)
      ? !partOfWord.test(edge) && !joiner.test(edge)
      : !/[\p{L}\p{M}\p{N}_][-.@+~%&^]+$/u.test(text),
  after: (text, edge) =>
    /^[\p{L}\p{M}\p{N}_]/u.test(text)
      ? !partOfWord.test(edge) && !joiner.test(edge)
      : !/^[-.@+~%&^:!=?#]+[\p{L}\p{M}\p{N}_]/u.test(text),
};

const path: Borders = {
  before: (text) => /(?:^|[\s"'`\u2018-\u201f\u00ab\u00bb([{<,;=])$/u.test(text),
  after: (text) =>
    /^[\\/]?(?:$|[\s"'`\u2018-\u201f\u00ab\u00bb)\]}>,;:!?]|\.+(?:$|[\s"')\]}>,;]))/u.test(text),
};

const mail: Borders = {
  before: (text) =>
    !/[\p{L}\p{M}\p{N}_.+%&#$^~?{|}!@-]$/u.test(text) && !/[\p{L}\p{N}]'$/u.test(text),
  after: (text) => !/^\.*[\p{L}\p{M}\p{N}_@-]/u.test(text),
};

/** Words that are a name only where a sign says so. */
const commonWords: ReadonlySet<string> = new Set(
  (
    "a about after all also an and any anybody anyone are as at be been before both but by can could do does each " +
    "else every everybody everyone for from had has have he her here him his how i if in into is it its just let " +
    "like may me mine more most my no nobody not now of on once one only or other our out over please shall she " +
    "should so some somebody someone than that the their them then there these they this those to too until up us " +
    "was we were what when where which who whom whose why will with would you your"
  ).split(" "),
);

const marked = /[@#]$|(?:^|[\s([{:,;])["'`\u00ab\u2018\u201a\u201c\u201e]$/u;
const beginsSentence = /(?:^|[.!?:\n]\s*|[-*\u2022]\s+|\d[.)]\s+)["'(\u00ab\u2018\u201c]*$/u;
const capital = /^\p{Lu}\p{M}*\p{Ll}/u;
/** The words that stand before a receiver or a place, and before others of a list: "to ann, bob and ". */
const introduced =
  /(?<![\p{L}\p{M}\p{N}])(?:to|in|into|with|for|from|as|named|called|tell|ask|invite|add|remove|message|dm|ping|notify|remind|text|pay|mail|email|cc|book|join|channels?|users?|rooms?|groups?|members?|friends?|colleagues?|contacts?|accounts?)[\s:]+(?:[@#]?[\p{L}\p{M}\p{N}_.-]{1,32}(?:\s*,\s*|\s+)(?:(?:and|or|&)\s+)?(?<=[,&]\s*|\s(?:and|or)\s+)){0,4}$/iu;
const isPlace =
  /^['\u2019"]?\s+(?:channel|room|group|team|account|hotel|restaurant)s?(?![\p{L}\p{M}\p{N}])/iu;
/** The words that stand behind somebody who has done something, as in "Bob called" or "Ann's". */
const isSubject =
  /^(?:['\u2019]s|\s+(?:is|was|has|had|will|would|can|just|sent|said|told|wrote|gave|paid|made|got|wants|needs|asks|says|owes|\p{Ll}{2,}ed))(?![\p{L}\p{M}\p{N}])/u;
const sentence = 128;

/**
 * True if a name stands in what the user said as a name, and not only as a word.
 *
 * A name of one word in small letters is one behind @, # or a quote, and where a receiver or a place stands. A
 * capital letter makes one, but not of the word that begins a sentence, unless that has done something. Names
 * with other signs, or of more words, stand in no text by chance.
 */
export function isNamed(said: string, value: string): boolean {
  const lower = said.toLowerCase();
  const isWord = /^[\p{L}\p{M}]+$/u.test(value) && value.toUpperCase() !== value;
  if (!isWord) return standsIn(lower, value);
  // Where small letters take more room nobody can tell which were capitals.
  const written = lower.length === said.length ? said : lower;
  for (const at of placesBetween(lower, value, name)) {
    const end = at + value.length;
    const before = written.slice(Math.max(0, at - sentence), at);
    if (marked.test(before)) return true;
    if (commonWords.has(value)) continue;
    const after = written.slice(end, end + sentence);
    if (
      capital.test(written.slice(at, end)) &&
      (!beginsSentence.test(before) || isSubject.test(after))
    )
      return true;
    if (introduced.test(before) || isPlace.test(after)) return true;
  }
  return false;
}
