import type { Awaitable } from "@toolstile/core";
import type { RateLimitGrant, RateLimitRefusal } from "./store.js";

/** What a store answers to `reserve`. */
export type Reply = RateLimitGrant | RateLimitRefusal;

/** Whether a store has answered. By own property: a `then` planted on `Object.prototype` makes no promise. */
export function isReply(reply: Awaitable<RateLimitRefusal | Reply | undefined>): reply is Reply {
  return Object.hasOwn(reply as object, "granted");
}

/**
 * What a run may hold once the store answers, to be ended as soon as it has.
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
