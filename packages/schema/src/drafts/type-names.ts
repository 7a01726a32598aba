import { nearest, quoted } from "@toolstile/core/provider";

export const typeNames = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** The names of the types in other languages. */
const foreignNames = new Map([
  ..."str text char date datetime".split(" ").map((name) => [name, "string"] as const),
  ..."float double decimal".split(" ").map((name) => [name, "number"] as const),
  ..."int long".split(" ").map((name) => [name, "integer"] as const),
  ..."dict map record struct".split(" ").map((name) => [name, "object"] as const),
  ..."list tuple set".split(" ").map((name) => [name, "array"] as const),
  ["bool", "boolean"],
  ["none", "null"],
  ["undefined", "null"],
]);

/** Says that a word names no type, and which one was probably meant. */
export function noType(word: string): string {
  if (word.toLowerCase() === "any") {
    return `${quoted(word)} is no type. Leave type out where any value will do.`;
  }
  const meant = foreignNames.get(word.toLowerCase()) ?? nearest(word, typeNames);
  const way =
    meant === undefined ? `The types are ${typeNames.join(", ")}.` : `Did you mean '${meant}'?`;
  return `${quoted(word)} is no type. ${way}`;
}
