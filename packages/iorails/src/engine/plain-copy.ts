import { isPlanted } from "../planted.js";

/** Deeper ones are left to JSON, which knows a cycle. */
const deepest = 64;

/** The result for a value that `plainCopy` cannot copy as JSON would. The value may still be JSON. */
export const notPlain: unique symbol = Symbol("not plain");

/**
 * A copy as `JSON.parse(JSON.stringify(value))` makes it, for a sixth of the
 * cost, of what holds nothing that JSON would write otherwise than it stands.
 */
export function plainCopy(value: unknown): unknown {
  return isPlanted() ? notPlain : copyOf(value, 0);
}

function copyOf(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      // JSON has one zero, and no number that is none.
      return Number.isFinite(value) ? value + 0 : notPlain;
    case "object":
      if (value === null) return null;
      if (depth >= deepest || "toJSON" in value) return notPlain;
      return Array.isArray(value) ? listCopy(value, depth) : objectCopy(value, depth);
    default:
      return notPlain;
  }
}

function listCopy(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const entry = copyOf(list[index], depth + 1);
    if (entry === notPlain) return notPlain;
    copy.push(entry);
  }
  return copy;
}

function objectCopy(object: object, depth: number): unknown {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return notPlain;
  // What is inherited, and may have a setter, as `__proto__` does, is not asked: each member is there already.
  const copy: Record<string, unknown> = { ...object };
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === "string") continue;
    const copied = copyOf(member, depth + 1);
    if (copied === notPlain) return notPlain;
    copy[key] = copied;
  }
  return copy;
}
