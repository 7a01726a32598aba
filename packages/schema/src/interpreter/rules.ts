import type { Meter } from "../cost/meter.js";
import type { SchemaNode } from "../graph/schema-node.js";
import type { Pattern } from "../patterns/pattern.js";
import type { Members } from "./members.js";
import type { NodeCheck, Rule } from "./node-check.js";

/** The parts from which rules are made. */
export interface RuleSetting {
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly meter: Meter;
  readonly members: Members;
  readonly checkOf: (node: SchemaNode) => NodeCheck;
}

/** Makes the rule of one keyword, which the schema has; nothing where it rules nothing out. */
export type MakeRule = (node: SchemaNode, setting: RuleSetting) => Rule | undefined;

/** Rules by keyword, in the order in which they are asked. */
export type RuleTable = ReadonlyMap<string, MakeRule>;

/** The value of a keyword that the draft's meta-schema has held to its form. */
export function assertion<Value>(node: SchemaNode, keyword: string): Value {
  return node.assertions.get(keyword) as Value;
}

export function hasKeyword({ assertions, one, lists, maps }: SchemaNode, keyword: string): boolean {
  return assertions.has(keyword) || one.has(keyword) || lists.has(keyword) || maps.has(keyword);
}
