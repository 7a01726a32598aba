import { isJsonObject, ownText } from "@toolstile/core/provider";

/**
 * Finds the first thing in a value that is not read, by its path behind the
 * value: "" is the value itself, `.function.x` a member. Nothing where all is read.
 */
export type Shape = (value: unknown) => string | undefined;

export const text: Shape = (value) => (typeof value === "string" ? undefined : "");
export const flag: Shape = (value) => (typeof value === "boolean" ? undefined : "");
export const number: Shape = (value) => (typeof value === "number" ? undefined : "");
/** A value that is judged elsewhere, or is not judged because no model reads it. */
export const anything: Shape = () => undefined;

/** A word of a set of a provider's, which may grow. */
export const word: Shape = (value) =>
  typeof value === "string" && /^[\w-]{1,32}$/.test(value) ? undefined : "";

/** An object with these members and no others; one that is empty says nothing, whatever its name. */
export function members(shapes: Readonly<Record<string, Shape>>): Shape {
  const known = new Map(Object.entries(shapes));
  return (value) => {
    if (!isJsonObject(value)) return "";
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (isEmpty(member)) continue;
      const shape = known.get(key);
      const unread = shape === undefined ? "" : shape(member);
      if (unread !== undefined) return `.${key}${unread}`;
    }
    return undefined;
  };
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return "";
    // A list may have holes, which an iteration by entries() makes undefined.
    for (const [index, entry] of value.entries()) {
      const unread = shape(entry);
      if (unread !== undefined) return `[${index}]${unread}`;
    }
    return undefined;
  };
}

/** The first shape that a value has. */
export function either(one: Shape, other: Shape): Shape {
  return (value) => (one(value) === undefined ? undefined : other(value));
}

/** An object whose `type` says which members it may have. */
export function tagged(shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>>): Shape {
  const known = new Map(
    Object.entries(shapes).map(([type, rest]) => [type, members({ type: text, ...rest })]),
  );
  return (value) => {
    const shape = known.get(ownText(value, "type") ?? "");
    return shape === undefined ? "" : shape(value);
  };
}

/** Some clients write every field into every message, and leave them empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}
