export type { HostFacts } from "./call-facts.js";
export { type GuardHandoffOptions, guardHandoff } from "./guard-handoff.js";
export { type GuardMcpServerOptions, guardMcpServer } from "./guard-mcp-server.js";
export { type GuardToolsOptions, guardTool, guardTools } from "./guard-tools.js";
export type { CallDetails, ContextOf, GuardableTool } from "./guarded-tool.js";
export {
  type ToolGuardrailOptions,
  toToolInputGuardrail,
  toToolOutputGuardrail,
} from "./tool-guardrails.js";
