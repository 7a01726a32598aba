export { checkLinkage, type LinkageOptions } from "./check-linkage.js";
export type { LinkageCode, LinkageFinding } from "./finding.js";
export { plugin } from "./plugin.js";
export { type ResultLinkageOptions, resultLinkage } from "./result-linkage.js";
