import type { JsonObject } from "@toolstile/core";

/** Yields every text in some arguments, the names of members too. */
export function* textsIn(args: JsonObject): Iterable<string> {
  const open: object[] = [args];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const each of value) {
        if (typeof each === "string") yield each;
        else if (typeof each === "object" && each !== null) open.push(each);
      }
      continue;
    }
    // Own names only: what is planted on a prototype has itself, and would never end.
    for (const name of Object.keys(value)) {
      yield name;
      const each: unknown = value[name as never];
      if (typeof each === "string") yield each;
      else if (typeof each === "object" && each !== null) open.push(each);
    }
  }
}
