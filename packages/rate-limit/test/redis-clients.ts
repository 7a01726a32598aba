import type { IoredisClient, NodeRedisClient } from "@toolstile/rate-limit/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";

/** A client of one of the two libraries, and what tests do with it. */
export interface RedisClient {
  readonly client: IoredisClient | NodeRedisClient;
  readonly run: (script: string, keys: string[], args: string[]) => Promise<unknown>;
  readonly send: (...command: [string, ...string[]]) => Promise<unknown>;
  readonly close: () => void;
}

/** As people make them: with the defaults, which queue while there is no connection. */
export const clients: readonly (readonly [string, (url: string) => RedisClient])[] = [
  ["ioredis", ioredis],
  ["node-redis", nodeRedis],
];

function ioredis(url: string): RedisClient {
  const client = new Redis(url, { retryStrategy: () => 20 });
  client.on("error", () => {});
  return {
    client,
    run: (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
    send: (name, ...args) => client.call(name, ...args),
    close: () => client.disconnect(),
  };
}

function nodeRedis(url: string): RedisClient {
  const client = createClient({ url, socket: { reconnectStrategy: () => 20 } });
  client.on("error", () => {});
  client.connect().catch(() => {});
  return {
    client,
    run: (script, keys, args) => client.eval(script, { keys, arguments: args }),
    send: (...command) => client.sendCommand(command),
    close: () => client.destroy(),
  };
}
