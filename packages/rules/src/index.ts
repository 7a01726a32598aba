export type { RuleBounds, RuleCondition, RuleTime } from "./conditions/read-condition.js";
export type { CountedBy } from "./counting/count.js";
export type { RuleChange } from "./rules/change.js";
export { plugin, type RulesPluginOptions } from "./rules/plugin.js";
export type { RuleTotal, ToolRule } from "./rules/rule.js";
export { type RulesOptions, rules } from "./rules/rules.js";
