export type { RateLimitCost } from "./cost.js";
export type { RateLimitKeyFunction, RateLimitKeyPart } from "./key.js";
export type { RateLimitOptions } from "./options.js";
export { plugin, type RateLimitPluginOptions } from "./plugin.js";
export { type RateLimitProvider, rateLimit } from "./rate-limit.js";
export type {
  OpenRateLimitStore,
  RateLimitGrant,
  RateLimitKey,
  RateLimitPolicy,
  RateLimitRefusal,
  RateLimitStore,
} from "./store.js";
export type { RateLimit, RateLimitAlgorithm, RateLimitTerms } from "./terms.js";
