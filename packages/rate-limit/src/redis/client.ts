import { optionError } from "@toolstile/core/provider";
import type { RedisScript } from "./script.js";

/** The part of a client of ioredis, `Redis` or `Cluster`, that is used. */
export interface IoredisClient {
  readonly evalsha: (
    sha1: string,
    numberOfKeys: number,
    ...keysAndArguments: string[]
  ) => PromiseLike<unknown>;
  readonly eval: (
    script: string,
    numberOfKeys: number,
    ...keysAndArguments: string[]
  ) => PromiseLike<unknown>;
}

/** The part of a client of node-redis that is used: one server's, a pool's or a cluster's. */
export interface NodeRedisClient {
  readonly evalSha: (
    sha1: string,
    options: { keys: string[]; arguments: string[] },
  ) => PromiseLike<unknown>;
  readonly eval: (
    script: string,
    options: { keys: string[]; arguments: string[] },
  ) => PromiseLike<unknown>;
}

/** Runs a script on the server, by its digest where the server has it. */
export type RunScript = (
  script: RedisScript,
  keys: readonly string[],
  args: readonly string[],
) => Promise<unknown>;

/** @throws ToolstileError `ERR_INVALID_OPTION` for what is neither client. */
export function scriptRunner(client: unknown): RunScript {
  const { evalSha, evalsha } = (client ?? {}) as Partial<IoredisClient & NodeRedisClient>;
  // The client of node-redis may grow an evalsha; that of ioredis has names in small letters only.
  if (typeof evalSha === "function") return forNodeRedis(client as NodeRedisClient);
  if (typeof evalsha === "function") return forIoredis(client as IoredisClient);
  const expected = "a client of ioredis or of node-redis, which has evalsha() or evalSha()";
  throw optionError("redisStore()", "client", expected, client);
}

function forIoredis(client: IoredisClient): RunScript {
  return async ({ text, sha1 }, keys, args) => {
    try {
      return await client.evalsha(sha1, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return await client.eval(text, keys.length, ...keys, ...args);
    }
  };
}

function forNodeRedis(client: NodeRedisClient): RunScript {
  return async ({ text, sha1 }, keys, args) => {
    const options = (): { keys: string[]; arguments: string[] } => ({
      keys: [...keys],
      arguments: [...args],
    });
    try {
      return await client.evalSha(sha1, options());
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return await client.eval(text, options());
    }
  };
}

/** The server was started anew, or its scripts were flushed. */
function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
