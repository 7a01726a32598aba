import type { JsonObject, JsonValue } from "@toolstile/core";
import { distinctNames } from "../redactor/json-text.js";
import type { Paths } from "../redactor/paths.js";
import type { Finding } from "../scan/findings.js";

/** Puts marks in place of findings in a part of the page. */
export type Mark = (text: string, findings: readonly Finding[]) => string;

/** Makes a value again, once the findings of the page are there. */
export type Rebuild = (marked: Marked) => JsonValue;

/** Gives the part of the page from `start` to `end`, marked. */
export type Marked = (start: number, end: number) => string;

/** The texts of some values, written on one page: what stands beside a name helps to tell it. */
export class Page {
  readonly #paths: Paths;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  get text(): string {
    return this.#parts.join("");
  }

  /** Writes the strings, names and numbers of a value. */
  add(value: JsonValue, path: readonly string[] = []): Rebuild {
    // What a path speaks of is kept or masked already, and shown to nobody.
    if (this.#paths.at(path, value) !== undefined) return () => value;
    if (typeof value === "string") return this.#written(value, "\n");
    if (typeof value === "number") {
      const text = String(value);
      const rebuild = this.#written(text, "\n");
      return (marked) => {
        const own = rebuild(marked);
        return own === text ? value : own;
      };
    }
    if (typeof value !== "object" || value === null) return () => value;
    if (Array.isArray(value)) {
      const items = (value as readonly JsonValue[]).map((item, index) =>
        this.add(item, [...path, String(index)]),
      );
      return (marked) => items.map((rebuild) => rebuild(marked));
    }
    return this.#object(value as JsonObject, path);
  }

  #object(object: JsonObject, path: readonly string[]): Rebuild {
    const members = Object.entries(object).map(([name, value]) => ({
      name: this.#written(name, ": "),
      value: value === undefined ? undefined : this.add(value, [...path, name]),
    }));
    return (marked) => {
      const own = distinctNames();
      return Object.fromEntries(
        members.map(({ name, value }) => [own(String(name(marked))), value?.(marked)]),
      ) as JsonObject;
    };
  }

  #written(text: string, after: string): Rebuild {
    const start = this.#length;
    const end = start + text.length;
    this.#parts.push(text, after);
    this.#length = end + after.length;
    return (marked) => marked(start, end);
  }
}
