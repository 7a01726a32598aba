import type { CelFunc } from "@bufbuild/cel";
import { ExpressionFault } from "../fault.js";
import type { Cel } from "../load.js";
import type { Meter } from "../meter.js";

/** The functions of CEL's strings extension but `format`. Positions count code points. */
export function stringFunctions(cel: Cel, meter: Meter): readonly CelFunc[] {
  const { celMethod, celFunc, celList, listType } = cel;
  const { STRING, INT, DYN } = cel.CelScalar;
  const LIST = listType(DYN);

  /** The text as something to count and cut by code points. */
  const characters = (text: string): string | readonly string[] => {
    if (!/[\ud800-\udfff]/.test(text)) return text;
    meter.take(text.length / 4);
    return Array.from(text);
  };
  const cut = (text: string | readonly string[], start: number, end: number): string => {
    const part = text.slice(start, end);
    return typeof part === "string" ? part : part.join("");
  };
  const slice = (text: string, first: bigint, last: bigint | undefined): string => {
    const all = characters(text);
    const start = Number(first);
    const end = last === undefined ? all.length : Number(last);
    if (start < 0 || end > all.length || start > end) throw new ExpressionFault("no_such_index");
    return cut(all, start, end);
  };
  /** The number of code points before a place in the text. */
  const position = (text: string, place: number): bigint =>
    place < 0 ? -1n : BigInt(characters(text.slice(0, place)).length);
  const place = (text: string, from: bigint): number => {
    const all = characters(text);
    const start = Number(from);
    if (start < 0 || start > all.length) throw new ExpressionFault("no_such_index");
    return typeof all === "string" ? start : cut(all, 0, start).length;
  };
  const search = (text: string, part: string): void => meter.take(searchCost(text, part));
  const firstFrom = (text: string, part: string, from: bigint): bigint => {
    search(text, part);
    return position(text, text.indexOf(part, place(text, from)));
  };
  const lastFrom = (text: string, part: string, from: number): bigint => {
    search(text, part);
    return position(text, text.lastIndexOf(part, from));
  };
  const replace = (text: string, part: string, by: string, most: bigint): string => {
    search(text, part);
    const pieces = part === "" ? Array.from(text) : text.split(part);
    meter.take(pieces.length / 4 + (pieces.length * by.length) / 64);
    const times = most < 0n ? pieces.length : Number(most);
    if (part === "") {
      const changed = pieces.map((piece, index) => (index < times ? by + piece : piece)).join("");
      return pieces.length < times || most < 0n ? changed + by : changed;
    }
    const kept = pieces.slice(times);
    const changed = pieces.slice(0, times);
    return kept.length === 0 ? changed.join(by) : [...changed, kept.join(part)].join(by);
  };
  const split = (text: string, separator: string, most: bigint): string[] => {
    search(text, separator);
    if (most === 0n) return [];
    const pieces = separator === "" ? Array.from(text) : text.split(separator);
    meter.take(pieces.length / 4);
    if (most < 0n || pieces.length <= most) return pieces;
    const kept = Number(most) - 1;
    return [...pieces.slice(0, kept), pieces.slice(kept).join(separator)];
  };
  const join = (list: Iterable<unknown> & { readonly size: number }, separator: string): string => {
    meter.take(list.size / 4 + (list.size * separator.length) / 64);
    const pieces = [...list];
    let length = 0;
    for (const piece of pieces) {
      if (typeof piece !== "string") throw new ExpressionFault("wrong_type");
      length += piece.length;
    }
    meter.take(length / 64);
    return pieces.join(separator);
  };
  const shifted = (text: string, from: RegExp, by: number): string => {
    meter.take(text.length / 16);
    return text.replace(from, (letter) => String.fromCharCode(letter.charCodeAt(0) + by));
  };

  return [
    celMethod("charAt", STRING, [INT], STRING, function (index) {
      const all = characters(this);
      const at = Number(index);
      if (at < 0 || at > all.length) throw new ExpressionFault("no_such_index");
      return all[at] ?? "";
    }),
    celMethod("indexOf", STRING, [STRING], INT, function (part) {
      return firstFrom(this, part, 0n);
    }),
    celMethod("indexOf", STRING, [STRING, INT], INT, function (part, from) {
      return firstFrom(this, part, from);
    }),
    celMethod("lastIndexOf", STRING, [STRING], INT, function (part) {
      return lastFrom(this, part, this.length);
    }),
    celMethod("lastIndexOf", STRING, [STRING, INT], INT, function (part, from) {
      return lastFrom(this, part, place(this, from));
    }),
    celMethod("substring", STRING, [INT], STRING, function (start) {
      return slice(this, start, undefined);
    }),
    celMethod("substring", STRING, [INT, INT], STRING, function (start, end) {
      return slice(this, start, end);
    }),
    celMethod("lowerAscii", STRING, [], STRING, function () {
      return shifted(this, /[A-Z]/g, 32);
    }),
    celMethod("upperAscii", STRING, [], STRING, function () {
      return shifted(this, /[a-z]/g, -32);
    }),
    celMethod("trim", STRING, [], STRING, function () {
      return trimmed(this);
    }),
    celMethod("replace", STRING, [STRING, STRING], STRING, function (part, by) {
      return replace(this, part, by, -1n);
    }),
    celMethod("replace", STRING, [STRING, STRING, INT], STRING, function (part, by, most) {
      return replace(this, part, by, most);
    }),
    celMethod("split", STRING, [STRING], LIST, function (separator) {
      return celList(split(this, separator, -1n));
    }),
    celMethod("split", STRING, [STRING, INT], LIST, function (separator, most) {
      return celList(split(this, separator, most));
    }),
    celMethod("join", LIST, [], STRING, function () {
      return join(this, "");
    }),
    celMethod("join", LIST, [STRING], STRING, function (separator) {
      return join(this, separator);
    }),
    celMethod("reverse", STRING, [], STRING, function () {
      meter.take(this.length / 4);
      return Array.from(this).reverse().join("");
    }),
    celFunc("strings.quote", [STRING], STRING, (text) => {
      meter.take(text.length / 4);
      const escaped = Array.from(text.toWellFormed(), (each) => escapes.get(each) ?? each);
      return `"${escaped.join("")}"`;
    }),
    celMethod("contains", STRING, [STRING], cel.CelScalar.BOOL, function (part) {
      search(this, part);
      return this.includes(part);
    }),
  ];
}

/** The search of the engine takes as many steps as the product of the lengths at worst. */
export function searchCost(text: string, part: string): number {
  const possible = Math.max(0, text.length - part.length) + 1;
  return (possible * Math.max(1, part.length)) / 256;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

const space = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Without the white space of Unicode at both ends. Not by one expression, which would go back at each blank within. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text[start] as string)) start++;
  while (end > start && space.test(text[end - 1] as string)) end--;
  return text.slice(start, end);
}
