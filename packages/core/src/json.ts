import type { JsonObject, JsonValue } from "./protocol.js";

/** How much JSON one call may carry. */
export interface JsonLimits {
  /** Of the text, in bytes of UTF-8; of an object, in UTF-16 units of its strings and keys. Default 1 MiB. */
  readonly maxBytes: number;
  /** Default 64. */
  readonly maxDepth: number;
  /** Values of any kind. Default 100,000. */
  readonly maxNodes: number;
}
export const defaultLimits: JsonLimits = Object.freeze({
  maxBytes: 1_048_576,
  maxDepth: 64,
  maxNodes: 100_000,
});

export type JsonFaultCode =
  | "duplicate_key"
  | "invalid_json"
  | "lone_surrogate"
  | "not_an_object"
  | "not_json"
  | "proto_key"
  | "too_deep"
  | "too_large"
  | "unsafe_number";

/** Why a value is not JSON that can be trusted. Thrown inside this package only: it holds no stack, and is cheap. */
export class JsonFault {
  readonly code: JsonFaultCode;
  readonly reason: string;
  constructor(code: JsonFaultCode, reason: string) {
    this.code = code;
    this.reason = reason;
  }
}

export const jsonFaults = {
  duplicate_key: new JsonFault("duplicate_key", "an object has the same key twice"),
  lone_surrogate: new JsonFault("lone_surrogate", "a string has half of a surrogate pair"),
  not_an_object: new JsonFault("not_an_object", "they are not a JSON object"),
  not_json: new JsonFault("not_json", "a value is not plain JSON"),
  proto_key: new JsonFault("proto_key", "an object has the key __proto__"),
  too_deep: new JsonFault("too_deep", "they are nested too deeply, or in a circle"),
  too_large: new JsonFault("too_large", "they are too large"),
  unsafe_number: new JsonFault(
    "unsafe_number",
    "a number is not finite, or is an integer beyond 2^53 - 1",
  ),
} as const;

/**
 * Copy a value into plain JSON, frozen to the leaves, reading each property once.
 *
 * What the copy says is what every guard and the tool will see, whatever
 * becomes of the original. Properties that are `undefined` are left out, -0
 * becomes 0.
 *
 * @param asWritten refuse also what JSON would write otherwise than it is there:
 * by a `toJSON` that is hidden, inherited or a list's.
 * @throws JsonFault for class instances, functions, BigInt, cycles, holes,
 * lone surrogates, `__proto__`, unsafe numbers, or more than the limits.
 */
export function snapshot(value: unknown, limits: JsonLimits, asWritten = false): JsonValue {
  return copy(value, 0, {
    nodes: limits.maxNodes,
    units: limits.maxBytes,
    depth: limits.maxDepth,
    planted: hasPlantedKeys(),
    asWritten,
  });
}

/** What is left to spend. */
interface Budget {
  nodes: number;
  units: number;
  readonly depth: number;
  readonly planted: boolean;
  readonly asWritten: boolean;
}

const bare = {};

/** Whether a walk over an object's keys meets any that are not its own. */
export function hasPlantedKeys(): boolean {
  for (const _ in bare) return true;
  return false;
}

function copy(value: unknown, depth: number, budget: Budget): JsonValue {
  if (--budget.nodes < 0) throw jsonFaults.too_large;
  switch (typeof value) {
    case "string":
      budget.units -= value.length;
      if (budget.units < 0) throw jsonFaults.too_large;
      if (!value.isWellFormed()) throw jsonFaults.lone_surrogate;
      return value;
    case "number":
      if (!isSafeNumber(value)) throw jsonFaults.unsafe_number;
      return value + 0;
    case "boolean":
      return value;
    case "object":
      if (value === null) return value;
      if (depth >= budget.depth) throw jsonFaults.too_deep;
      if (budget.asWritten && saysHow(value)) throw jsonFaults.not_json;
      return Array.isArray(value)
        ? copyArray(value, depth + 1, budget)
        : copyObject(value as Record<string, unknown>, depth + 1, budget);
    default:
      throw jsonFaults.not_json;
  }
}

/** Whether a value has a word in how it is written. */
function saysHow(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function copyArray(
  values: readonly unknown[],
  depth: number,
  budget: Budget,
): readonly JsonValue[] {
  const length = values.length;
  if (!(length <= budget.nodes)) throw jsonFaults.too_large;
  const copied: JsonValue[] = [];
  for (let index = 0; index < length; index++) copied.push(copy(values[index], depth, budget));
  return Object.freeze(copied);
}

function copyObject(object: Record<string, unknown>, depth: number, budget: Budget): JsonObject {
  if (!isPlain(object)) throw jsonFaults.not_json;
  const copied: Record<string, JsonValue> = {};
  // For-in is the cheapest way through an object of its own keys only; one of another realm may have others.
  const inherits = budget.planted || Object.getPrototypeOf(object) !== Object.prototype;
  for (const key in object) {
    if (inherits && !Object.hasOwn(object, key)) continue;
    const value = object[key];
    if (value === undefined) continue;
    budget.units -= key.length;
    if (budget.units < 0) throw jsonFaults.too_large;
    if (!key.isWellFormed()) throw jsonFaults.lone_surrogate;
    // Assigning to it would set the prototype of the copy.
    if (key === "__proto__") throw jsonFaults.proto_key;
    copied[key] = copy(value, depth, budget);
  }
  return Object.freeze(copied);
}

/** True of `{}` and `Object.create(null)`, also of another realm's, and of no class instance. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  );
}

/** Finite, and no integer that neighbours share a double with: 2^53 + 1 would silently be 2^53. */
export function isSafeNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}
