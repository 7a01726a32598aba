import type { JsonValue } from "@toolstile/core";
import { counted, printable } from "../terminal/terminal.js";

/** The limit of one text or key: a long one hides no member behind it. */
const widestText = 24;
/** No further member begins after so many characters. */
const widestJson = 120;

/** JSON on one line, of which no more is written than is shown. Where members are left out it says how many. */
export function briefJson(value: JsonValue): string {
  let left = widestJson;

  function spend(text: string): string {
    left -= text.length;
    return text;
  }

  function written(value: JsonValue): string {
    if (typeof value === "string") return spend(quotedStart(value));
    if (typeof value !== "object" || value === null) return spend(JSON.stringify(value));
    if (Array.isArray(value)) return members("[", value, "]", written);
    const object = value as Readonly<Record<string, JsonValue>>;
    return members("{", Object.keys(object), "}", (key) => {
      const name = spend(`${quotedStart(key)}:`);
      return name + written(object[key] as JsonValue);
    });
  }

  function members<Member>(
    start: string,
    all: readonly Member[],
    end: string,
    write: (member: Member) => string,
  ): string {
    const shown: string[] = [];
    spend(start + end);
    while (left > 0 && shown.length < all.length) {
      shown.push(write(all[shown.length] as Member));
      spend(",");
    }
    const rest = all.length - shown.length;
    if (rest > 0) shown.push(`… ${counted(rest)} more`);
    return start + shown.join(",") + end;
  }

  return written(value);
}

/** `…` stands outside of the quotes, which no text can do. */
function quotedStart(text: string): string {
  const start = cut(text, widestText);
  return printable(JSON.stringify(start)) + (start === text ? "" : "…");
}

/** The first characters of a text, and no half of a pair. */
export function cut(text: string, longest: number): string {
  // Only what may be needed is looked at: a character has two units at most.
  const start = Array.from(text.slice(0, 2 * longest + 1));
  return start.length > longest ? start.slice(0, longest).join("") : text;
}
