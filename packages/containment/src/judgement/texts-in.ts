import type { JsonObject } from "@toolstile/core";

/** A text or a number in some arguments, or the name of a member. */
export interface Given {
  readonly value: string | number;
  /** The name of the member that it stands in; empty for a name. */
  readonly name: string;
}

/** Yields every text and number in some arguments, and the names of members. */
export function* textsIn(args: JsonObject): Iterable<Given> {
  const open: { readonly object: object; readonly name: string }[] = [{ object: args, name: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { object, name } = next;
    const isList = Array.isArray(object);
    // Own names only: what is planted on a prototype has itself, and would never end.
    for (const key of Object.keys(object)) {
      if (!isList) yield { value: key, name: "" };
      const value: unknown = object[key as never];
      const of = isList ? name : key;
      if (typeof value === "string" || typeof value === "number") yield { value, name: of };
      else if (typeof value === "object" && value !== null) open.push({ object: value, name: of });
    }
  }
}
