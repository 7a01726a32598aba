import type { Value } from "./template-values.js";

/**
 * True if Python takes two values for equal.
 *
 * The library compares them as JavaScript does, for which `"1" == 1`, `"" == false` and
 * `[1] == "1"` are true, and `[1] == [1]` is not.
 */
export function areEqual({ value: one }: Value, { value: other }: Value): boolean {
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => areEqual(each, other[index]));
  }
  if (one instanceof Map && other instanceof Map) {
    const isThere = ([key, value]: [unknown, Value]): boolean =>
      other.has(key) && areEqual(value, other.get(key));
    return one.size === other.size && Array.from(one).every(isThere);
  }
  return one === other;
}

function isNumber(value: unknown): value is number | boolean {
  return typeof value === "number" || typeof value === "boolean";
}
