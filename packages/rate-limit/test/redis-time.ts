import type { IoredisClient } from "@toolstile/rate-limit/redis";
import type { Redis } from "ioredis";

/** A client whose server reads the time from a key: the scripts are the real ones but for that. */
export function timed(redis: Redis, timeKey: string): IoredisClient {
  return {
    evalsha: async () => {
      throw new Error("NOSCRIPT");
    },
    eval: (script, count, ...rest) =>
      redis.eval(
        script.replace("redis.call('TIME')", `redis.call('LRANGE', '${timeKey}', 0, 1)`),
        count,
        ...rest,
      ),
  };
}

export async function setServerTime(redis: Redis, timeKey: string, ms: number): Promise<void> {
  const seconds = Math.floor(ms / 1_000);
  const microseconds = Math.round((ms - seconds * 1_000) * 1_000);
  await redis.multi().del(timeKey).rpush(timeKey, seconds, microseconds).exec();
}
