/** The kinds of text that may come next in JSON. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | "more";

const gap = /[\t\n\r ]*/y;
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Returns the place at which text stops being JSON, or its length if it only ends too early. */
export function faultPlace(text: string): number {
  const closers: string[] = [];
  let expected: Expected = "value";
  let place = 0;
  for (;;) {
    place = endOf(gap, text, place);
    const next = text[place];
    if (next === undefined) return place;
    if (next === closers.at(-1) && (expected === "more" || expected.endsWith(next))) {
      closers.pop();
      expected = "more";
      place++;
    } else if (expected === ":") {
      if (next !== ":") return place;
      expected = "value";
      place++;
    } else if (expected === "more") {
      if (next !== "," || closers.length === 0) return place;
      expected = closers.at(-1) === "}" ? "key" : "value";
      place++;
    } else if (next === '"') {
      const end = endOfString(text, place);
      if (end < 0) return -1 - end;
      expected = expected.startsWith("key") ? ":" : "more";
      place = end;
    } else if (expected.startsWith("key")) {
      return place;
    } else if (next === "{" || next === "[") {
      closers.push(next === "{" ? "}" : "]");
      expected = next === "{" ? "key or }" : "value or ]";
      place++;
    } else {
      const end = endOf(scalar, text, place);
      if (end === place) return place;
      expected = "more";
      place = end;
    }
  }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}

/** The place after the closing quote; -1 less the place at which it stops being a string, if it does. */
function endOfString(text: string, start: number): number {
  for (let place = start + 1; ; ) {
    const character = text[place];
    if (character === '"') return place + 1;
    const end = character === "\\" ? endOf(escaped, text, place) : place + 1;
    if (character === undefined || character < " " || end === place) return -1 - place;
    place = end;
  }
}
