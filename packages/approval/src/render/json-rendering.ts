import type { JsonObject, JsonValue } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import { canonicalJson } from "@toolstile/core/provider";
import { inQuotes } from "./escape.js";

/** Limits of what is shown. What is left out is counted, and its SHA-256 stands in its place. */
export interface RenderLimits {
  /** The limit of one text, in UTF-16 units. Default 1,000. */
  readonly maxText?: number | undefined;
  /** The approximate limit of all lines together. Default 20,000. */
  readonly maxCharacters?: number | undefined;
}

/** Writes JSON for people's eyes: keys sorted, an entry a line, everything odd escaped. */
export class JsonRendering {
  readonly #maxText: number;
  #left: number;

  constructor({ maxText = 1_000, maxCharacters = 20_000 }: RenderLimits) {
    this.#maxText = maxText;
    this.#left = maxCharacters;
  }

  value(value: JsonValue, indent: string): string {
    if (typeof value === "string") return this.#spend(this.#text(value));
    if (typeof value !== "object" || value === null) return this.#spend(canonicalJson(value));
    return Array.isArray(value)
      ? this.#list(value as readonly JsonValue[], indent)
      : this.#object(value as JsonObject, indent);
  }

  #list(values: readonly JsonValue[], indent: string): string {
    return this.#lines(
      "[]",
      indent,
      values,
      (each, inner) => this.value(each, inner),
      (rest) => rest,
    );
  }

  #object(object: JsonObject, indent: string): string {
    const entries = Object.entries(object)
      .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1));
    return this.#lines(
      "{}",
      indent,
      entries,
      ([key, value], inner) => `${this.#spend(this.#text(key))}: ${this.value(value, inner)}`,
      (rest) => rest.map(([key, value]) => [key, value]),
    );
  }

  #lines<Entry>(
    brackets: "[]" | "{}",
    indent: string,
    entries: readonly Entry[],
    line: (entry: Entry, inner: string) => string,
    json: (rest: readonly Entry[]) => JsonValue,
  ): string {
    if (entries.length === 0) return this.#spend(brackets);
    const inner = `${indent}  `;
    const lines: string[] = [];
    for (const [index, entry] of entries.entries()) {
      if (this.#left <= 0) {
        const rest = entries.slice(index);
        lines.push(
          `${inner}${leftOut(canonicalJson(json(rest)), `${rest.length} more entries, `)}`,
        );
        break;
      }
      this.#spend(inner);
      lines.push(`${inner}${line(entry, inner)}`);
    }
    return `${brackets[0]}\n${lines.join(",\n")}\n${indent}${brackets[1]}`;
  }

  #text(text: string): string {
    if (text.length <= this.#maxText) return inQuotes(text);
    // Half of a pair must not be shown.
    const cut = text.isWellFormed() && !text.slice(0, this.#maxText).isWellFormed() ? 1 : 0;
    const start = text.slice(0, this.#maxText - cut);
    return `${inQuotes(start)} ${leftOut(text, "", text.length - start.length)}`;
  }

  #spend(text: string): string {
    this.#left -= text.length;
    return text;
  }
}

/** Writes `…` outside of quotes, which no text can do: so a text that says it was cut is told from one that was. */
function leftOut(whole: string, what: string, characters = whole.length): string {
  const count = characters.toLocaleString("en-US");
  return `… ${what}${count} characters left out, of a whole with SHA-256 ${digest(whole)}`;
}
