import type { JsonObject, JsonValue } from "@toolstile/core";
import type { Path } from "./problems.js";

/** JSON whose objects have no prototype, so that reading a key never reaches a polluted one. */
export type Data = null | boolean | number | string | Data[] | DataObject;
export interface DataObject {
  [key: string]: Data;
}

/** Deeper than any configuration, far above what a call stack holds. */
const deepest = 64;

export function isDataObject(value: unknown): value is DataObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** An object without a prototype. */
export function emptyObject(): DataObject {
  return Object.create(null) as DataObject;
}

/**
 * Copy what a YAML file or a caller gave, own properties only.
 *
 * What JSON cannot hold is told to `refuse` and read as null; so is a key
 * named `__proto__`. Members that are undefined are left out.
 */
export function plainData(value: unknown, refuse: (path: Path, problem: string) => void): Data {
  const copy = (current: unknown, path: Path): Data => {
    if (current === null || typeof current === "string" || typeof current === "boolean") {
      return current;
    }
    if (typeof current === "number" && Number.isFinite(current)) return current;
    if (path.length >= deepest) return refused(path, `is nested deeper than ${deepest} levels`);
    if (Array.isArray(current)) return current.map((item, index) => copy(item, [...path, index]));
    if (!isPlainObject(current)) return refused(path, "is not a value that JSON can hold");
    const object = emptyObject();
    for (const [key, member] of Object.entries(current)) {
      if (member === undefined) continue;
      if (key === "__proto__") refuse([...path, key], "is not a key that can be used");
      else object[key] = copy(member, [...path, key]);
    }
    return object;
  };
  const refused = (path: Path, problem: string): null => {
    refuse(path, problem);
    return null;
  };
  return copy(value, []);
}

/** An ordinary JSON object for those who read on, with own properties only. */
export function ordinary(data: DataObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, ordinaryValue(value)] as const),
  );
}

function ordinaryValue(data: Data): JsonValue {
  if (Array.isArray(data)) return data.map(ordinaryValue);
  return isDataObject(data) ? ordinary(data) : data;
}

function isPlainObject(value: unknown): value is object {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
