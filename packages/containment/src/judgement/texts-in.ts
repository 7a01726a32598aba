import type { JsonObject } from "@toolstile/core";

/** Yields every text in some arguments, the names of members too. */
export function* textsIn(args: JsonObject): Iterable<string> {
  const open: unknown[] = [args];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (Array.isArray(value)) for (const each of value) open.push(each);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        yield name;
        open.push(each);
      }
    }
  }
}
