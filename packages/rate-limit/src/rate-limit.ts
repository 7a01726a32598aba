import type {
  Allow,
  CallEnd,
  Deny,
  GuardrailProvider,
  SettledCall,
  ToolCall,
} from "@toolstile/core";
import { type Awaitable, allow } from "@toolstile/core/provider";
import { costReader, noCost } from "./cost.js";
import { Denials } from "./denial.js";
import { HeldGrants } from "./held-grants.js";
import { keyReader, noKey } from "./key.js";
import { checked, type RateLimitOptions } from "./options.js";
import { isReply, PendingGrant, type Reply } from "./pending-grant.js";
import type { RateLimitRefusal } from "./store.js";
import type { RateLimitTerms } from "./terms.js";

/** A limiter, and what its limits amount to. */
export interface RateLimitProvider extends GuardrailProvider {
  /** Each limit with everything chosen, and the most that it ever lets through in a window. */
  readonly limits: readonly RateLimitTerms[];
}

type PlainDeny = Deny & { readonly approval?: never };

/**
 * Deny calls above a limit, which is never exceeded.
 *
 * A call takes its units in `admit`, the last thing before the tool, and has
 * them back if the tool did not run. Being asked about, denied elsewhere or
 * asked again takes nothing; `evaluate` denies early what `admit` would deny at
 * that instant. Windows are counted from `admit`: put a limiter after providers
 * whose own `admit` is slow.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function rateLimit(options: RateLimitOptions): RateLimitProvider {
  const { policy, store, key, cost, reason } = checked(options);
  const keyOf = keyReader(key);
  const unitsOf = costReader(cost);
  const denials = new Denials(policy, key, reason);
  const held = new HeldGrants();

  function evaluate(call: ToolCall): Awaitable<Allow | PlainDeny> {
    const key = keyOf(call);
    if (key === noKey) return denials.noKey(call);
    const units = unitsOf(call);
    if (units === noCost) return denials.noCost(call);
    if (store.peek === undefined) return allow();
    const refusal = store.peek(key, units);
    if (refusal === undefined) return allow();
    return isReply(refusal) ? answer(refusal, call) : refuseLater(refusal, call);
  }

  function admit(call: ToolCall): Awaitable<Allow | PlainDeny> {
    const key = keyOf(call);
    if (key === noKey) return denials.noKey(call);
    const units = unitsOf(call);
    if (units === noCost) return denials.noCost(call);
    const reply = store.reserve(key, units);
    if (!isReply(reply)) {
      // Held before it is known: the run may be over before the store answers.
      held.add(call.run, new PendingGrant(reply));
      return answerLater(reply, call);
    }
    if (reply.granted !== true) return denials.of(reply, call);
    held.add(call.run, reply);
    return allow();
  }

  function answer(reply: Reply, call: ToolCall): Allow | PlainDeny {
    if (!isReply(reply)) throw new TypeError("The store gave neither a grant nor a refusal.");
    return reply.granted === true ? allow() : denials.of(reply, call);
  }

  // These two are apart, since a closure over the call would cost every call that needs none.
  function answerLater(reply: PromiseLike<Reply>, call: ToolCall): PromiseLike<Allow | PlainDeny> {
    return reply.then((late) => answer(late, call));
  }

  function refuseLater(
    refusal: PromiseLike<RateLimitRefusal | undefined>,
    call: ToolCall,
  ): PromiseLike<Allow | PlainDeny> {
    return refusal.then((late) => (late === undefined ? allow() : answer(late, call)));
  }

  function settle(call: SettledCall, outcome: CallEnd): Awaitable<void> {
    const grant = held.remove(call.run);
    if (grant === undefined) return;
    return outcome.executed === false ? grant.giveBack() : grant.commit();
  }

  const limits = store.limits ?? policy.limits;
  return { name: policy.name, limits, evaluate, admit, settle };
}
