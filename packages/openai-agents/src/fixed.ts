/** True of plain JSON data that is frozen all through: it stays equal to a copy of it. */
export function isFixed(value: unknown): boolean {
  const objects = plainObjects(value);
  return objects !== undefined && [...objects].every(Object.isFrozen);
}

/** Make plain JSON data unchangeable. Anything else is left alone. */
export function fix(value: unknown): void {
  for (const each of plainObjects(value) ?? []) Object.freeze(each);
}

/** All objects of plain JSON data; nothing where any part of it could tell two readers different things. */
function plainObjects(value: unknown, found = new Set<object>()): Set<object> | undefined {
  if (typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null || found.has(value)) return found;
  if (!hasPlainPrototype(value)) return undefined;
  found.add(value);
  for (const key of Reflect.ownKeys(value)) {
    if (key === "length" && Array.isArray(value)) continue;
    const member = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key !== "string" || member?.enumerable !== true || !("value" in member)) {
      return undefined;
    }
    if (plainObjects(member.value, found) === undefined) return undefined;
  }
  return found;
}

function hasPlainPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null;
}
