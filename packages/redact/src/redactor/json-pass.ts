import type { JsonObject, JsonValue } from "@toolstile/core";
import { isPlain, ToolstileError } from "@toolstile/core/provider";
import type { Finding } from "../scan/findings.js";
import { distinctNames } from "./names.js";
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

/** One walk over a JSON value. */
export class JsonPass {
  readonly #text: (text: string) => Redacted<string> & { readonly found: readonly Finding[] };
  readonly #paths: Paths;
  readonly #kinds = new Set<string>();
  #findings: JsonFinding[] | undefined;

  constructor(
    text: (text: string) => Redacted<string> & { readonly found: readonly Finding[] },
    paths: Paths,
  ) {
    this.#text = text;
    this.#paths = paths;
  }

  run(value: JsonValue): Redacted<JsonValue> {
    const redacted = this.#value(value, []);
    return { value: redacted, kinds: [...this.#kinds] };
  }

  find(value: JsonValue): readonly JsonFinding[] {
    const findings: JsonFinding[] = [];
    this.#findings = findings;
    this.#value(value, []);
    return findings;
  }

  #string(text: string, path: readonly string[]): string {
    const { value, kinds, found } = this.#text(text);
    for (const kind of kinds) this.#kinds.add(kind);
    for (const { start, end, kind } of found) this.#note(path, { start, end, kind });
    return value;
  }

  #name(name: string, path: readonly string[]): string {
    const { value, kinds, found } = this.#text(name);
    for (const kind of kinds) this.#kinds.add(kind);
    for (const { start, end, kind } of found) {
      this.#note([...path, name], { start, end, kind }, inName);
    }
    return value;
  }

  #note(path: readonly string[], finding: Finding, more: { readonly inName?: true } = {}): void {
    if (this.#findings === undefined) return;
    const names = path.map((name) => this.#text(name).value);
    const pointer = names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    this.#findings.push({ path: pointer.join(""), ...finding, ...more });
  }

  #value(value: JsonValue, path: readonly string[]): JsonValue {
    const ruled = this.#paths.at(path, value);
    if (ruled !== undefined) {
      if (ruled.value !== value) {
        this.#kinds.add("path");
        const text = typeof value === "string" ? value : JSON.stringify(value);
        this.#note(path, { start: 0, end: text.length, kind: "path" });
      }
      return ruled.value;
    }
    if (typeof value === "string") return this.#string(value, path);
    if (typeof value === "number") {
      const text = String(value);
      const redacted = text.length < 7 ? text : this.#string(text, path);
      return redacted === text ? value : redacted;
    }
    if (typeof value === "boolean" || value === null) return value;
    if (path.length === deepest) throw notJson(`nested at most ${deepest} deep`);
    if (Array.isArray(value)) {
      return value.map((item: JsonValue, index) => this.#value(item, [...path, String(index)]));
    }
    // Of a Map or a Date nothing would be seen, and nothing would be left.
    if (!isPlain(value)) throw notJson("JSON");
    return this.#object(value as JsonObject, path);
  }

  #object(object: JsonObject, path: readonly string[]): JsonObject {
    const entries: [string, JsonValue | undefined][] = [];
    const distinct = distinctNames();
    for (const [name, value] of Object.entries(object)) {
      const own = distinct(this.#name(name, path));
      const named =
        typeof value === "string" || typeof value === "number"
          ? this.#named(nameFor(name, object), name, value, path)
          : undefined;
      entries.push([
        own,
        named ?? (value === undefined ? undefined : this.#value(value, [...path, name])),
      ]);
    }
    return Object.fromEntries(entries);
  }

  /** A value that is an item only behind its name: `{ "password": "…" }`, `{ "phone": 2025550123 }`. */
  #named(
    named: string,
    name: string,
    value: string | number,
    path: readonly string[],
  ): JsonValue | undefined {
    if (this.#paths.at([...path, name], value) !== undefined) return undefined;
    // A name may have an item of its own.
    const masked = this.#text(named).value;
    if (masked.length > longestName) return undefined;
    const own = String(value);
    // What is one word is read in its quotes, which say where it ends.
    const quote = typeof value === "string" && isWord.test(own) ? '"' : "";
    const head = `${masked}: ${quote}`;
    const { value: redacted, kinds, found } = this.#text(head + own + quote);
    if (!redacted.startsWith(head) || !redacted.endsWith(quote)) return undefined;
    if (kinds.length === 0) return value;
    for (const kind of kinds) this.#kinds.add(kind);
    for (const { start, end, kind } of found) {
      const [first, last] = [Math.max(0, start - head.length), end - head.length];
      this.#note([...path, name], { start: first, end: Math.min(own.length, last), kind });
    }
    return redacted.slice(head.length, redacted.length - quote.length);
  }
}

const inName = { inName: true } as const;
const longestName = 64;
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
