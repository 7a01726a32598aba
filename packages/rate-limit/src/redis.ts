export type { IoredisClient, NodeRedisClient } from "./redis/client.js";
export type { RedisStoreClock } from "./redis/deadline.js";
export {
  plugin,
  type RedisPluginOptions,
  type RedisRateLimitPluginOptions,
} from "./redis/plugin.js";
export { type RedisStoreOptions, redisStore } from "./redis/redis-store.js";
