import type { Allow, Deny, GuardrailProvider, JsonObject, Modify, ToolCall } from "@toolstile/core";
import { allow, modify, quoted, sameJson } from "@toolstile/core/provider";
import { type Change, changed } from "./change.js";
import { doubtfulDenial } from "./decide.js";
import { applies, type Rule } from "./rule.js";
import type { RuleIndex } from "./rule-index.js";
import { unchangeable } from "./transformations.js";

/** A change that needs more passes than this undoes itself. */
const mostPasses = 4;

/** The parts of a guard that changes arguments. It is a guard of its own, so that the others are asked about what it made. */
export function changeGuard(
  index: RuleIndex,
  now: () => number,
): Pick<GuardrailProvider, "evaluate"> {
  function evaluate(call: ToolCall): Allow | Deny | Modify {
    const { change: rules } = index.of(call.toolName);
    if (rules.length === 0) return allow();
    const used = new Set<string>();
    let { args } = call;
    for (let pass = 0; pass < mostPasses; pass++) {
      const before = args;
      for (const rule of rules) {
        const after = changedBy(rule, { ...call, args }, now);
        if (after instanceof Unchanged) return doubtfulDenial(rule, after.doubt);
        if (after === args) continue;
        args = after;
        used.add(rule.id);
      }
      if (args !== before && !sameJson(args, before)) continue;
      return sameJson(args, call.args) ? allow() : modifiedBy(args, [...used]);
    }
    throw new Error("The changes of these rules undo each other.");
  }
  return { evaluate };
}

/** A change that cannot be made. */
class Unchanged {
  readonly doubt: string;

  constructor({ written, transformation }: Change) {
    this.doubt = `${quoted(transformation.name)} cannot be made: a value at ${written}, or on the way there, is missing or of another kind`;
  }
}

function changedBy(rule: Rule, call: ToolCall, now: () => number): JsonObject | Unchanged {
  if (applies(rule, { call, result: undefined, now }) === "no") return call.args;
  let args: unknown = call.args;
  for (const change of rule.changes) {
    args = changed(args, change);
    if (args === unchangeable) return new Unchanged(change);
  }
  return args as JsonObject;
}

function modifiedBy(args: JsonObject, ids: readonly string[]): Modify {
  return modify(args, { reason: `changed by ${ids.join(", ")}`, metadata: { rules: ids } });
}
