import { quoted } from "@toolstile/core/provider";
import { Inadmissible } from "../document/inadmissible.js";
import type { PlainObject } from "../document/plain-copy.js";

/** A draft of JSON Schema. */
export type Draft = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

export const drafts: readonly Draft[] = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"];

/** The way in which a keyword holds schemas: one, a list, or a map of them. */
export type Shape = "one" | "list" | "map";

/** The facts about a draft that are needed to read its schemas. */
export interface Dialect {
  readonly draft: Draft;
  /** The meta-schema's URI, without a fragment. */
  readonly uri: string;
  readonly idKeyword: "id" | "$id";
  /** Up to draft-07 `$ref` hides its siblings, and an id of `#name` is an anchor. */
  readonly refAlone: boolean;
  /** Keywords that hold schemas which are applied. */
  readonly applicators: ReadonlyMap<string, readonly Shape[]>;
  /** Keywords that hold schemas which are only referred to. */
  readonly shelves: ReadonlyMap<string, readonly Shape[]>;
  readonly assertions: ReadonlySet<string>;
}

const bounds = ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"];
const sizes = ["maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"];
const baseAssertions = [...bounds, ...sizes, "type", "enum", "pattern", "required", "uniqueItems"];

const baseApplicators: [string, Shape[]][] = [
  ["allOf", ["list"]],
  ["anyOf", ["list"]],
  ["oneOf", ["list"]],
  ["not", ["one"]],
  ["properties", ["map"]],
  ["patternProperties", ["map"]],
  ["additionalProperties", ["one"]],
  // Dropped from 2019-09 on, and still written; what is written is enforced.
  ["dependencies", ["map"]],
];
const tuples: [string, Shape[]][] = [
  ["items", ["one", "list"]],
  ["additionalItems", ["one"]],
];
const since06: [string, Shape[]][] = [
  ["contains", ["one"]],
  ["propertyNames", ["one"]],
];
const since07: [string, Shape[]][] = [
  ["if", ["one"]],
  ["then", ["one"]],
  ["else", ["one"]],
];
const since2019: [string, Shape[]][] = [
  ["dependentSchemas", ["map"]],
  ["unevaluatedItems", ["one"]],
  ["unevaluatedProperties", ["one"]],
];
const definitions: [string, Shape[]][] = [["definitions", ["map"]]];
const shelves2019: [string, Shape[]][] = [
  ["$defs", ["map"]],
  ["definitions", ["map"]],
  ["contentSchema", ["one"]],
];
const assertions2019 = [
  ...baseAssertions,
  "const",
  "dependentRequired",
  "minContains",
  "maxContains",
];

const dialects = new Map<Draft, Dialect>(
  (
    [
      {
        draft: "draft-04",
        uri: "http://json-schema.org/draft-04/schema",
        idKeyword: "id",
        refAlone: true,
        applicators: new Map([...baseApplicators, ...tuples]),
        shelves: new Map(definitions),
        assertions: new Set(baseAssertions),
      },
      {
        draft: "draft-06",
        uri: "http://json-schema.org/draft-06/schema",
        idKeyword: "$id",
        refAlone: true,
        applicators: new Map([...baseApplicators, ...tuples, ...since06]),
        shelves: new Map(definitions),
        assertions: new Set([...baseAssertions, "const"]),
      },
      {
        draft: "draft-07",
        uri: "http://json-schema.org/draft-07/schema",
        idKeyword: "$id",
        refAlone: true,
        applicators: new Map([...baseApplicators, ...tuples, ...since06, ...since07]),
        shelves: new Map(definitions),
        assertions: new Set([...baseAssertions, "const"]),
      },
      {
        draft: "2019-09",
        uri: "https://json-schema.org/draft/2019-09/schema",
        idKeyword: "$id",
        refAlone: false,
        applicators: new Map([...baseApplicators, ...tuples, ...since06, ...since07, ...since2019]),
        shelves: new Map(shelves2019),
        assertions: new Set(assertions2019),
      },
      {
        draft: "2020-12",
        uri: "https://json-schema.org/draft/2020-12/schema",
        idKeyword: "$id",
        refAlone: false,
        applicators: new Map([
          ...baseApplicators,
          ["prefixItems", ["list"]],
          ["items", ["one"]],
          ...since06,
          ...since07,
          ...since2019,
        ]),
        shelves: new Map(shelves2019),
        assertions: new Set(assertions2019),
      },
    ] satisfies Dialect[]
  ).map((dialect) => [dialect.draft, dialect]),
);

export function dialectOf(draft: Draft): Dialect {
  return dialects.get(draft) as Dialect;
}

/**
 * The dialect that a schema's `$schema` names, with `http` or `https` and with
 * or without an empty fragment.
 *
 * @throws Inadmissible for any other URI.
 */
export function announcedDialect(schema: PlainObject, fallback: Draft, pointer: string): Dialect {
  const announced = schema.$schema;
  if (announced === undefined) return dialectOf(fallback);
  if (typeof announced === "string") {
    const uri = comparable(announced);
    for (const dialect of dialects.values()) {
      if (comparable(dialect.uri) === uri) return dialect;
    }
  }
  const shown = typeof announced === "string" ? quoted(announced) : "no string";
  throw new Inadmissible(
    `${pointer}/$schema`,
    `$schema is ${shown}; the known drafts are 04, 06, 07, 2019-09 and 2020-12`,
  );
}

function comparable(uri: string): string {
  return uri.replace(/^https:/u, "http:").replace(/#$/u, "");
}
