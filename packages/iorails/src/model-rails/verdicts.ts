import { quoted } from "@toolstile/core/provider";
import type { RailMetadata, RailVerdict } from "./rail.js";
import type { Reading } from "./yes-no.js";

export const passed: RailVerdict = Object.freeze({ status: "passed" });

export function blocked(reason: string, metadata?: RailMetadata): RailVerdict {
  return { status: "blocked", reason, basis: "policy", metadata };
}

export function blockedIf(isFound: boolean, reason: string, metadata: RailMetadata): RailVerdict {
  return isFound ? blocked(reason, metadata) : { status: "passed", metadata };
}

/** Passes or blocks as a judge has it. */
export function ruled(
  { verdict, metadata }: { readonly verdict: string; readonly metadata: RailMetadata },
  reason: string,
): RailVerdict {
  return blockedIf(verdict !== "allow", reason, metadata);
}

const maxCategories = 10;
/** The longest category that stands as it is, and what it may be made of. */
const plain = /^[A-Za-z0-9][A-Za-z0-9 _/&.()-]{0,63}$/;

/** The reason of a content check: the categories, or the flow's name if the model gave none. */
export function categoriesReason(
  { categories = [] }: Pick<Reading, "categories">,
  flow: string,
): string {
  if (categories.length === 0) return flow;
  return `Safety categories: ${plainCategories(categories).join(", ")}`;
}

/** Categories are the guard model's text: cut, and quoted unless they are plain names. */
export function plainCategories(categories: readonly string[]): readonly string[] {
  return categories
    .slice(0, maxCategories)
    .map((category) => (plain.test(category) ? category : printable(category)));
}

/** `quoted` cuts at 64 characters with a sign that is not ASCII. */
function printable(category: string): string {
  return quoted(category).replaceAll("…", "...");
}
