import type { GuardrailProvider, ToolCall } from "@toolstile/core";
import { type CallOptions, call } from "@toolstile/testing";
import { type RuleCondition, type RulesOptions, rules, type ToolRule } from "../src/index.js";

/** The guard of some rules on calls. */
export function guard(
  ...given: readonly (Omit<ToolRule, "id"> & { id?: string })[]
): GuardrailProvider {
  const named = given.map((rule, index) => ({ id: `rule-${index}`, ...rule }));
  return rules({ rules: named }) as GuardrailProvider;
}

export const provider = (options: RulesOptions) => rules(options) as GuardrailProvider;

/** The decision of a guard. A denial that a human may lift is "ask". */
export async function decisionOf(guard: GuardrailProvider, asked: ToolCall): Promise<string> {
  const answer = await guard.evaluate(asked);
  return answer.decision === "deny" && answer.approval !== undefined ? "ask" : answer.decision;
}

const said = { allow: "false", deny: "true" } as const;

/**
 * What a condition says of some arguments: "true", "false", or "untold" if it cannot be told.
 *
 * A rule under `when` applies to "true" and "untold", and one under `require` to "false" and "untold".
 */
export function saysOf(
  condition: RuleCondition,
  args: object,
  options: CallOptions = {},
  now?: () => number,
): string {
  const asked = call(args, "tool", options);
  const denies = (rule: Omit<ToolRule, "id" | "deny">) => {
    const made = provider({ rules: [{ id: "r", ...rule, deny: "no" }], ...(now && { now }) });
    return made.evaluate(asked) as { decision: "allow" | "deny"; metadata?: object };
  };
  const when = denies({ when: condition });
  const require = denies({ require: condition });
  if (when.decision === "deny" && require.decision === "deny") return "untold";
  if (when.decision === require.decision) throw new Error("The rule applies in neither way.");
  return said[when.decision];
}
