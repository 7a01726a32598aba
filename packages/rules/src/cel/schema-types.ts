import type { JsonObject, JsonValue } from "@toolstile/core";
import { isJsonObject, isPlain } from "@toolstile/core/provider";
import { anything, joined, type Kind, type Type, union } from "./types.js";

const kindsOfType: ReadonlyMap<unknown, readonly Kind[]> = new Map([
  ["string", ["string"]],
  ["integer", ["int"]],
  ["number", ["int", "double"]],
  ["boolean", ["bool"]],
  ["null", ["null_type"]],
  ["array", ["list"]],
  ["object", ["map"]],
]);

/** Keywords that may add members which `properties` beside them do not list. */
const mayAddMembers = ["patternProperties", "then", "else", "dependentSchemas", "dependencies"];
const deepestReference = 32;

/** Reads the type that a JSON Schema gives to values. What is not understood says nothing. */
export function typeOfSchema(schema: JsonObject | boolean): Type {
  return new SchemaTypes(schema).of(schema, 0);
}

class SchemaTypes {
  readonly #root: JsonObject | boolean;
  readonly #known = new WeakMap<object, Type>();

  constructor(root: JsonObject | boolean) {
    this.#root = root;
  }

  of(schema: unknown, depth: number): Type {
    if (!isObject(schema)) return anything;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const type = this.#read(schema, depth);
    this.#known.set(schema, type);
    return type;
  }

  #read(schema: JsonObject, depth: number): Type {
    if (depth > deepestReference) return anything;
    if (typeof schema.$ref === "string") {
      if (schema.properties !== undefined) return anything;
      return this.of(this.#resolve(schema.$ref), depth + 1);
    }
    let type = this.#own(schema, depth);
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) type = both(type, union(this.#each(branches, depth)));
    }
    if (Array.isArray(schema.allOf)) type = this.#each(schema.allOf, depth).reduce(both, type);
    return type;
  }

  #each(branches: readonly unknown[], depth: number): Type[] {
    return branches.map((branch) => this.of(branch, depth + 1));
  }

  #own(schema: JsonObject, depth: number): Type {
    const { items, prefixItems, properties } = schema;
    const members = isObject(properties)
      ? new Map(
          Object.entries(properties).map(([name, member]) => [
            name,
            () => this.of(member, depth + 1),
          ]),
        )
      : undefined;
    return {
      kinds: kindsOf(schema),
      elements:
        isObject(items) && prefixItems === undefined ? () => this.of(items, depth + 1) : undefined,
      members,
      others: othersOf(schema, members !== undefined),
    };
  }

  #resolve(reference: string): unknown {
    if (!reference.startsWith("#")) return undefined;
    let place: unknown = this.#root;
    for (const step of reference.slice(1).split("/").slice(1)) {
      const name = decodeURIComponent(step).replace(/~1/g, "/").replace(/~0/g, "~");
      if (typeof place !== "object" || place === null || !Object.hasOwn(place, name)) {
        return undefined;
      }
      place = (place as Readonly<Record<string, unknown>>)[name];
    }
    return reference.startsWith("#/") || reference === "#" ? place : undefined;
  }
}

function kindsOf({ type, enum: listed, const: only }: JsonObject): ReadonlySet<Kind> | undefined {
  if (type !== undefined) {
    const kinds = [type].flat().map((name) => kindsOfType.get(name));
    return kinds.includes(undefined) ? undefined : new Set(kinds.flat() as Kind[]);
  }
  if (Array.isArray(listed)) return new Set(listed.flatMap(kindsOfValue));
  return only === undefined ? undefined : new Set(kindsOfValue(only));
}

function kindsOfValue(value: JsonValue | undefined): readonly Kind[] {
  if (value === null) return ["null_type"];
  if (typeof value === "number") return Number.isInteger(value) ? ["int"] : ["double"];
  if (typeof value === "object") return Array.isArray(value) ? ["list"] : ["map"];
  return kindsOfType.get(typeof value) ?? [];
}

/** Undefined if the schema says nothing about its members. */
function othersOf(schema: JsonObject, lists: boolean): Type["others"] {
  if (mayAddMembers.some((keyword) => schema[keyword] !== undefined)) return "any";
  const { additionalProperties, unevaluatedProperties } = schema;
  if (additionalProperties === false || unevaluatedProperties === false) return "exact";
  if (additionalProperties !== undefined) return "any";
  return lists ? "declared" : undefined;
}

/** Returns a type that is true of every value of which both are true. In doubt it says less. */
function both(a: Type, b: Type): Type {
  const said = [a.others, b.others];
  return {
    kinds: a.kinds ?? b.kinds,
    elements: a.elements ?? b.elements,
    members: joined(a.members, b.members, (one) => one),
    others: (["any", "exact", "declared"] as const).find((each) => said.includes(each)),
  };
}

function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && isPlain(value);
}
