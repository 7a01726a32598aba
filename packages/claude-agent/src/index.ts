export { type GuardQueryOptions, guardQuery } from "./guard-query.js";
export type { HookInput, QueryOptions, ToolHookInput } from "./sdk.js";
