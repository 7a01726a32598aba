import type { Plain, PlainObject } from "../document/plain-copy.js";

/** Draft-04's boolean bounds and OpenAPI 3.0's `nullable`, said in 2020-12. */
export function adaptAssertions(assertions: Map<string, Plain>, schema: PlainObject): void {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = assertions.get(exclusive);
    if (typeof value !== "boolean") continue;
    assertions.delete(exclusive);
    const bound = assertions.get(inclusive);
    if (!value || bound === undefined) continue;
    assertions.delete(inclusive);
    assertions.set(exclusive, bound);
  }
  const type = assertions.get("type");
  if (schema.nullable === true && type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    if (!types.includes("null")) assertions.set("type", [...types, "null"]);
  }
}
