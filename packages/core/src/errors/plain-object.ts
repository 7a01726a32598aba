/** True for any object, a list too. A function is none here. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** True for an object that is not a list. Its prototype and its members may be anything. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a plain object of any realm: its only prototype is the root, or it has none. */
export function isPlain(value: object): boolean {
  return isRoot(Object.getPrototypeOf(value));
}

export function isRoot(prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}
