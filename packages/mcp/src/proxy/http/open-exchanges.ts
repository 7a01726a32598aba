import type { HttpExchange } from "./exchange.js";

/** The most requests whose answer may still come on another stream. Of more, the oldest are given up. */
const mostParked = 1_000;

/** The requests of one session whose client has no answer yet, or whose stream goes on. */
export class OpenExchanges {
  readonly #open = new Set<HttpExchange>();
  readonly #giveUp: (exchange: HttpExchange) => void;

  /** @param giveUp is called for a request that is not waited for any longer. */
  constructor(giveUp: (exchange: HttpExchange) => void) {
    this.#giveUp = giveUp;
  }

  /** True if no client waits at the other end of any of them. */
  get isIdle(): boolean {
    return [...this.#open].every(({ isParked }) => isParked);
  }

  add(exchange: HttpExchange): void {
    this.#open.add(exchange);
  }

  /** Ends a request that is answered, or that is not waited for any more. */
  end(exchange: HttpExchange): void {
    exchange.isAnswered = true;
    exchange.reply.end();
    this.#open.delete(exchange);
  }

  /** Ends the reply of a request that its client can resume, and keeps the request. */
  park(exchange: HttpExchange): void {
    exchange.reply.end();
    if (this.#open.size <= mostParked) return;
    for (const each of this.#open) {
      if (!each.isParked) continue;
      this.#giveUp(each);
      return;
    }
  }

  /** All of them. They are open no more. */
  clear(): readonly HttpExchange[] {
    const all = [...this.#open];
    this.#open.clear();
    return all;
  }
}
