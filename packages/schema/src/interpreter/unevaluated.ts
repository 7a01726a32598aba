import type { Meter } from "../cost/meter.js";
import type { SchemaNode } from "../graph/schema-node.js";
import type { Pattern } from "../patterns/pattern.js";
import type { Members } from "./members.js";
import type { RuleSetting } from "./rules.js";

export interface EvaluationSetting {
  /** True if a value satisfies one schema of the graph. */
  readonly isValid: (node: SchemaNode, value: unknown) => boolean;
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly meter: Meter;
  readonly members: Members;
}

export function evaluationSetting({ checkOf, ...setting }: RuleSetting): EvaluationSetting {
  return {
    ...setting,
    isValid: (node, value) => checkOf(node).check(value) === undefined,
  };
}

/**
 * True if the members that no other keyword has looked at satisfy `unevaluatedProperties`.
 *
 * The branches that hold are asked again, which the cost of such a schema
 * accounts for.
 */
export function unevaluatedPropertiesHold(
  node: SchemaNode,
  value: object,
  setting: EvaluationSetting,
): boolean {
  const unevaluated = node.one.get("unevaluatedProperties") as SchemaNode;
  const evaluated = new Set<string>();
  if (collectMembers(node, value as Own, evaluated, setting, node)) return true;
  const keys = setting.members.of(value);
  setting.meter.take(stepsForMember * keys.length);
  return keys.every(
    (key) => evaluated.has(key) || setting.isValid(unevaluated, (value as Own)[key]),
  );
}

/** True if the items that no other keyword has looked at satisfy `unevaluatedItems`. */
export function unevaluatedItemsHold(
  node: SchemaNode,
  value: readonly unknown[],
  setting: EvaluationSetting,
): boolean {
  const unevaluated = node.one.get("unevaluatedItems") as SchemaNode;
  const evaluated = new Set<number>();
  if (collectItems(node, value, evaluated, setting, node)) return true;
  return value.every((item, index) => evaluated.has(index) || setting.isValid(unevaluated, item));
}

type Own = Readonly<Record<string, unknown>>;

/** The cost of looking up one declared name in a value. */
const stepsForLookUp = 8;
/** The cost of one member of a value: to list it, and to try a pattern or a schema on it. */
const stepsForMember = 32;

/** Adds what a schema that holds has evaluated; true when that is everything. */
function collectMembers(
  node: SchemaNode,
  value: Own,
  evaluated: Set<string>,
  setting: EvaluationSetting,
  start: SchemaNode,
): boolean {
  if (node.one.has("additionalProperties")) return true;
  if (node !== start && node.one.has("unevaluatedProperties")) return true;
  const declared = node.maps.get("properties");
  setting.meter.take(1 + stepsForLookUp * (declared?.size ?? 0));
  for (const key of declared?.keys() ?? []) if (Object.hasOwn(value, key)) evaluated.add(key);
  for (const source of node.maps.get("patternProperties")?.keys() ?? []) {
    const keys = setting.members.of(value);
    setting.meter.take(stepsForMember * keys.length);
    const pattern = setting.patterns.get(source);
    for (const key of keys) if (pattern?.test(key)) evaluated.add(key);
  }
  return holdingBranches(node, value, setting).some((branch) =>
    collectMembers(branch, value, evaluated, setting, start),
  );
}

function collectItems(
  node: SchemaNode,
  value: readonly unknown[],
  evaluated: Set<number>,
  setting: EvaluationSetting,
  start: SchemaNode,
): boolean {
  if (node.one.has("items")) return true;
  if (node !== start && node.one.has("unevaluatedItems")) return true;
  setting.meter.take(1 + stepsForLookUp * value.length);
  const prefix = node.lists.get("prefixItems")?.length ?? 0;
  const contains = node.containsEvaluates ? node.one.get("contains") : undefined;
  value.forEach((item, index) => {
    if (index < prefix || (contains !== undefined && setting.isValid(contains, item))) {
      evaluated.add(index);
    }
  });
  return holdingBranches(node, value, setting).some((branch) =>
    collectItems(branch, value, evaluated, setting, start),
  );
}

/** The schemas applied to the same value that it satisfies. */
function holdingBranches(
  node: SchemaNode,
  value: unknown,
  { isValid }: EvaluationSetting,
): readonly SchemaNode[] {
  const branches: SchemaNode[] = [...(node.lists.get("allOf") ?? [])];
  const reference = node.one.get("$ref");
  if (reference !== undefined) branches.push(reference);
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const each of (node.lists.get(keyword) ?? []).filter((branch) => isValid(branch, value)))
      branches.push(each);
  }
  const condition = node.one.get("if");
  if (condition !== undefined) {
    const holds = isValid(condition, value);
    if (holds) branches.push(condition);
    const consequence = node.one.get(holds ? "then" : "else");
    if (consequence !== undefined) branches.push(consequence);
  }
  for (const [name, branch] of node.maps.get("dependentSchemas") ?? []) {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, name)) {
      branches.push(branch);
    }
  }
  return branches;
}
