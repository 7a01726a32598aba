/**
 * A member of the object's own or of its class, never of the root prototype:
 * what someone planted there is nobody's member.
 */
export function member(object: object, key: string): unknown {
  for (
    let holder: object | null = object;
    holder !== null && (holder === object || Object.getPrototypeOf(holder) !== null);
    holder = Object.getPrototypeOf(holder)
  ) {
    if (Object.hasOwn(holder, key)) return (object as Record<string, unknown>)[key];
  }
  return undefined;
}
