import type { Awaitable } from "@toolstile/core/provider";
import { MemoryGrant } from "./memory-grant.js";
import { Refusal } from "./refusal.js";
import type { RateLimitGrant, RateLimitRefusal } from "./store.js";

/** A store's answer to `reserve`. */
export type Reply = RateLimitGrant | RateLimitRefusal;

/**
 * True if a store has answered, false if it gave a promise.
 *
 * The own property decides: a `then` planted on `Object.prototype` makes no
 * promise. The classes of this package have it, and are told faster by their class.
 */
export function isReply(reply: Awaitable<RateLimitRefusal | Reply | undefined>): reply is Reply {
  return (
    reply instanceof MemoryGrant ||
    reply instanceof Refusal ||
    Object.hasOwn(reply as object, "granted")
  );
}

/**
 * A grant that a run may hold once the store answers, to be ended as soon as it has.
 *
 * The run may be over before: its time is limited and the store's is not.
 */
export class PendingGrant implements RateLimitGrant {
  readonly granted = true;
  readonly #reply: PromiseLike<Reply>;

  constructor(reply: PromiseLike<Reply>) {
    this.#reply = reply;
  }

  commit(): PromiseLike<void> {
    return this.#end((grant) => grant.commit());
  }

  giveBack(): PromiseLike<void> {
    return this.#end((grant) => grant.giveBack());
  }

  #end(how: (grant: RateLimitGrant) => Awaitable<void>): PromiseLike<void> {
    return this.#reply.then(
      (reply) => (reply.granted ? how(reply) : undefined),
      // It failed, which denied the call.
      () => undefined,
    );
  }
}
