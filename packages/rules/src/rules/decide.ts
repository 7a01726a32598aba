import type { Allow, Deny, ToolCall } from "@toolstile/core";
import { allow, deny, quoted } from "@toolstile/core/provider";
import type { Facts } from "../conditions/facts.js";
import type { LastCalls } from "../counting/repeats.js";
import { doubtOf } from "./doubt.js";
import { type Applies, applies, type PlainDeny, type Rule } from "./rule.js";
import type { RulesOfTool } from "./rule-index.js";

/** The denial of each rule that has denied, for where it surely applies. */
const denials = new WeakMap<Rule, Deny>();

/** Says if a rule applies to a call, with what it counts. Changes nothing. */
export function appliesToCall(rule: Rule, facts: Facts, last: LastCalls): Applies {
  const answer = applies(rule, facts);
  const { repeats, total } = rule;
  if (answer === "no" || (repeats === undefined && total === undefined)) return answer;
  const reached =
    repeats === undefined ? total?.reached(facts.call) : last.reached(facts.call, repeats);
  if (reached === false) return "no";
  return reached === true ? answer : "maybe";
}

/**
 * Decides on a call by its rules: the first denial in their order, or all questions to a human in one.
 *
 * A denial wins over a question, so that nobody is asked about what is denied
 * anyway. The questions are one, since an approval lifts all that this guard has
 * against a call.
 */
export function decide(
  { deny: denying, ask: asking }: RulesOfTool,
  facts: Facts,
  last: LastCalls,
  asked?: (call: ToolCall, rules: readonly Rule[]) => void,
): Allow | Deny {
  for (const rule of denying) {
    const answer = appliesToCall(rule, facts, last);
    if (answer !== "no") return denialOf(rule, answer, facts, last);
  }
  if (asking.length === 0) return allow();
  const found: (readonly [Rule, Applies])[] = [];
  for (const rule of asking) {
    const answer = appliesToCall(rule, facts, last);
    if (answer !== "no") found.push([rule, answer]);
  }
  asked?.(
    facts.call,
    found.map(([rule]) => rule),
  );
  const [first, ...others] = found;
  if (first === undefined) return allow();
  if (others.length === 0) return denialOf(...first, facts, last);
  return joined(found.map(([rule, answer]) => [rule, denialOf(rule, answer, facts, last)]));
}

/** The denial of a rule that applies. Where that cannot be told, its reason says why. */
export function denialOf(rule: Rule, answer: Applies, facts: Facts, last?: LastCalls): Deny {
  if (answer === "maybe") return doubtfulDenial(rule, doubtOf(rule, facts, last));
  let denial = denials.get(rule);
  if (denial === undefined) {
    denial = worded(rule, "", false);
    denials.set(rule, denial);
  }
  return denial;
}

/** The denial of a rule that applies in doubt. */
export function doubtfulDenial(rule: Rule, doubt: string): Deny {
  return worded(rule, ` (${doubt})`, true);
}

/** A denial that no approval lifts: it is too late to ask for one. */
export function plainDenialOf(rule: Rule): PlainDeny {
  return deny(rule.reason, { code: rule.id, metadata: { rule: rule.id } });
}

function worded(
  { id, reason: given, effect, expiresInMs }: Rule,
  more: string,
  maybe: boolean,
): Deny {
  const reason = effect === "change" ? `the rule ${quoted(id)} cannot make its change` : given;
  const metadata = { rule: id, ...(maybe && { undecided: true }) };
  const details = { code: id, metadata };
  if (effect !== "ask") return deny(reason + more, details);
  return deny(reason + more, { ...details, approval: { summary: reason + more, expiresInMs } });
}

function joined(found: readonly (readonly [Rule, Deny])[]): Deny {
  const ids = found.map(([{ id }]) => id);
  const reason = found.map(([, denial]) => denial.reason).join("; ");
  const times = found.flatMap(([{ expiresInMs }]) => expiresInMs ?? []);
  return deny(reason, {
    code: ids.join("+"),
    metadata: { rules: ids },
    approval: {
      summary: reason,
      expiresInMs:
        times.length === 0 ? undefined : times.reduce((least, each) => Math.min(least, each)),
    },
  });
}
