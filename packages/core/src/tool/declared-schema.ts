import { ownValue } from "../json/own.js";
import type { JsonObject, JsonValue } from "../protocol/guardrail.js";

/**
 * Writes what a schema of zod 3, zod 4 or valibot states as JSON Schema, for libraries
 * that cannot do so themselves.
 *
 * It is for the words of denials alone: what it does not know, it leaves out.
 */
export function declaredBy(schema: unknown): JsonObject | undefined {
  try {
    return written(schema, 0);
  } catch {
    // It looks like one of theirs, and is built in another way.
    return undefined;
  }
}

type Part = Readonly<Record<string, unknown>>;

/** A schema may contain itself. */
const deepest = 12;

function written(schema: unknown, depth: number): JsonObject {
  if (depth > deepest || schema === null || typeof schema !== "object") return {};
  const zod4 = (schema as { _zod?: { def: Part } })._zod?.def;
  const def = zod4 ?? (schema as { _def?: Part })._def ?? (schema as Part);
  const of = (part: unknown): JsonObject => written(part, depth + 1);
  const all = (parts: unknown): JsonObject[] => Array.from(parts as Iterable<unknown>, of);
  switch (kindOf(def)) {
    case "object":
    case "strict_object":
    case "loose_object":
    case "object_with_rest": {
      const shape = def["shape"] ?? def["entries"];
      const members: unknown = typeof shape === "function" ? shape() : shape;
      return { type: "object", properties: eachOf(members as object, of) };
    }
    case "record":
      return { type: "object", additionalProperties: of(def["valueType"] ?? def["value"]) };
    case "array": {
      const items = of(def["element"] ?? def["item"] ?? def["type"]);
      return { type: "array", items, ...limitsOf(def, "Items") };
    }
    case "string":
      return { type: "string", ...limitsOf(def, "Length") };
    case "number":
      return { type: "number", ...limitsOf(def, "") };
    case "boolean":
    case "null":
      return { type: kindOf(def) };
    case "enum":
    case "nativeenum":
    case "picklist":
      return { enum: valuesOf(def["options"] ?? def["entries"] ?? def["values"]) };
    case "literal":
      return { enum: valuesOf(def["values"] ?? [def["value"] ?? def["literal"]]) };
    case "union":
    case "discriminatedunion":
    case "variant": {
      const options = def["options"] as Iterable<unknown>;
      return { anyOf: all(options instanceof Map ? options.values() : options) };
    }
    case "intersection":
    case "intersect":
      return { allOf: all(def["options"] ?? [def["left"], def["right"]]) };
    case "nullable":
    case "nullish":
      return { anyOf: [of(def["innerType"] ?? def["wrapped"]), { type: "null" }] };
    default:
      return of(def["innerType"] ?? def["wrapped"] ?? def["in"] ?? def["schema"]);
  }
}

/** The kind of a schema: "object" for zod 3's "ZodObject", too. */
function kindOf(def: Part): string {
  const { typeName, type } = def;
  if (typeof typeName === "string") return typeName.replace(/^Zod/, "").toLowerCase();
  return typeof type === "string" ? type : "";
}

function eachOf(members: object, of: (part: unknown) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, part]) => [name, of(part)]));
}

/** The values of an enumeration, which may be a list, or an object with numbers' names among its keys. */
function valuesOf(values: unknown): JsonValue[] {
  if (Array.isArray(values)) return values as JsonValue[];
  const named = Object.entries(values as object);
  return named
    .filter(
      ([name]) => !named.some(([, value]) => String(value) === name && typeof value === "number"),
    )
    .map(([, value]) => value as JsonValue);
}

/** The names that the libraries have for the bounds of JSON Schema. */
const bounds: ReadonlyMap<string, "min" | "max"> = new Map([
  ["min", "min"],
  ["max", "max"],
  ["min_length", "min"],
  ["max_length", "max"],
  ["min_value", "min"],
  ["max_value", "max"],
  ["greater_than", "min"],
  ["less_than", "max"],
  ["gt_value", "min"],
  ["lt_value", "max"],
]);
/** The names of bounds that a value must not reach, where they say so themselves. */
const exclusive: readonly string[] = ["gt_value", "lt_value"];

/** The bounds and the format among the checks of a schema. @param of - the noun of the bound: `Length` for `minLength`. */
function limitsOf(def: Part, of: "Items" | "Length" | ""): JsonObject {
  const limits: Record<string, JsonValue> = {};
  const checks = (def["checks"] ?? def["pipe"] ?? []) as readonly unknown[];
  for (const check of checks) {
    const rule = (ownValue(ownValue(check, "_zod"), "def") ?? check) as Part;
    const name = String(rule["check"] ?? rule["kind"]);
    const kind = name === "validation" ? String(rule["type"]) : name;
    const value = rule["value"] ?? rule["minimum"] ?? rule["maximum"] ?? rule["requirement"];
    const bound = bounds.get(kind);
    if (bound !== undefined && typeof value === "number") {
      const isExclusive = rule["inclusive"] === false || exclusive.includes(kind);
      limits[limitName(bound, of, isExclusive)] = value;
    }
    const form = rule["regex"] ?? rule["pattern"] ?? rule["requirement"];
    const isOwn = kind === "regex" || rule["format"] === "regex";
    if (isOwn && form instanceof RegExp) limits["pattern"] = form.source;
    const format = kind === "string_format" ? rule["format"] : of === "Length" && kind;
    if (typeof format === "string" && formats.has(format)) {
      limits["format"] = format;
    }
  }
  for (const bound of ["min", "max"] as const) {
    const value = ownValue(ownValue(def, `${bound}Length`), "value");
    if (typeof value === "number") limits[`${bound}${of}`] = value;
  }
  return limits;
}

function limitName(bound: "min" | "max", of: string, isExclusive: boolean): string {
  if (of !== "") return `${bound}${of}`;
  const name = `${bound}imum`;
  return isExclusive ? `exclusive${name[0]?.toUpperCase()}${name.slice(1)}` : name;
}

/** The formats of text whose names say enough. */
const formats: ReadonlySet<string> = new Set([
  "base64",
  "date",
  "datetime",
  "duration",
  "email",
  "ipv4",
  "ipv6",
  "time",
  "ulid",
  "url",
  "uuid",
]);
