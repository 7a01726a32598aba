import type {
  Allow,
  CallEnd,
  Deny,
  GuardrailProvider,
  SettledCall,
  ToolCall,
} from "@toolstile/core";
import { allow } from "@toolstile/core/provider";
import type { Facts } from "../conditions/facts.js";
import { LastCalls } from "../counting/repeats.js";
import { appliesToCall, decide, plainDenialOf } from "./decide.js";
import { applies, type Rule } from "./rule.js";
import type { RuleIndex } from "./rule-index.js";

type Parts = Pick<GuardrailProvider, "evaluate" | "admit" | "settle">;

/** The parts of a guard that denies calls, and asks for them to be approved. */
export function callGuard(index: RuleIndex, rules: readonly Rule[], now: () => number): Parts {
  const last = new LastCalls();
  const counts = rules.some(({ repeats, total }) => repeats !== undefined || total !== undefined);
  const counting = counts ? new Counting(index, rules, last, now) : undefined;
  const asked = counting && ((call: ToolCall, of: readonly Rule[]) => counting.asked(call, of));

  function evaluate(call: ToolCall): Allow | Deny {
    const own = index.of(call.toolName);
    if (own.deny.length === 0 && own.ask.length === 0) return allow();
    return decide(own, { call, result: undefined, now }, last, asked);
  }

  if (counting === undefined) return { evaluate };
  return {
    evaluate,
    admit: (call) => counting.admit(call),
    settle: (call, end) => counting.settle(call, end),
  };
}

/** Counts the calls that run, and takes back those that did not. */
class Counting {
  readonly #index: RuleIndex;
  readonly #last: LastCalls;
  readonly #now: () => number;
  readonly #hasRepeats: boolean;
  /** The amounts that a run has taken. */
  readonly #taken = new WeakMap<object, readonly ((ran: boolean) => void)[]>();
  /** The rules that asked for approval of a run last. If it runs, it was approved. */
  readonly #asked = new WeakMap<object, readonly Rule[]>();

  constructor(index: RuleIndex, rules: readonly Rule[], last: LastCalls, now: () => number) {
    this.#index = index;
    this.#last = last;
    this.#now = now;
    this.#hasRepeats = rules.some(({ repeats }) => repeats !== undefined);
  }

  asked(call: ToolCall, rules: readonly Rule[]): void {
    this.#asked.set(call.run, rules);
  }

  admit(call: ToolCall): Allow | (Deny & { readonly approval?: never }) {
    const { counting } = this.#index.of(call.toolName);
    // One time for all: what is decided on is what is counted.
    const at = this.#now();
    const facts: Facts = { call, result: undefined, now: () => at };
    const approved = this.#asked.get(call.run) ?? [];
    for (const rule of counting) {
      if (approved.includes(rule)) continue;
      if (appliesToCall(rule, facts, this.#last) !== "no") return plainDenialOf(rule);
    }
    const taken: ((ran: boolean) => void)[] = [];
    for (const rule of counting) {
      if (rule.total !== undefined && applies(rule, facts) !== "no")
        taken.push(rule.total.take(call));
    }
    if (this.#hasRepeats) {
      const compared = counting.some(({ repeats }) => repeats !== undefined);
      taken.push(this.#last.take(call, compared));
    }
    if (taken.length > 0)
      this.#taken.set(call.run, [...(this.#taken.get(call.run) ?? []), ...taken]);
    return allow();
  }

  settle(call: SettledCall, { executed }: CallEnd): void {
    const taken = this.#taken.get(call.run);
    this.#taken.delete(call.run);
    for (const end of taken ?? []) end(executed !== false);
  }
}
