import type { RateLimitRefusal } from "./store.js";

/** A refusal of one shape, which the engine knows again. */
export class Refusal implements RateLimitRefusal {
  readonly granted = false;
  readonly cause: RateLimitRefusal["cause"];
  readonly limitIndex: number;
  readonly retryAfterMs: number;

  constructor(cause: RateLimitRefusal["cause"], limitIndex: number, retryAfterMs: number) {
    this.cause = cause;
    this.limitIndex = limitIndex;
    this.retryAfterMs = retryAfterMs;
  }
}

export const noRoom = Object.freeze(new Refusal("keys", 0, 0));
export const tooManyOpen = Object.freeze(new Refusal("concurrency", 0, 0));
export const storeOut = Object.freeze(new Refusal("store", 0, 0));
