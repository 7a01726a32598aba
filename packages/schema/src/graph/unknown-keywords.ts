import { isJsonObject, quoted } from "@toolstile/core/provider";
import { Inadmissible } from "../document/inadmissible.js";
import { escapeSegment } from "../document/json-pointer.js";
import type { Plain, PlainObject } from "../document/plain-copy.js";
import { deciding, isExtension, isUnknown } from "../drafts/known-keywords.js";
import { typeNames } from "../drafts/type-names.js";
import { meantKeyword } from "./misspelt-keyword.js";
import type { SchemaNode } from "./schema-node.js";

/** A schema that is applied to values. A group of definitions is none, and may have any keys. */
export interface Applied {
  readonly schema: PlainObject;
  readonly pointer: string;
}

/** Real tool schemas have a few; comparing one with the known ones takes up to 0.2 milliseconds. */
const mostUnknown = 1000;

/**
 * Refuses unknown keywords that were meant to decide something: misspelt ones,
 * and properties written without `properties` around them. Others mean nothing
 * and are let be, as is one that a reference leads into.
 *
 * @throws Inadmissible naming the keyword and what was probably meant.
 */
export function refuseUnmeant(applied: readonly Applied[], nodes: readonly SchemaNode[]): void {
  let left = mostUnknown;
  for (const { schema, pointer } of applied) {
    const unknown = Object.keys(schema).filter(isUnknown);
    left -= unknown.length;
    if (left < 0) {
      throw new Inadmissible("", `the schema has more than ${mostUnknown} unknown keywords`);
    }
    const unused = unknown.filter(
      (key) => !isReferredTo(`${pointer}/${escapeSegment(key)}`, nodes),
    );
    if (unused.length > 0) refuseIn(schema, pointer, unused);
  }
}

function isReferredTo(place: string, nodes: readonly SchemaNode[]): boolean {
  return nodes.some(
    ({ target, pointer }) => target && (pointer === place || pointer.startsWith(`${place}/`)),
  );
}

function refuseIn(schema: PlainObject, pointer: string, unknown: readonly string[]): void {
  for (const key of unknown) {
    const meant = meantKeyword(key, schema);
    if (meant === undefined) continue;
    throw refused(key, pointer, `Did you mean ${quoted(meant)}?`);
  }
  const bare = bareProperty(schema, unknown, pointer === "");
  if (bare === undefined) return;
  const shown = /^[a-z_]\w{0,63}$/iu.test(bare) ? bare : quoted(bare);
  throw refused(bare, pointer, `Was { type: "object", properties: { ${shown}: … } } meant?`);
}

const ownWords = "A keyword of your own starts with 'x-'.";

function refused(key: string, pointer: string, question: string): Inadmissible {
  const place = `${pointer}/${escapeSegment(key)}`;
  return new Inadmissible(
    place,
    `${quoted(key)} is no JSON Schema keyword. ${question} ${ownWords}`,
  );
}

/** Keywords that a schema may have while its properties stand bare in it. */
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
  if (!isJsonObject(value)) return false;
  return typeof value.type === "string" && typeNames.includes(value.type);
}
