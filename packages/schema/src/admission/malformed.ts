import { isJsonObject, quoted } from "@toolstile/core/provider";
import { escapeSegment, unescapeSegment } from "../document/json-pointer.js";
import type { Plain, PlainObject } from "../document/plain-copy.js";
import type { Dialect } from "../drafts/dialects.js";
import { typeNames } from "../drafts/type-names.js";
import type { Violation } from "../violations/violation.js";
import { explanations, kind, type Place } from "./malformed-keyword.js";

export interface Explanation {
  readonly pointer: string;
  readonly reason: string;
}

/** Explains why a meta-schema refuses a schema, and the way out. */
export function explainMalformed(schema: Plain, found: Violation, dialect: Dialect): Explanation {
  const segments = found.pointer.split("/").slice(1).map(unescapeSegment);
  const place = placeOf(schema, segments, dialect);
  const reason =
    place.keyword === undefined
      ? explainSchema(place, dialect)
      : explanations.get(place.keyword)?.(place, dialect);
  if (reason === undefined) return { pointer: found.pointer, reason: found.message };
  return { pointer: place.pointer, reason };
}

/** Follows a pointer through subschemas: `/properties/type` is a property, `/type` a keyword. */
function placeOf(root: Plain, segments: readonly string[], dialect: Dialect): Place {
  let place: Place = { pointer: "", value: root };
  for (let next = 0; next < segments.length && isJsonObject(place.value); ) {
    const schema = place.value;
    const keyword = segments[next] as string;
    const value = schema[keyword];
    const pointer = `${place.pointer}/${escapeSegment(keyword)}`;
    const shapes = dialect.applicators.get(keyword) ?? dialect.shelves.get(keyword) ?? [];
    if (shapes.includes("one") && isJsonObject(value)) {
      place = { pointer, value };
      next += 1;
      continue;
    }
    const name = segments[next + 1];
    const holds = Array.isArray(value) ? shapes.includes("list") : shapes.includes("map");
    const member = name === undefined || !holds ? undefined : (value as PlainObject)[name];
    const isList = keyword === "dependencies" && Array.isArray(member);
    if (name === undefined || member === undefined || isList) {
      return { pointer, keyword, value, schema, property: place.property };
    }
    const property = keyword === "properties" ? name : undefined;
    place = { pointer: `${pointer}/${escapeSegment(name)}`, value: member, property };
    next += 2;
  }
  return place;
}

function explainSchema({ value }: Place, { draft }: Dialect): string | undefined {
  if (isJsonObject(value)) return undefined;
  const kinds = draft === "draft-04" ? "an object" : "an object or a boolean";
  const word = typeof value === "string" ? typeNames.find((name) => name === value) : undefined;
  const hint = word === undefined ? "" : ` Was { type: "${word}" } meant?`;
  // Text is shown, as its author wrote it; all else by its kind.
  const shown = typeof value === "string" ? quoted(value) : kind(value);
  return `${shown} is no schema, which is ${kinds}.${hint}`;
}
