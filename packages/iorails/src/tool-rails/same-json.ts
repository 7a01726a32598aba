/**
 * Whether a value that may change is still what JSON made of it earlier.
 *
 * Reading through it costs a fraction of writing it out, and finds a tool that
 * was changed in place since it was last seen. Of what JSON would write
 * otherwise than it stands (a `toJSON`, a Date, an accessor) it is never the
 * same.
 */
export function isSameJson(value: unknown, snapshot: unknown): boolean {
  if (value === snapshot) return true;
  if (typeof value !== "object" || value === null) return false;
  if (typeof snapshot !== "object" || snapshot === null) return false;
  if (Array.isArray(snapshot)) return Array.isArray(value) && isSameList(value, snapshot);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(snapshot).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(snapshot, key)) return false;
    const here = (value as Record<string, unknown>)[key];
    if (typeof here === "function") return false;
    if (!isSameJson(here, (snapshot as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function isSameList(value: readonly unknown[], snapshot: readonly unknown[]): boolean {
  if (value.length !== snapshot.length) return false;
  for (let index = 0; index < snapshot.length; index++) {
    if (!isSameJson(value[index], snapshot[index])) return false;
  }
  return true;
}

/** Freeze what came out of JSON, to the leaves. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key of Object.keys(value)) freezeJson((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}
