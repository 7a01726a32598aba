import { own } from "../own-property.js";

/** A property of the value's own, of which `null` is as good as none. */
export function given(value: unknown, key: string): unknown {
  return own(value, key) ?? undefined;
}

/** An object that is no list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
