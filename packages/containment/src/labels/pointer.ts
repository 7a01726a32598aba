import type { Pointer } from "@toolstile/core/provider";

/** The values that a pointer leads to. */
export interface Found {
  /** Texts, numbers, true and false. */
  readonly values: readonly unknown[];
  /** True if a text or a number does not stand at each place, as for an entry without the member. */
  readonly lacksOne: boolean;
  /** True if there are more values than were asked for. */
  readonly isCut: boolean;
}

/** Reads the values that stand exactly where a pointer leads. */
export function valuesAt(root: unknown, pointer: Pointer, most: number): Found {
  const ends: unknown[] = [];
  const lacksOne = walk(root, pointer, 0, ends);
  const values = ends.filter((end) => typeof end !== "object");
  return {
    values: values.slice(0, most),
    lacksOne: lacksOne || values.length < ends.length,
    isCut: values.length > most,
  };
}

/**
 * True if a pointer leads to anything, or if nobody can tell.
 *
 * A text that stands where an object should is one that was cut, or is no JSON. So is a list where a name is sought.
 */
export function mayLeadSomewhere(value: unknown, pointer: Pointer, from = 0): boolean {
  if (value === undefined || value === null) return false;
  const name = pointer[from];
  if (name === undefined) return true;
  if (typeof value === "string") return /\S/.test(value);
  if (typeof value !== "object") return false;
  if (name !== "*") {
    if (Object.hasOwn(value, name))
      return mayLeadSomewhere(value[name as never], pointer, from + 1);
    return Array.isArray(value) && value.length > 0;
  }
  return Object.values(value).some((each) => mayLeadSomewhere(each, pointer, from + 1));
}

/**
 * Reads the values that a pointer leads to, and all below them: a tool may send to each.
 *
 * The names of members count, and one value in place of a list.
 */
export function valuesBelow(root: unknown, pointer: Pointer, most: number): Found {
  const ends: unknown[] = [];
  const above = pointer.at(-1) === "*" ? pointer.slice(0, -1) : pointer;
  const lacksOne = walk(root, above, 0, ends);
  const values: unknown[] = [];
  for (let value = ends.pop(); value !== undefined; value = ends.pop()) {
    if (values.length >= most) return { values, lacksOne, isCut: true };
    if (typeof value !== "object" || value === null) values.push(value);
    else if (Array.isArray(value)) pushAll(ends, value);
    else {
      pushAll(ends, Object.keys(value));
      pushAll(ends, Object.values(value));
    }
  }
  return { values, lacksOne, isCut: false };
}

/** Finds what stands at the end of a pointer. @returns true if nothing does at one place. */
function walk(value: unknown, pointer: Pointer, from: number, ends: unknown[]): boolean {
  if (value === undefined || value === null) return true;
  const name = pointer[from];
  if (name === undefined) {
    ends.push(value);
    return false;
  }
  if (typeof value !== "object") return true;
  if (name !== "*") {
    return walk(Object.hasOwn(value, name) ? value[name as never] : null, pointer, from + 1, ends);
  }
  let lacksOne = false;
  for (const each of Object.values(value)) {
    if (walk(each, pointer, from + 1, ends)) lacksOne = true;
  }
  return lacksOne;
}

/** A list is longer than the number of arguments that a function may take. */
function pushAll(list: unknown[], more: readonly unknown[]): void {
  for (const each of more) if (each !== undefined && each !== null) list.push(each);
}
