import {
  type GuardrailPlugin,
  nonEmptyText,
  readOptions,
  required,
  unchecked,
  uncheckedFor,
} from "@toolstile/core/provider";
import { limiterSchemas, type RateLimitPluginOptions } from "../plugin.js";
import { rateLimit } from "../rate-limit.js";
import { connectRedis } from "./connect.js";
import { type RedisStoreOptions, redisStore } from "./redis-store.js";

/** The options of `redisStore()` that data can say; `url` stands for the client. */
export interface RedisPluginOptions extends Omit<RedisStoreOptions, "client" | "clock"> {
  /** The server's address, `redis://` or `rediss://`. It may hold a password, so take it from an environment variable. */
  readonly url: string;
}

/** The options of a rate limit whose counts are on a Redis server. */
export interface RedisRateLimitPluginOptions extends Omit<RateLimitPluginOptions, "maxKeys"> {
  readonly redis: RedisPluginOptions;
}

const { maxKeys, ...limiter } = limiterSchemas;
const milliseconds = { type: "integer", minimum: 5, maximum: 60_000 };
const redis = {
  url: {
    type: "string",
    pattern: "^rediss?://",
    description: "redis://HOST:PORT or rediss://…. Take a password from an environment variable.",
  },
  prefix: { type: "string", minLength: 1, pattern: "^[^{}]*$" },
  onOutage: {
    anyOf: [
      { const: "deny" },
      {
        type: "object",
        properties: { localShare: { type: "integer", minimum: 1 } },
        required: ["localShare"],
        additionalProperties: false,
      },
    ],
  },
  timeoutMs: milliseconds,
  firstTimeoutMs: milliseconds,
  leaseMs: { type: "integer", minimum: 1_000, maximum: 86_400_000 },
  peek: { type: "boolean" },
  maxKeys,
};

/** Names `rateLimit` with a `redisStore` in data. It connects by itself, and closes its connection. */
export const plugin: GuardrailPlugin<RedisRateLimitPluginOptions> = {
  name: "rate-limit-redis",
  optionsSchema: {
    type: "object",
    properties: {
      ...limiter,
      redis: { type: "object", properties: redis, required: ["url"], additionalProperties: false },
    },
    required: ["redis"],
    additionalProperties: false,
  },
  create(options) {
    const { redis: given, ...limits } = readOptions("rate-limit", options, {
      ...uncheckedFor(limiter),
      redis: required(unchecked<RedisPluginOptions>()),
    }) as RedisRateLimitPluginOptions;
    const { url, ...store } = readOptions("rate-limit: 'redis'", given, {
      ...uncheckedFor(redis),
      url: required(nonEmptyText("the address of a Redis server")),
    }) as RedisPluginOptions;
    const { client, close } = connectRedis(url);
    try {
      return Object.freeze({
        ...rateLimit({ ...limits, store: redisStore({ ...store, client }) }),
        close,
      });
    } catch (error) {
      close().catch(() => {});
      throw error;
    }
  },
};
