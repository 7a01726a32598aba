import { isObject, own, type Pointer } from "@toolstile/core/provider";

/** Stands for the value at a place where a pointer meets a value of another kind on its way, such as a text. */
export const misplaced = Symbol("a value of another kind on the way");

/** Reads the one value that a pointer without `*` leads to; undefined if there is none. */
export function valueAt(root: unknown, pointer: Pointer): unknown {
  let value = root;
  for (const name of pointer) {
    value = step(value, name);
    if (value === undefined || value === misplaced) return value;
  }
  return value;
}

/**
 * Reads all values that a pointer leads to.
 *
 * @returns undefined among them for each place where it leads nowhere.
 */
export function valuesAt(root: unknown, pointer: Pointer, from = 0): readonly unknown[] {
  let value = root;
  for (let next = from; next < pointer.length; next++) {
    const name = pointer[next] as string;
    if (name === "*") {
      const inside = insideOf(value);
      if (inside === misplaced) return [misplaced];
      return inside.length === 0
        ? [undefined]
        : inside.flatMap((each) => valuesAt(each, pointer, next + 1));
    }
    value = step(value, name);
    if (value === undefined || value === misplaced) break;
  }
  return [value];
}

function insideOf(value: unknown): readonly unknown[] | typeof misplaced {
  if (Array.isArray(value)) return value;
  if (value === undefined) return [];
  return isObject(value) ? Object.values(value) : misplaced;
}

function step(value: unknown, name: string): unknown {
  if (value === undefined) return undefined;
  if (!isObject(value)) return misplaced;
  if (Array.isArray(value) && !isIndex(name)) return misplaced;
  return own(value, name);
}

/** True for the name of an entry of a list. */
export function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(name);
}
