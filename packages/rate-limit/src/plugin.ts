import type { GuardrailPlugin } from "@toolstile/core/provider";
import { keyParts } from "./key.js";
import type { RateLimitOptions } from "./options.js";
import { rateLimit } from "./rate-limit.js";

const count = { type: "integer", minimum: 1 };
const limit = {
  limit: count,
  windowMs: count,
  algorithm: { enum: ["log", "sub-windows", "gcra"] },
  burst: count,
};
const part = {
  enum: [...keyParts],
  description: "'session' counts all tools of a session together",
};

/** The options that data can say: all but functions. */
export type RateLimitPluginOptions = Omit<RateLimitOptions, "now" | "store">;

/** JSON Schemas of the options that data can say. */
export const limiterSchemas = {
  ...limit,
  limits: {
    type: "array",
    minItems: 1,
    items: {
      type: "object",
      properties: limit,
      required: ["limit", "windowMs"],
      additionalProperties: false,
    },
  },
  key: { anyOf: [part, { type: "array", minItems: 1, items: part }] },
  cost: { type: "number", minimum: 0 },
  concurrency: count,
  maxKeys: count,
  reason: { type: "string", minLength: 1 },
  name: { type: "string", minLength: 1 },
};

/** Names `rateLimit` in data. */
export const plugin: GuardrailPlugin<RateLimitPluginOptions> = {
  name: "rate-limit",
  optionsSchema: { type: "object", properties: limiterSchemas, additionalProperties: false },
  create: rateLimit,
};
