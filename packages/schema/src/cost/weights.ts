import type { SchemaNode } from "../graph/schema-node.js";

/** The weight of a branch that fails, which makes an object for its error. */
const branchWeight = 24;
const patternWeight = 16;
/** The weight of walking the members of an object with very many: V8 lists them anew each time. */
const walkWeight = 16;
/** Longer lists of values are looked up in a set. */
const longestChain = 16;

/** Keywords whose schema sees each member of an object, whatever its name. */
export const perMember = ["additionalProperties", "unevaluatedProperties", "propertyNames"];
const sizes = ["maxProperties", "minProperties"];

/** The elementary checks in one schema, those of its subschemas not included. */
export function ownChecks(node: SchemaNode): number {
  const { assertions, one, lists, maps } = node;
  let checks = 1 + assertions.size;
  for (const list of ["required", "dependentRequired"]) {
    const value = assertions.get(list);
    if (typeof value === "object" && value !== null) checks += Object.keys(value).length;
  }
  const allowed = assertions.get("enum");
  if (Array.isArray(allowed)) checks += Math.min(allowed.length, longestChain);
  if (assertions.has("pattern")) checks += patternWeight;
  for (const map of maps.values()) checks += map.size;
  for (const keyword of ["anyOf", "oneOf"]) {
    checks += branchWeight * (lists.get(keyword)?.length ?? 0);
  }
  const walks = [
    ...perMember.filter((name) => one.has(name)),
    ...sizes.filter((name) => assertions.has(name)),
  ];
  if (maps.has("patternProperties")) walks.push("patternProperties");
  return checks + walkWeight * walks.length;
}

/** Checks for each member of an object, beside those of subschemas. */
export function memberChecks(node: SchemaNode): number {
  const patterns = patternWeight * (node.maps.get("patternProperties")?.size ?? 0);
  const open = perMember.some((keyword) => node.one.has(keyword));
  return patterns + (open ? 1 + patterns : 0);
}

/** In steps of the meter, measured on the interpreter; never less than the time of the work. */
const stepsPerSchema = 8;
const stepsPerKeyword = 3;
const stepsPerName = 14;
const stepsPerBranch = 12;
const stepsPerValue = 1;
const charactersPerStep = 64;

/** The steps of one schema itself, whatever the value, those of its subschemas not included. */
export function ownSteps({ assertions, one, lists, maps }: SchemaNode): number {
  let steps = stepsPerSchema + stepsPerKeyword * (assertions.size + one.size);
  const required = assertions.get("required");
  if (Array.isArray(required)) steps += stepsPerName * required.length;
  const dependent = assertions.get("dependentRequired");
  steps += stepsPerName * Object.keys(dependent ?? {}).length;
  steps += stepsForValues(assertions.get("enum")) + stepsForValues([assertions.get("const")]);
  if (assertions.has("pattern")) steps += patternWeight;
  for (const list of lists.values()) steps += stepsPerKeyword * list.length;
  for (const keyword of ["anyOf", "oneOf"]) {
    steps += stepsPerBranch * (lists.get(keyword)?.length ?? 0);
  }
  for (const map of maps.values()) steps += stepsPerName * map.size;
  return steps;
}

/** Values that are compared one by one; where there are more, what looks them up charges for it. */
function stepsForValues(values: unknown): number {
  if (!Array.isArray(values) || values.length > longestChain) return 0;
  let characters = 0;
  for (const value of values) if (typeof value === "string") characters += value.length;
  return stepsPerValue * values.length + Math.ceil(characters / charactersPerStep);
}
