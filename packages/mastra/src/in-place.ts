/**
 * Make an object or a list hold exactly these members.
 *
 * @returns false where it does not hold just them then: it is of another kind, frozen, or has accessors.
 */
export function replaceMembers(target: unknown, members: unknown): boolean {
  if (!isPlain(target) || !isPlain(members)) return false;
  if (Array.isArray(target) !== Array.isArray(members)) return false;
  try {
    for (const key of Reflect.ownKeys(target)) {
      if (key === "length" && Array.isArray(target)) target.length = 0;
      else if (!Reflect.deleteProperty(target, key)) return false;
    }
    for (const [key, value] of Object.entries(members)) {
      const member = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(target, key, member);
    }
  } catch {
    return false;
  }
  return true;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value) || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null;
}
