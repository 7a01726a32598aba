export {
  analyseRules,
  type RuleFinding,
  type RuleOfTool,
  type RulesAnalysis,
  type RulesOfOneTool,
} from "./analysis/analyse.js";
export {
  type Explanation,
  explainCall,
  type SampleCall,
  type SampleResult,
} from "./analysis/explain.js";
export type { Applies, Effect } from "./rules/rule.js";
