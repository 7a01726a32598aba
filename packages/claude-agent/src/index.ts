export { type GuardQueryOptions, guardQuery } from "./guard-query.js";
export type { HookInput, ToolHookInput } from "./sdk.js";
