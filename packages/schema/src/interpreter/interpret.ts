import type { Meter } from "../cost/meter.js";
import type { SchemaNode } from "../graph/schema-node.js";
import type { Pattern } from "../patterns/pattern.js";
import type { Failure } from "../violations/failure.js";
import { anyRules } from "./any-rules.js";
import { arrayRules } from "./array-rules.js";
import { Members } from "./members.js";
import { NodeCheck, type Rule } from "./node-check.js";
import { objectRules } from "./object-rules.js";
import { hasKeyword, type RuleSetting, type RuleTable } from "./rules.js";
import { numberRules, stringRules } from "./scalar-rules.js";

/**
 * Makes the check of a graph from one closure for each keyword.
 *
 * It takes time linear in the size of the schema and generates no code. Each
 * schema charges the meter before it does its work, and only own properties
 * are read.
 */
export function interpret(
  nodes: readonly SchemaNode[],
  patterns: ReadonlyMap<string, Pattern>,
  meter: Meter,
): (value: unknown) => Failure | undefined {
  const members = new Members(meter);
  const checks = new Map(nodes.map((node) => [node, new NodeCheck(node, meter, members)]));
  const checkOf = (node: SchemaNode) => checks.get(node) as NodeCheck;
  const setting: RuleSetting = { patterns, meter, members, checkOf };
  for (const [node, check] of checks) {
    const rules = (table: RuleTable) => rulesOf(node, table, setting);
    check.learn({
      any: rules(anyRules),
      number: rules(numberRules),
      string: rules(stringRules),
      array: rules(arrayRules),
      object: rules(objectRules),
    });
  }
  const root = checkOf(nodes[0] as SchemaNode);
  return (value) => {
    members.forget();
    const failure = root.check(value);
    members.forget();
    return failure;
  };
}

function rulesOf(node: SchemaNode, table: RuleTable, setting: RuleSetting): readonly Rule[] {
  const rules: Rule[] = [];
  for (const [keyword, make] of table) {
    const rule = hasKeyword(node, keyword) ? make(node, setting) : undefined;
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}
