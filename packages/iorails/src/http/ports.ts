import type { Clock } from "@toolstile/core";
import { systemClock } from "@toolstile/core/provider";

/** The functions that the clients take from their surroundings. */
export interface HttpPorts {
  /** Only what the Fetch Standard promises is used. */
  readonly fetch: typeof globalThis.fetch;
  /** The environment that holds the keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** From 0 to 1, for the spread of retries. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The process's own network, environment and clock. */
export const systemPorts: HttpPorts = Object.freeze({
  fetch: (...request: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...request),
  env: process.env,
  clock: systemClock,
});

/** Whom a request goes to, and how long to try. */
export interface Route {
  readonly kind: "model" | "service";
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** In all, the first included. */
  readonly maxAttempts: number;
}
