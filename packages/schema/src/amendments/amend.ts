import type { JsonValue } from "@toolstile/core";
import type { Compiled } from "../admission/compile.js";
import type { Meter } from "../cost/meter.js";
import type { Plain } from "../document/plain-copy.js";
import type { SchemaNode } from "../graph/schema-node.js";
import { nullPasses } from "./null-passes.js";
import { itemSchemas, memberSchemas, sameValueSchemas } from "./reachable.js";

/** The usual slips of a model that may be put right. Each is off unless asked for. */
export interface Amendments {
  readonly dropNulls: boolean;
  readonly coerceTypes: boolean;
  readonly applyDefaults: boolean;
}

/**
 * The value with the slips put right; the very same value where there is
 * nothing to do.
 *
 * Goes only where it is certain which schema applies: through `properties`,
 * items, `$ref` and `allOf`, never into alternatives. What it gives back it
 * would not amend again.
 */
export function amend(compiled: Compiled, amendments: Amendments, value: JsonValue): JsonValue {
  return new Amender(amendments, compiled.meter).amend(
    sameValueSchemas(compiled.root, "certain"),
    value,
    0,
  );
}

/** Defaults inside defaults end somewhere, also in a schema that contains itself. */
const deepestDefault = 64;
/** The cost of a value and of a default in steps of the meter, measured. */
const stepsPerSchema = 16;
const stepsPerName = 8;
const stepsPerDefault = 400;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;
const longestNumber = 400;

class Amender {
  private readonly amendments: Amendments;
  private readonly meter: Meter;

  constructor(amendments: Amendments, meter: Meter) {
    this.amendments = amendments;
    this.meter = meter;
  }

  amend(schemas: readonly SchemaNode[], value: JsonValue, depth: number): JsonValue {
    this.meter.take(stepsPerSchema * (1 + schemas.length));
    if (Array.isArray(value)) return this.amendArray(schemas, value, depth);
    if (typeof value === "object" && value !== null) {
      return this.amendObject(schemas, value as { readonly [key: string]: JsonValue }, depth);
    }
    return this.amendments.coerceTypes ? coerce(schemas, value) : value;
  }

  private amendArray(
    schemas: readonly SchemaNode[],
    array: readonly JsonValue[],
    depth: number,
  ): JsonValue {
    let amended: JsonValue[] | undefined;
    array.forEach((item, index) => {
      const below = itemSchemas(schemas, index, "certain");
      if (below.length === 0) return;
      const value = this.amend(below, item, depth + 1);
      if (value === item) return;
      amended ??= [...array];
      amended[index] = value;
    });
    return amended ?? array;
  }

  private amendObject(
    schemas: readonly SchemaNode[],
    object: { readonly [key: string]: JsonValue },
    depth: number,
  ): JsonValue {
    const members = new Map<string, JsonValue>();
    let changed = false;
    for (const key of Object.keys(object)) {
      const member = object[key] as JsonValue;
      const below = memberSchemas(schemas, key, "certain");
      if (member === null && this.isSpareNull(schemas, key, below)) {
        changed = true;
        continue;
      }
      const value = below.length === 0 ? member : this.amend(below, member, depth + 1);
      if (value !== member) changed = true;
      members.set(key, value);
    }
    if (this.amendments.applyDefaults && depth < deepestDefault) {
      for (const [key, value] of this.missingDefaults(schemas, members, depth)) {
        members.set(key, value);
        changed = true;
      }
    }
    return changed ? Object.fromEntries(members) : object;
  }

  private isSpareNull(
    schemas: readonly SchemaNode[],
    key: string,
    below: readonly SchemaNode[],
  ): boolean {
    return (
      this.amendments.dropNulls &&
      !below.every(nullPasses) &&
      !schemas.some(({ assertions }) =>
        ((assertions.get("required") ?? []) as readonly Plain[]).includes(key),
      )
    );
  }

  private *missingDefaults(
    schemas: readonly SchemaNode[],
    present: ReadonlyMap<string, JsonValue>,
    depth: number,
  ): Iterable<[string, JsonValue]> {
    for (const { maps } of schemas) {
      const properties = maps.get("properties");
      if (properties === undefined) continue;
      this.meter.take(stepsPerName * properties.size);
      for (const [key, member] of properties) {
        if (present.has(key)) continue;
        const below = sameValueSchemas(member, "certain");
        const source = below.find(({ fallback }) => fallback !== undefined);
        if (source === undefined) continue;
        const text = defaultText(source);
        this.meter.take(stepsPerDefault + 8 * text.length);
        // A copy with ordinary prototypes, which tools expect.
        const value = JSON.parse(text) as JsonValue;
        if (value === null && this.isSpareNull(schemas, key, below)) continue;
        yield [key, this.amend(memberSchemas(schemas, key, "certain"), value, depth + 1)];
      }
    }
  }
}

const texts = new WeakMap<SchemaNode, string>();

function defaultText(node: SchemaNode): string {
  const text = texts.get(node) ?? JSON.stringify(node.fallback);
  texts.set(node, text);
  return text;
}

/** A number, boolean or text written as another of them, where that says exactly the same. */
function coerce(schemas: readonly SchemaNode[], value: JsonValue): JsonValue {
  const typed = schemas.find(({ assertions }) => assertions.has("type"));
  if (typed === undefined) return value;
  const types = [typed.assertions.get("type")].flat();
  if (types.some((type) => hasType(value, type as string))) return value;
  if (typeof value !== "string") {
    return value !== null && types.includes("string") ? String(value) : value;
  }
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  if (value.length > longestNumber || !jsonNumber.test(value)) return value;
  const number = Number(value);
  // Core takes no others as arguments.
  const exact =
    Number.isFinite(number) && !(Number.isInteger(number) && !Number.isSafeInteger(number));
  return exact && types.some((type) => hasType(number, type as string)) ? number : value;
}

function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
