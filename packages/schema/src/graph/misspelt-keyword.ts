import { isJsonObject } from "@toolstile/core/provider";
import type { Plain, PlainObject } from "../document/plain-copy.js";
import { deciding } from "../drafts/known-keywords.js";

/** Two slips are a misspelling from this length on. */
const long = 9;

/**
 * The keyword that an unknown one misspells, if the schema lacks it.
 *
 * Letter case does not matter. Two letters that changed places are one slip.
 * Annotations are not offered: they decide nothing, however they are spelt.
 */
export function meantKeyword(unknown: string, schema: PlainObject): string | undefined {
  let best: string | undefined;
  let fewest = 3;
  for (const keyword of deciding) {
    const limit = keyword.length >= long ? 2 : 1;
    if (Math.abs(keyword.length - unknown.length) > limit) continue;
    if (schema[keyword] !== undefined || !couldBe(keyword, unknown, schema)) continue;
    const found = slips(unknown.toLowerCase(), keyword.toLowerCase(), limit);
    if (found <= limit && found < fewest) [best, fewest] = [keyword, found];
  }
  return best;
}

/** Short keywords resemble many a word: the value must look like theirs, too. */
function couldBe(keyword: string, unknown: string, schema: PlainObject): boolean {
  const value = schema[unknown] as Plain;
  const isSchema = typeof value === "boolean" || isJsonObject(value);
  switch (keyword) {
    case "type":
      return typeof value === "string" || Array.isArray(value);
    case "enum":
      return Array.isArray(value);
    case "not":
      return isSchema;
    case "if":
      return isSchema && (schema.then !== undefined || schema.else !== undefined);
    case "then":
    case "else":
      return isSchema && schema.if !== undefined;
    case "$ref":
      return typeof value === "string";
    default:
      // Plain `schema`, `anchor` and the like are words that people use.
      return !keyword.startsWith("$") || unknown.startsWith("$");
  }
}

/** Optimal string alignment distance, which is Levenshtein's with transpositions; some number over the limit if it is more. */
function slips(left: string, right: string, limit: number): number {
  let previous: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] as number) + (left[i - 1] === right[j - 1] ? 0 : 1);
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, replaced);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        least = Math.min(least, (previous[j - 2] as number) + 1);
      }
      next.push(least);
    }
    if (next.every((each) => each > limit)) return limit + 1;
    [previous, row] = [row, next];
  }
  return row[right.length] as number;
}
