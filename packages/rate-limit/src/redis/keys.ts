import { createHash } from "node:crypto";
import type { RateLimitKey, RateLimitPolicy } from "../store.js";

/** The number of markers, and with them slots of a cluster, that the keys of one limiter are spread over. */
export const buckets = 64;

/** The names under which the server keeps the counts of one key. */
export interface RedisKeys {
  /** The digest of the key, also used in this process: it has a fixed length and does not reveal the key. */
  readonly digest: string;
  readonly bucket: number;
  readonly marker: string;
  readonly open: string;
  /** All names, in the order that scripts expect: marker, state, open, one for each limit, and the list of keys that are counted. */
  readonly all: readonly string[];
}

/** Names the keys of one limiter. All of one call share a hash tag, hence a slot. */
export function keyNames(
  prefix: string,
  { name, limits }: RateLimitPolicy,
): (key: RateLimitKey) => RedisKeys {
  // What is counted another way, or over another time, is another count.
  const counted = limits.map(({ algorithm, windowMs, limit, burst }) =>
    algorithm === "gcra" ? [algorithm, windowMs, limit, burst] : [algorithm, windowMs],
  );
  const limiter = digestOf(JSON.stringify([name, counted])).slice(0, 16);
  return (key) => {
    const digest = digestOf(key === undefined ? "-" : `=${key}`);
    const bucket = Number.parseInt(digest.slice(0, 2), 16) % buckets;
    const tagged = `${prefix}:{${limiter}-${bucket}}`;
    const state = `${tagged}:key:${digest}`;
    const open = `${state}:open`;
    const marker = `${tagged}:marker`;
    const logs = limits.map((_, index) => `${state}:log:${index}`);
    const all = [marker, state, open, ...logs, `${tagged}:counted`];
    return { digest, bucket, marker, open, all };
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
