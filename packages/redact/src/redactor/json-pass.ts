import type { JsonObject, JsonValue } from "@toolstile/core";
import { isPlain, ToolstileError } from "@toolstile/core/provider";
import type { Finding } from "../scan/findings.js";
import { distinctNames, JsonText, type Leaf, Shares } from "./json-text.js";
import type { Paths } from "./paths.js";

/** A text, redacted, and what was found in it. */
export interface Redacted<Value> {
  readonly value: Value;
  /** The kinds that were found, each once. Empty: the value is the one that was given. */
  readonly kinds: readonly string[];
}

/** A finding in a JSON value, in UTF-16 units of the text, or of the number, at its path. */
export interface JsonFinding extends Finding {
  /** The JSON Pointer of the text; "" is the value itself. Items in names stand in it as in the redacted value. */
  readonly path: string;
  /** True where it was found in the name of a member, the last one of the path. */
  readonly inName?: true | undefined;
}

/** A part of a text, and what stands there instead. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** The way in which texts are redacted. */
export interface TextReading {
  readonly find: (text: string) => readonly Finding[];
  /** The findings of two readings of one text, disjoint and in order, without what is let through. */
  readonly joined: (
    text: string,
    one: readonly Finding[],
    other: readonly Finding[],
  ) => readonly Finding[];
  readonly marks: (text: string, found: readonly Finding[]) => readonly Mark[];
}

/** The text with marks. */
export function marked(text: string, marks: readonly Mark[]): string {
  if (marks.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, mark } of marks) {
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** A value of which each mark shows one item more is none that was met; it ends here. */
const mostRounds = 8;

/** A leaf in which something was found. */
interface FoundLeaf {
  readonly text: string;
  readonly found: readonly Finding[];
}

export interface RedactedJson extends Redacted<JsonValue> {
  /** The names, strings and numbers in which something was found, by their numbers in the order in which they stand there. */
  readonly leaves: ReadonlyMap<number, FoundLeaf>;
}

/**
 * Redacts what is found in each string, number and name of a JSON value by itself or behind its name, and what is found
 * there in the JSON text of all: its neighbours and the names around them may say what it is.
 *
 * A mark may change how what stands beside it is read, so a value with marks is read again.
 */
export function redactedJson(value: JsonValue, reading: TextReading, paths: Paths): RedactedJson {
  const kinds = new Set<string>();
  const leaves = new Map<number, FoundLeaf>();
  const own = { ...reading, find: remembering(reading.find) };
  let redacted = value;
  for (let round = 0; round < mostRounds; round++) {
    const once = new JsonPass(own, paths, leaves).run(redacted);
    if (once.kinds.length === 0) break;
    redacted = once.value;
    for (const kind of once.kinds) kinds.add(kind);
  }
  return { value: redacted, kinds: [...kinds], leaves };
}

const longestRemembered = 256;
const mostRemembered = 4_096;

/** Names and many values stand in a value again and again, and most of them are read in each round. */
function remembering(find: TextReading["find"]): TextReading["find"] {
  const known = new Map<string, readonly Finding[]>();
  return (text) => {
    if (text.length > longestRemembered) return find(text);
    let found = known.get(text);
    if (found !== undefined) return found;
    found = find(text);
    if (known.size === mostRemembered) known.clear();
    known.set(text, found);
    return found;
  };
}

/** Two walks over a JSON value: one reads it, the other puts marks in place of what was found. */
class JsonPass {
  readonly #reading: TextReading;
  readonly #paths: Paths;
  readonly #kinds = new Set<string>();
  readonly #text = new JsonText();
  /** The findings of all rounds, as places in the given value. */
  readonly #leaves: Map<number, FoundLeaf>;
  #shares = new Shares([]);
  #leaf = 0;

  constructor(reading: TextReading, paths: Paths, leaves: Map<number, FoundLeaf>) {
    this.#reading = reading;
    this.#paths = paths;
    this.#leaves = leaves;
  }

  run(value: JsonValue): Redacted<JsonValue> {
    this.#read(value, []);
    if (typeof value === "object") this.#shares = new Shares(this.#reading.find(this.#text.value));
    return { value: this.#redacted(value, []), kinds: [...this.#kinds] };
  }

  /** @param name - what names the value. */
  #read(value: JsonValue | undefined, path: readonly string[], name?: string): void {
    const text = this.#text;
    if (value === undefined) throw notJson("JSON");
    if (this.#paths.at(path, value) !== undefined) text.write(JSON.stringify(value));
    else if (typeof value === "string") text.string(value, this.#foundIn(value, name));
    else if (typeof value === "number") text.number(String(value), this.#foundIn(value, name));
    else if (typeof value === "boolean" || value === null) text.write(String(value));
    else if (path.length === deepest) throw notJson(`nested at most ${deepest} deep`);
    else if (Array.isArray(value)) this.#readList(value, path);
    // Of a Map or a Date nothing would be seen, and nothing would be left.
    else if (typeof value !== "object" || !isPlain(value)) throw notJson("JSON");
    else this.#readObject(value as JsonObject, path);
  }

  #readList(list: readonly JsonValue[], path: readonly string[]): void {
    this.#text.write("[");
    for (const [index, item] of list.entries()) {
      if (index > 0) this.#text.write(",");
      this.#read(item, [...path, String(index)]);
    }
    this.#text.write("]");
  }

  #readObject(object: JsonObject, path: readonly string[]): void {
    const text = this.#text;
    let sign = "{";
    for (const [name, value] of Object.entries(object)) {
      text.write(sign);
      sign = ",";
      text.string(name, this.#reading.find(name));
      text.write(":");
      if (value === undefined) text.write("null");
      else this.#read(value, [...path, name], nameFor(name, object));
    }
    text.write(sign === "{" ? "{}" : "}");
  }

  /** The findings in a value by itself, or only behind its name: `{ "password": "…" }`, `{ "phone": 2025550123 }`. */
  #foundIn(value: string | number, name: string | undefined): readonly Finding[] {
    const { find, marks } = this.#reading;
    const own = String(value);
    // A name may have an item of its own.
    const masked = name === undefined ? "" : marked(name, marks(name, find(name)));
    if (name !== undefined && masked.length <= longestName) {
      // What is one word is read in its quotes, which say where it ends.
      const quote = typeof value === "string" && isWord.test(own) ? '"' : "";
      const head = `${masked}: ${quote}`;
      const found = find(head + own + quote).map(({ start, end, kind }) => ({
        start: start - head.length,
        end: end - head.length,
        kind,
      }));
      if (found.every(({ start, end }) => start >= 0 && end <= own.length)) return found;
    }
    return typeof value === "number" && own.length < leastNumber ? [] : find(own);
  }

  #redacted(value: JsonValue, path: readonly string[]): JsonValue {
    const ruled = this.#paths.at(path, value);
    if (ruled !== undefined) {
      if (ruled.value !== value) this.#kinds.add("path");
      return ruled.value;
    }
    if (typeof value === "string") return this.#nextLeaf();
    if (typeof value === "number") {
      const redacted = this.#nextLeaf();
      return redacted === String(value) ? value : redacted;
    }
    if (typeof value === "boolean" || value === null) return value;
    if (Array.isArray(value))
      return value.map((item: JsonValue, index) => this.#redacted(item, [...path, String(index)]));
    const distinct = distinctNames();
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, value]) => [
        distinct(this.#nextLeaf()),
        value === undefined ? undefined : this.#redacted(value, [...path, name]),
      ]),
    );
  }

  /** The next string, number or name in the order in which they were read, redacted. */
  #nextLeaf(): string {
    const leaf = this.#text.leaves[this.#leaf] as Leaf;
    const { text } = leaf;
    const { joined, marks } = this.#reading;
    const found = joined(text, leaf.found, this.#shares.of(leaf));
    if (found.length > 0) this.#note(this.#leaf, text, found);
    this.#leaf += 1;
    return marked(text, marks(text, found));
  }

  #note(leaf: number, now: string, found: readonly Finding[]): void {
    for (const { kind } of found) this.#kinds.add(kind);
    const before = this.#leaves.get(leaf) ?? { text: now, found: [] };
    const marks = this.#reading.marks(before.text, before.found);
    const places = found.map(({ start, end, kind }) => ({
      start: placeBefore(marks, start, false),
      end: placeBefore(marks, end, true),
      kind,
    }));
    const all = this.#reading.joined(before.text, before.found, places);
    this.#leaves.set(leaf, { text: before.text, found: all });
  }
}

/** The place in a text before marks were put into it; the beginning or the end of what a mark stands for. */
function placeBefore(marks: readonly Mark[], at: number, isEnd: boolean): number {
  let shift = 0;
  for (const { start, end, mark } of marks) {
    if (at <= start + shift) break;
    if (at < start + shift + mark.length) return isEnd ? end : start;
    shift += mark.length - (end - start);
  }
  return at - shift;
}

const longestName = 64;
/** No item has less digits, but behind its name. */
const leastNumber = 7;
const isWord = /^[^\s"'`\\]+$/;

/** The words for the member that names what stands beside it: `{ "name": "DB_PASSWORD", "value": "…" }`. */
const naming = ["name", "key", "id", "field", "label", "title"];

/** The name of a member's value. A secret is often named by the member that holds it, or by the one beside that. */
function nameFor(member: string, object: JsonObject): string {
  if (member.toLowerCase() !== "value") return member;
  const members = Object.keys(object);
  for (const word of naming) {
    const name = object[members.find((each) => each.toLowerCase() === word) ?? ""];
    if (typeof name === "string") return name;
  }
  return member;
}

/** No JSON of a call is deeper: a value that is, is most often one that holds itself. */
const deepest = 500;

function notJson(expected: string): ToolstileError {
  return new ToolstileError("ERR_NOT_JSON", `redactor: the value must be ${expected}.`);
}
