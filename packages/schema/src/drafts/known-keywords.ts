import { dialectOf, drafts } from "./dialects.js";

const dialects = drafts.map(dialectOf);

/** Keywords of any draft that change a verdict, or what a keyword means. A misspelt one is silently off. */
export const deciding: ReadonlySet<string> = new Set([
  ...dialects.flatMap(({ assertions, applicators }) => [...assertions, ...applicators.keys()]),
  ..."$schema $id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor".split(
    " ",
  ),
  "default",
  "nullable",
]);

/** Keywords that hold schemas for `$ref` to find: under another name they are found under that. */
const shelves = dialects.flatMap((dialect) => [...dialect.shelves.keys()]);

/** Keywords that decide nothing. */
export const annotations = [
  ..."$comment title description examples deprecated readOnly writeOnly".split(" "),
  ..."format contentEncoding contentMediaType $vocabulary".split(" "),
];

/** Words of draft-03, OpenAPI 3.0 and form generators. They look like misspellings of keywords, and are not. */
const elsewhere = "extends disallow divisibleBy discriminator example externalDocs xml multiple";

const known = new Set([...deciding, ...shelves, ...annotations, "id", ...elsewhere.split(" ")]);

/** A word that no draft has, and that is not marked as an extension. */
export function isUnknown(keyword: string): boolean {
  return !known.has(keyword) && !isExtension(keyword);
}

export function isExtension(keyword: string): boolean {
  return /^x-/iu.test(keyword);
}
