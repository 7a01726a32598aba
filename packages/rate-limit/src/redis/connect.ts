import { optionalPackage } from "@toolstile/core/files";
import type { NodeRedisClient } from "./client.js";

/** The part of node-redis that is used to connect. */
interface NodeRedis {
  readonly createClient: (options: { readonly url: string }) => ConnectingClient;
}

interface ConnectingClient extends NodeRedisClient {
  /** True from `connect()` on, also while there is no connection. */
  readonly isOpen: boolean;
  readonly isReady: boolean;
  readonly on: (event: "error", heard: () => void) => unknown;
  readonly connect: () => Promise<unknown>;
  readonly close: () => Promise<unknown>;
  readonly destroy: () => void;
}

/**
 * A client of node-redis that connects when it is first asked, and connects again by itself. Until it has, the store denies.
 *
 * Those who only look at a configuration make its guards too: nobody connects for them.
 *
 * @throws ToolstileError `ERR_CONFIG` if node-redis is not installed.
 */
export function connectRedis(url: string): {
  readonly client: NodeRedisClient;
  readonly close: () => Promise<void>;
} {
  const what = "A rate limit on a Redis server";
  const { createClient } = optionalPackage<NodeRedis>("redis", import.meta.url, what);
  const client = createClient({ url });
  // Node ends the process for an "error" event without a listener. The store notices by itself.
  client.on("error", () => {});
  let isClosed = false;
  const connected = (): typeof client => {
    if (!client.isOpen && !isClosed) client.connect().catch(() => {});
    return client;
  };
  return {
    client: {
      evalSha: (...asked) => connected().evalSha(...asked),
      eval: (...asked) => connected().eval(...asked),
    },
    async close() {
      isClosed = true;
      // Without a connection, what waits for one would never be answered.
      if (client.isReady) await client.close();
      else if (client.isOpen) client.destroy();
    },
  };
}
