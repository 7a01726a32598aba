import { type Allow, allow, type Deny, deny, type ToolCall } from "@toolstile/core";
import { quoted } from "@toolstile/core/host";
import { within } from "../conditions/condition.js";
import type { Facts } from "../conditions/facts.js";
import type { LastCalls } from "../counting/repeats.js";
import { type Applies, applies, type PlainDeny, type Rule } from "./rule.js";
import type { RulesOfTool } from "./rule-index.js";

const untoldValue =
  "a value that this rule asks about is missing, is of another kind, or can be read in two ways";
const failed =
  "its expression failed: a member that it reads is missing or of another kind, or it took too long";

/** Said of a rule that applies because nobody can tell. It names no value. */
function untold({ when, require }: Rule): string {
  const conditions = [when, require].flatMap((each) =>
    each === undefined ? [] : [...within(each)],
  );
  const hasExpression = conditions.some(({ kind }) => kind === "cel");
  const hasValue = conditions.some(({ kind }) => kind === "value" || kind === "present");
  if (!hasExpression) return ` (${untoldValue})`;
  return hasValue ? ` (${untoldValue}; or ${failed})` : ` (${failed})`;
}

/** The denials of a rule: one for where it applies, one for where that cannot be told. */
const denials = new WeakMap<Rule, Readonly<Record<"yes" | "maybe", Deny>>>();

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
    if (answer !== "no") return denialOf(rule, answer);
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
  return others.length === 0 ? denialOf(...first) : joined(found);
}

export function denialOf(rule: Rule, answer: Applies): Deny {
  let both = denials.get(rule);
  if (both === undefined) {
    both = { yes: worded(rule, "", false), maybe: worded(rule, untold(rule), true) };
    denials.set(rule, both);
  }
  return answer === "maybe" ? both.maybe : both.yes;
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

function joined(found: readonly (readonly [Rule, Applies])[]): Deny {
  const all = found.map(([rule, answer]) => denialOf(rule, answer));
  const ids = found.map(([{ id }]) => id);
  const reason = all.map((each) => each.reason).join("; ");
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
