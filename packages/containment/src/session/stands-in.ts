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
/** A value that is a part of longer names so often is not sought on. */
const mostParts = 256;

function occursBetween(text: string, value: string, { before, after }: Borders): boolean {
  if (value === "") return false;
  let at = text.indexOf(value);
  for (let parts = 0; at >= 0 && parts < mostParts; parts++, at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (
      before(text.slice(Math.max(0, at - window), at), value.charAt(0)) &&
      after(text.slice(end, end + window), value.slice(-1))
    )
      return true;
  }
  return false;
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
