import { quoted } from "@toolstile/core";
import { Inadmissible } from "./inadmissible.js";
import { deciding, isExtension, isUnknown } from "./known-keywords.js";
import { meantKeyword } from "./misspelt-keyword.js";
import { escapeSegment, isPlainObject, type Plain, type PlainObject } from "./plain-copy.js";
import { typeNames } from "./type-names.js";

/**
 * Refuses unknown keywords that were meant to decide something: misspelt ones,
 * and properties written without `properties` around them. Others mean nothing
 * and are let be.
 *
 * @param schema One that is applied: a group of definitions may have any keys.
 * @throws Inadmissible naming the keyword and what was probably meant.
 */
export function refuseUnmeant(schema: PlainObject, pointer: string): void {
  const unknown = Object.keys(schema).filter(isUnknown);
  if (unknown.length === 0) return;
  for (const key of unknown) {
    const meant = meantKeyword(key, schema);
    if (meant === undefined) continue;
    throw refused(key, pointer, `Did you mean ${quoted(meant)}? One of your own starts with 'x-'.`);
  }
  const bare = bareProperty(schema, unknown, pointer === "");
  if (bare === undefined) return;
  const shown = /^[a-z_]\w{0,63}$/iu.test(bare) ? bare : quoted(bare);
  throw refused(
    bare,
    pointer,
    `Was { type: "object", properties: { ${shown}: … } } meant? One of your own starts with 'x-'.`,
  );
}

function refused(key: string, pointer: string, question: string): Inadmissible {
  const place = `${pointer}/${escapeSegment(key)}`;
  return new Inadmissible(place, `${quoted(key)} is no JSON Schema keyword. ${question}`);
}

/** What a schema may say of an object while its properties stand bare in it. */
const aboutObjects: ReadonlySet<string> = new Set(
  "type nullable required additionalProperties minProperties maxProperties default $schema $id".split(
    " ",
  ),
);

/** An unknown keyword that looks like a property, in a schema that lists no properties. */
function bareProperty(
  schema: PlainObject,
  unknown: readonly string[],
  isRoot: boolean,
): string | undefined {
  const keys = Object.keys(schema);
  if (isRoot && keys.every((key) => isUnknown(key) || isExtension(key))) return unknown[0];
  if (keys.some((key) => deciding.has(key) && !aboutObjects.has(key))) return undefined;
  const { type, required } = schema;
  if (type !== undefined && ![type].flat().includes("object")) return undefined;
  return unknown.find(
    (key) =>
      (Array.isArray(required) && required.includes(key)) || looksLikeProperty(key, schema[key]),
  );
}

function looksLikeProperty(key: string, value: Plain | undefined): boolean {
  // `dataType: "string"` is a remark and no property.
  if (typeof value === "string") return typeNames.includes(value) && !/type/iu.test(key);
  if (!isPlainObject(value)) return false;
  return typeof value.type === "string" && typeNames.includes(value.type);
}
