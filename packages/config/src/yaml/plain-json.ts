import type { JsonObject, JsonValue } from "@toolstile/core";
import { isObject, isPlain } from "@toolstile/core/provider";
import type { Path } from "./path.js";

/** Deeper than any configuration, and far above what a call stack holds. */
export const deepest = 64;

/** Values and keys of one file, also after its aliases are replaced: more than a hundred times the largest file that is known. */
export const mostNodes = 20_000;

/**
 * Copies a value as JSON whose objects have no prototype, so that reading a
 * key never reaches a polluted one. Only own properties are read.
 *
 * A value that JSON cannot hold is reported to `refuse` and becomes null. A
 * key named `__proto__` is reported and left out; a member that is undefined
 * is left out. Behind 20,000 values and keys nothing is copied, which is
 * reported once.
 */
export function plainJson(
  value: unknown,
  refuse: (path: Path, problem: string) => void,
): JsonValue {
  let nodes = 0;
  const refused = (path: Path, problem: string): null => {
    refuse(path, problem);
    return null;
  };
  const copy = (current: unknown, path: Path): JsonValue => {
    if (++nodes > mostNodes) return nodes === mostNodes + 1 ? refused([], tooMany) : null;
    if (current === null || typeof current === "string" || typeof current === "boolean") {
      return current;
    }
    if (typeof current === "number" && Number.isFinite(current)) return current;
    if (path.length >= deepest) return refused(path, `is nested deeper than ${deepest} levels`);
    if (Array.isArray(current)) return current.map((item, index) => copy(item, [...path, index]));
    if (!isObject(current) || !isPlain(current))
      return refused(path, "is not a value that JSON can hold");
    const object: Record<string, JsonValue> = Object.create(null);
    for (const [key, member] of Object.entries(current)) {
      if (member === undefined) continue;
      if (key === "__proto__") refuse([...path, key], "is not a key that can be used");
      else object[key] = copy(member, [...path, key]);
    }
    return object as JsonObject;
  };
  return copy(value, []);
}

export const tooMany = `it has more than ${mostNodes} values and keys`;
