import type { HttpExchange } from "./http-exchange.js";

/** Requests whose answer may still come on another stream; of more, the oldest are given up. */
const mostParked = 1_000;

/** The open requests of one session, by the id that the link knows. */
export class Exchanges {
  readonly #open = new Map<unknown, HttpExchange>();
  readonly #giveUp: (exchange: HttpExchange) => void;

  /** @param giveUp tells the link that a request is not waited for any longer. */
  constructor(giveUp: (exchange: HttpExchange) => void) {
    this.#giveUp = giveUp;
  }

  /** Whether nobody is at the other end of any of them. */
  get isIdle(): boolean {
    return [...this.#open.values()].every(isParked);
  }

  get(id: unknown): HttpExchange | undefined {
    return this.#open.get(id);
  }

  add(exchange: HttpExchange): void {
    this.#open.set(exchange.posted.message.id, exchange);
  }

  /** A request is over once its client is answered and its stream has ended. */
  finish(exchange: HttpExchange): void {
    const { isDone, isSent, isHeard, isAnswered, isResumable, posted } = exchange;
    if (isSent && isHeard && !isDone) return;
    // One whose stream ended, and can be taken up again, is parked.
    if (isAnswered || (isDone && isResumable && !isHeard)) posted.reply.end();
    if (isAnswered) this.#open.delete(posted.message.id);
    else if (this.#open.size > mostParked) this.#giveUpOldest();
  }

  /** The client waits no longer: an answer is not passed on. */
  drop(exchange: HttpExchange): void {
    exchange.isAnswered = true;
    this.finish(exchange);
  }

  /** All of them, which are open no more. */
  clear(): readonly HttpExchange[] {
    const all = [...this.#open.values()];
    this.#open.clear();
    return all;
  }

  #giveUpOldest(): void {
    for (const exchange of this.#open.values()) {
      if (!isParked(exchange)) continue;
      this.#giveUp(exchange);
      return;
    }
  }
}

function isParked({ isDone, posted }: HttpExchange): boolean {
  return isDone && posted.reply.isOver;
}
