export { type AllowlistOptions, allowlist } from "./allowlist.js";
export { declaredTools } from "./declared-tools.js";
export type { ToolRule } from "./name-list.js";
export { plugin } from "./plugin.js";
export type { AllowlistRules, ToolRules } from "./rules.js";
