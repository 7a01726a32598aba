import type { Meter } from "./meter.js";
import type { Pattern } from "./patterns/pattern.js";
import type { SchemaNode } from "./schema-graph.js";

export interface EvaluationSetting {
  /** Whether a value satisfies one schema of the graph. */
  readonly isValid: (node: SchemaNode, value: unknown) => boolean;
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly meter: Meter;
}

/**
 * Whether what no other keyword has looked at satisfies `unevaluatedProperties`.
 *
 * Ajv follows evaluation through generated code and gets `if` without `then`,
 * nested `items` and `contains` wrong; here the branches that hold are asked
 * again, which the cost of such a schema accounts for.
 */
export function unevaluatedPropertiesHold(
  node: SchemaNode,
  value: object,
  setting: EvaluationSetting,
): boolean {
  const unevaluated = node.one.get("unevaluatedProperties") as SchemaNode;
  const evaluated = new Set<string>();
  if (collectMembers(node, value as Members, evaluated, setting, node)) return true;
  const keys = Object.keys(value);
  setting.meter.take(stepsForMember * keys.length);
  return keys.every(
    (key) => evaluated.has(key) || setting.isValid(unevaluated, (value as Members)[key]),
  );
}

/** The same for `unevaluatedItems`. */
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

type Members = Readonly<Record<string, unknown>>;

/** Of one declared name among a value's own. */
const stepsForLookUp = 8;
/** Of one member of a value: to list it, and to try a pattern or a schema on it. */
const stepsForMember = 32;

/** Adds what a schema that holds has evaluated; true when that is everything. */
function collectMembers(
  node: SchemaNode,
  value: Members,
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
    const keys = Object.keys(value);
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
    branches.push(...(node.lists.get(keyword) ?? []).filter((branch) => isValid(branch, value)));
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

/** The schemas that `isValid` will be asked about. */
export function schemasAskedAgain(nodes: readonly SchemaNode[]): ReadonlySet<SchemaNode> {
  const asked = new Set<SchemaNode>();
  for (const { one, lists } of nodes) {
    for (const keyword of ["if", "contains", "unevaluatedProperties", "unevaluatedItems"]) {
      const node = one.get(keyword);
      if (node !== undefined) asked.add(node);
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      for (const node of lists.get(keyword) ?? []) asked.add(node);
    }
  }
  return asked;
}
