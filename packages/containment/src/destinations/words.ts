/** The signs of which each destination has one: a dot, an @, two slashes, or a scheme that needs none. */
const mark = /[.@\u3002\uff0e\uff61]|\/\/|(?:https?|wss?|ftp):/i;

/** The words of a text in which a mark stands. No other word is cut out of it. */
export function* wordsWithMarks(text: string): Iterable<string> {
  const marks = new RegExp(mark, "gi");
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    let start = found.index;
    while (start > 0 && !isBorder(text, start - 1)) start -= 1;
    let end = found.index;
    while (end < text.length && !isBorder(text, end)) end += 1;
    yield text.slice(start, end);
    marks.lastIndex = Math.max(end, found.index + 1);
  }
}

const borders: ReadonlySet<number> = new Set(
  Array.from('\t\n\v\f\r "`<>()[]{}|,;*', (character) => character.charCodeAt(0)),
);
const apostrophe = 0x27;

function isBorder(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code === apostrophe ? isQuote(text, at) : borders.has(code);
  const known = otherBorders[code];
  if (known !== 0) return known === 1;
  const is = isOtherBorder(code);
  otherBorders[code] = is ? 1 : 2;
  return is;
}

/** The knowledge about code units beyond ASCII: 1 for a border, 2 for none. */
const otherBorders = new Uint8Array(0x1_0000);

function isOtherBorder(code: number): boolean {
  // Half of an emoji.
  if (code >= 0xd800 && code <= 0xdfff) return true;
  const sign = String.fromCharCode(code);
  // Dots in names of hosts are signs too.
  return /[\s\p{P}\p{S}]/u.test(sign) && !/[\u00b7\u3002\u30fb\uff0e\uff61]/.test(sign);
}

/** False for the sign in "o'neil". */
function isQuote(text: string, at: number): boolean {
  return !(/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at + 1)));
}

const before = ".!?:&=-_~'";
const after = ".!?:&=-_~'\\";

/** A word without the punctuation around it. */
export function trimmed(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && before.includes(word.charAt(start))) start++;
  while (end > start && after.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  bsol: "\\",
  colon: ":",
  commat: "@",
  equals: "=",
  gt: ">",
  lt: "<",
  newline: "\n",
  num: "#",
  period: ".",
  quest: "?",
  quot: '"',
  sol: "/",
  tab: "\t",
};

/** A text with the escapes of HTML, JSON and URLs undone once, as a reader of each would. */
export function withoutEscapes(text: string): string {
  if (!/[&\\%\t\r\n]/.test(text)) return text;
  let plain = text;
  if (plain.includes("&")) {
    plain = plain.replace(
      /&(?:#x0*([0-9a-f]{1,6})|#0*(\d{1,7})|([a-z]{2,7}));?/gi,
      (all, hex, decimal, name) =>
        name === undefined
          ? characterOf(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16))
          : (named[name.toLowerCase()] ?? all),
    );
  }
  if (plain.includes("\\")) {
    plain = plain
      .replaceAll("\\/", "/")
      .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, four, two) =>
        characterOf(Number.parseInt(four ?? two, 16)),
      );
  }
  if (/%(?:2e|2f|3a|40|5c)/i.test(plain)) plain = decoded(plain);
  // In JSON these are signs, and in a command or a mail the line goes on.
  plain = plain
    .replace(/\\([tnr])/g, (_, sign) => (sign === "t" ? "\t" : "\n"))
    .replace(/[\\=]\r?\n/g, "");
  // Browsers leave out tabs and ends of lines in a URL.
  return plain.replace(/([:\\/])[\t\r\n]+(?=[\\/])/g, "$1");
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** A text with the escapes of URLs undone once, where they are right. */
export function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
