export { plugin } from "./plugin.js";
export { type TextLimitOptions, textLimit } from "./text-limit.js";
