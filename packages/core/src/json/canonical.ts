import { ToolstileError } from "../errors/error.js";
import { isPlain } from "./own.js";

/**
 * The one canonical text of a JSON value (RFC 8785).
 *
 * Keys are sorted by UTF-16 code units, `undefined` properties are left out,
 * -0 is written 0. Equal texts mean equal values.
 *
 * @throws ToolstileError `ERR_NOT_JSON` for anything JSON cannot hold exactly:
 * functions, class instances, BigInt, non-finite numbers, lone surrogates, `undefined` in arrays.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      if (plain.test(value)) return `"${value}"`;
      if (!value.isWellFormed()) break;
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      // String() writes numbers as ECMAScript does, which is what RFC 8785 asks, and -0 as 0.
      if (!Number.isFinite(value)) break;
      return String(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return canonicalArray(value);
      if (!isPlain(value)) break;
      return canonicalObject(value as Members);
  }
  throw new ToolstileError(
    "ERR_NOT_JSON",
    `A value of type ${typeof value} that JSON cannot hold has no canonical text. Pass plain JSON values.`,
  );
}

/** True if two values are the same JSON, in any order of their members. A value that is not JSON equals no other. */
export function sameJson(one: unknown, other: unknown): boolean {
  try {
    return isSame(one, other);
  } catch {
    return false;
  }
}

/** Without texts, which take five times as long, for values whose members stand in the same order. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other && isScalar(one);
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && areSame(one, other);
  return isPlain(one) && isPlain(other) && haveSameMembers(one as Members, other as Members);
}

type Members = Readonly<Record<string, unknown>>;

function isScalar(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return typeof value === "boolean" || value === null || Number.isFinite(value);
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++)
    if (!isSame(one[index], other[index])) return false;
  return true;
}

function haveSameMembers(one: Members, other: Members): boolean {
  const keys = Object.keys(one);
  const others = Object.keys(other);
  for (let index = 0; index < Math.max(keys.length, others.length); index++) {
    const key = keys[index] as string;
    // Members that are `undefined` are left out, and count for nothing.
    if (key !== others[index] || one[key] === undefined || other[key] === undefined)
      return canonicalObject(one) === canonicalObject(other);
    if (!key.isWellFormed() || !isSame(one[key], other[key])) return false;
  }
  return true;
}

/** Printable ASCII that needs no escape, as most keys and values are. */
const plain = /^[ !#-[\]-~]*$/;

function canonicalArray(values: readonly unknown[]): string {
  let text = "[";
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ",";
    text += canonicalJson(values[index]);
  }
  return `${text}]`;
}

function canonicalObject(object: Members): string {
  let text = "{";
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    if (text !== "{") text += ",";
    text += `${canonicalJson(key)}:${canonicalJson(value)}`;
  }
  return `${text}}`;
}

/** So few keys are sorted by insertion in less time than `sort()` takes to begin. */
const fewKeys = 16;

function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length > fewKeys) return keys.sort();
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] as string;
    let at = next;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}
