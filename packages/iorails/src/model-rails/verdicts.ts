import { quoted } from "@toolstile/core";
import { CannotJudge } from "./cannot-judge.js";
import type { RailVerdict } from "./rail.js";
import type { Reading } from "./yes-no.js";

export const passed: RailVerdict = Object.freeze({ status: "passed" });

export function blocked(reason: string): RailVerdict {
  return { status: "blocked", reason, basis: "policy" };
}

/** @throws CannotJudge for what a parser could not read. */
export function decided(reading: Reading): "allow" | "block" {
  if (reading.verdict === "allow" || reading.verdict === "block") return reading.verdict;
  throw new CannotJudge("the model's answer is no verdict");
}

const maxCategories = 10;
/** The longest category that stands as it is, and what it may be made of. */
const plain = /^[A-Za-z0-9][A-Za-z0-9 _/&.()-]{0,63}$/;

/** The reason of a content check. Categories are the guard model's text: cut, and quoted unless they are plain names. */
export function categoriesReason({ categories }: Reading): string {
  if (categories === undefined || categories.length === 0) return "Unknown";
  const shown = categories
    .slice(0, maxCategories)
    .map((category) => (plain.test(category) ? category : printable(category)));
  return `Safety categories: ${shown.join(", ")}`;
}

/** `quoted` cuts at 64 characters with a sign that is not ASCII. */
function printable(category: string): string {
  return quoted(category).replaceAll("…", "...");
}
