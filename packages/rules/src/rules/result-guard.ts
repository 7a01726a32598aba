import type {
  ResultDecision,
  ResultGuardrail,
  ToolCall,
  ToolResult,
  Withhold,
} from "@toolstile/core";
import { allow, deny, own, rewrite } from "@toolstile/core/provider";
import { cutBody } from "./cut.js";
import { denialOf } from "./decide.js";
import { applies, type Rule } from "./rule.js";
import type { RuleIndex } from "./rule-index.js";

/** The parts of a guard that withholds results and cuts them. */
export function resultGuard(
  index: RuleIndex,
  now: () => number,
): Pick<ResultGuardrail, "evaluateResult"> {
  function evaluateResult(call: ToolCall, result: ToolResult): ResultDecision {
    const { withhold, cut } = index.of(call.toolName);
    const facts = { call, result, now };
    for (const rule of withhold) {
      const answer = applies(rule, facts);
      if (answer !== "no") return denialOf(rule, answer, facts) as Withhold;
    }
    let shortest: Rule | undefined;
    for (const rule of cut) {
      if (shortest !== undefined && shortest.cut <= rule.cut) continue;
      if (applies(rule, facts) !== "no") shortest = rule;
    }
    return shortest === undefined ? allow() : cutTo(shortest, result);
  }
  return { evaluateResult };
}

function cutTo({ id, cut: most }: Rule, result: ToolResult): ResultDecision {
  const whole = { content: result.content, structured: own(result, "structured") };
  const body = cutBody(whole, most, id);
  if (body === whole) return allow();
  const metadata = { rule: id };
  if (typeof body === "string") return deny(body, { code: id, metadata });
  return rewrite(body, { reason: `cut by ${id}`, metadata });
}
