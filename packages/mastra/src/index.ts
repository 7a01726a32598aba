export type { PendingApproval } from "./approval-suspension.js";
export { type GuardedHooks, type GuardHooksOptions, guardHooks } from "./guard-hooks.js";
export { type GuardToolsOptions, guardTool, guardTools } from "./guard-tools.js";
export type {
  AgentCall,
  Attempt,
  HookArgument,
  HookedCall,
  HookedContext,
  MastraTool,
  ToolCallContext,
} from "./mastra.js";
