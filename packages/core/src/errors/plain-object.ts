/** True for a plain object of any realm: its only prototype is the root, or it has none. */
export function isPlain(value: object): boolean {
  return isRoot(Object.getPrototypeOf(value));
}

export function isRoot(prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}
