import { quoted } from "../errors/names.js";
import { ownValue } from "../json/own.js";
import type { JsonObject } from "../protocol/guardrail.js";

/** The place of a fault in the arguments, and what the schema states of it. */
export interface Place {
  /** JSON Pointer. A key that the schema does not declare is `*`: it is the model's own word. */
  readonly pointer: string;
  /** The schemas that apply to it: several, where there are alternatives. */
  readonly schemas: readonly JsonObject[];
  readonly value: unknown;
  /** True if the object or the list that it is in lacks it. */
  readonly isMissing: boolean;
}

/** Finds the place that a path of keys leads to. */
export function placeOf(path: readonly PropertyKey[], schema: JsonObject, args: unknown): Place {
  let schemas = alternatives(schema, schema);
  let value = args;
  let pointer = "";
  let isMissing = false;
  for (const key of path) {
    const isItem = Array.isArray(value) && /^\d+$/.test(String(key));
    const isDeclared = schemas.some(
      (each) => ownValue(each["properties"], String(key)) !== undefined,
    );
    pointer += `/${isItem ? String(key) : isDeclared ? spelling(String(key)) : "*"}`;
    isMissing = !(typeof value === "object" && value !== null && Object.hasOwn(value, key));
    value = isMissing ? undefined : (value as Record<PropertyKey, unknown>)[key];
    schemas = schemas.flatMap((each) => within(each, String(key), isItem, schema));
  }
  return { pointer, schemas, value, isMissing };
}

/** The names that the schemas declare for the members of an object. */
export function declaredNames(schemas: readonly JsonObject[]): readonly string[] {
  return schemas.flatMap((each) => Object.keys(Object(ownValue(each, "properties"))));
}

/** All names that a schema declares for members, at any place. */
export function allNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== "object" || each === null) continue;
    for (const name of declaredNames([each as JsonObject])) names.add(name);
    for (const value of Object.values(each)) open.push(value);
  }
  return names;
}

/** A name of the schema's, as it stands in a pointer. */
function spelling(name: string): string {
  return quoted(name.replaceAll("~", "~0").replaceAll("/", "~1")).slice(1, -1);
}

function within(schema: JsonObject, key: string, isItem: boolean, root: JsonObject): JsonObject[] {
  const next = isItem
    ? (ownValue(ownValue(schema, "prefixItems"), key) ?? ownValue(schema, "items"))
    : (ownValue(ownValue(schema, "properties"), key) ?? ownValue(schema, "additionalProperties"));
  return alternatives(next, root);
}

/** The most alternatives that are followed: a schema may refer to itself. */
const most = 64;

/** A schema with the references and the alternatives in it. */
function alternatives(schema: unknown, root: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  const open: unknown[] = [schema];
  while (open.length > 0 && found.length < most) {
    const each = open.pop();
    if (typeof each !== "object" || each === null || found.includes(each as JsonObject)) continue;
    found.push(each as JsonObject);
    const reference = ownValue(each, "$ref");
    if (typeof reference === "string" && reference.startsWith("#")) {
      open.push(
        reference
          .split("/")
          .slice(1)
          .reduce(ownValue, root as unknown),
      );
    }
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const parts = ownValue(each, keyword);
      if (!Array.isArray(parts)) continue;
      for (const part of parts.toReversed()) open.push(part);
    }
  }
  return found;
}
