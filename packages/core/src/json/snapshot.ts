import type { JsonObject, JsonValue } from "../protocol/guardrail.js";
import { hasSymbolKeys, isRoot } from "./own.js";

/** Limits on the JSON of one call. */
export interface JsonLimits {
  /** Size: for text, bytes of UTF-8; for an object, UTF-16 units of its strings and keys. Default 1 MiB. */
  readonly maxBytes: number;
  /** Default 64. */
  readonly maxDepth: number;
  /** Number of values of any kind. Default 100,000. */
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
  | "unsafe_integer"
  | "unsafe_number";

/** The reason why a value is not JSON that can be trusted. Thrown inside this package only: it holds no stack, and is cheap. */
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
  misread: new JsonFault("invalid_json", "the JavaScript engine reads a key as another one"),
  not_an_object: new JsonFault("not_an_object", "they are not a JSON object"),
  not_json: new JsonFault("not_json", "a value is not plain JSON"),
  proto_key: new JsonFault("proto_key", "an object has the key __proto__"),
  too_deep: new JsonFault("too_deep", "they are nested too deeply, or in a circle"),
  too_large: new JsonFault("too_large", "they are too large"),
  unsafe_integer: new JsonFault(
    "unsafe_integer",
    "an integer is beyond 2^53 - 1, and would be rounded: give it as text",
  ),
  unsafe_number: new JsonFault("unsafe_number", "a number is not finite"),
} as const;

/**
 * Copies a value into plain JSON, frozen to the leaves, and reads each property once.
 *
 * Every guard and the tool see the copy, even if the original changes. Properties that are `undefined` are left out, -0
 * becomes 0.
 *
 * @param asWritten if true, values with a `toJSON` are refused too, also with a hidden or
 * inherited one: JSON would write them differently from how they are. So are objects with members under symbols alone.
 * @throws JsonFault for class instances, functions, BigInt, cycles, holes,
 * lone surrogates, `__proto__`, integers that may be rounded, or more than the limits.
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

/** The part of the limits that is still left. */
interface Budget {
  nodes: number;
  units: number;
  readonly depth: number;
  readonly planted: boolean;
  readonly asWritten: boolean;
}

const bare = {};

/** The copy of every object without members. */
const empty: JsonObject = Object.freeze({});

/** True if a walk over an object's keys meets keys that are not its own. */
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
      if (!isSafeNumber(value)) throw numberFault(value);
      return value + 0;
    case "boolean":
      return value;
    case "object":
      if (value === null) return value;
      if (depth >= budget.depth) throw jsonFaults.too_deep;
      if (budget.asWritten && definesToJson(value)) throw jsonFaults.not_json;
      return Array.isArray(value)
        ? copyArray(value, depth + 1, budget)
        : copyObject(value as Record<string, unknown>, depth + 1, budget);
    default:
      throw jsonFaults.not_json;
  }
}

/** True if the value defines `toJSON`. */
function definesToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function copyArray(
  values: readonly unknown[],
  depth: number,
  budget: Budget,
): readonly JsonValue[] {
  const length = values.length;
  if (!(length <= budget.nodes)) throw jsonFaults.too_large;
  // A list that grows would have room for sixteen more, and a record may be kept for long.
  const copied = new Array<JsonValue>(length);
  for (let index = 0; index < length; index++) copied[index] = copy(values[index], depth, budget);
  return Object.freeze(copied);
}

function copyObject(object: Record<string, unknown>, depth: number, budget: Budget): JsonObject {
  const prototype = Object.getPrototypeOf(object);
  if (!isRoot(prototype)) throw jsonFaults.not_json;
  const copied: Record<string, JsonValue> = {};
  let isEmpty = true;
  // For-in is the cheapest way through an object of its own keys only; one of another realm may have others.
  const inherits = budget.planted || prototype !== Object.prototype;
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
    isEmpty = false;
  }
  if (!isEmpty) return Object.freeze(copied);
  if (budget.asWritten && hasSymbolKeys(object)) throw jsonFaults.not_json;
  return empty;
}

/** A whole number from here on is written with an exponent: nobody takes it for an exact integer. */
export const leastFloat = 1e21;

/** True for a finite number that cannot be an integer which was rounded: 2^53 + 1 would silently become 2^53. */
export function isSafeNumber(value: number): boolean {
  return (
    Number.isSafeInteger(value) ||
    (Number.isFinite(value) && (!Number.isInteger(value) || Math.abs(value) >= leastFloat))
  );
}

/** The fault of a number that is not safe. */
export function numberFault(value: number): JsonFault {
  return Number.isFinite(value) ? jsonFaults.unsafe_integer : jsonFaults.unsafe_number;
}
