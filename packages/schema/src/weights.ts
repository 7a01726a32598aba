import type { SchemaNode } from "./schema-graph.js";

/** In steps of the meter, measured: a branch that fails makes an object for its error. */
const branchWeight = 24;
const patternWeight = 16;
/** Longer lists of values are looked up in a set. */
const longestChain = 16;

/** Keywords whose schema sees each member of an object, whatever its name. */
export const perMember = ["additionalProperties", "unevaluatedProperties", "propertyNames"];

/** The elementary checks in one schema, those of its subschemas not included. */
export function ownChecks(node: SchemaNode): number {
  let checks = 1 + node.assertions.size;
  for (const list of ["required", "dependentRequired"]) {
    const value = node.assertions.get(list);
    if (typeof value === "object" && value !== null) checks += Object.keys(value).length;
  }
  const allowed = node.assertions.get("enum");
  if (Array.isArray(allowed)) checks += Math.min(allowed.length, longestChain);
  if (node.assertions.has("pattern")) checks += patternWeight;
  for (const map of node.maps.values()) checks += map.size;
  for (const keyword of ["anyOf", "oneOf"]) {
    checks += branchWeight * (node.lists.get(keyword)?.length ?? 0);
  }
  return checks;
}

/** Checks for each member of an object, beside those of subschemas. */
export function memberChecks(node: SchemaNode): number {
  const patterns = patternWeight * (node.maps.get("patternProperties")?.size ?? 0);
  const open = perMember.some((keyword) => node.one.has(keyword));
  return patterns + (open ? 1 + patterns : 0);
}
