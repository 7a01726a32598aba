import type { JsonValue } from "@toolstile/core";
import { sameJson } from "@toolstile/core/provider";
import type { Check } from "../checks/check.js";
import type { Condition, ValueCondition } from "../conditions/condition.js";
import type { Rule } from "../rules/rule.js";
import { contains, spanOf, spanOfChecks } from "./domain.js";

/** True if a rule surely applies to every call to which another applies, as far as their conditions go. */
export function appliesWherever(wide: Rule, narrow: Rule): boolean {
  if (wide.repeats !== undefined || wide.total !== undefined) return false;
  const whenHolds =
    wide.when === undefined || (narrow.when !== undefined && implies(narrow.when, wide.when));
  // Under require, a rule applies where its condition is not true.
  const requireHolds =
    wide.require === undefined ||
    (narrow.require !== undefined && implies(wide.require, narrow.require));
  return whenHolds && requireHolds;
}

/**
 * True if the second condition is true wherever the first is, and not false wherever the first is not.
 *
 * Both hold or neither is claimed: under `not`, one becomes the other.
 */
function implies(first: Condition, second: Condition): boolean {
  if (isSame(first, second)) return true;
  if (first.kind === "any") return first.of.every((each) => implies(each, second));
  if (first.kind === "all" && first.of.some((each) => implies(each, second))) return true;
  if (second.kind === "all") return second.of.every((each) => implies(first, each));
  if (second.kind === "any" && second.of.some((each) => implies(first, each))) return true;
  if (first.kind === "not" && second.kind === "not") return implies(second.of, first.of);
  return first.kind === "value" && second.kind === "value" && valueImplies(first, second);
}

function isSame(a: Condition, b: Condition): boolean {
  switch (a.kind) {
    case "value":
      return b.kind === "value" && isSamePlace(a, b) && sameJson(written(a), written(b));
    case "present":
      return b.kind === "present" && a.wanted === b.wanted && sameJson(a.place, b.place);
    case "all":
    case "any":
      return (
        b.kind === a.kind &&
        a.of.length === b.of.length &&
        a.of.every((each, index) => isSame(each, b.of[index] as Condition))
      );
    case "not":
      return b.kind === "not" && isSame(a.of, b.of);
    case "cel":
      return b.kind === "cel" && a.text === b.text;
    case "time":
      return false;
  }
}

function isSamePlace(a: ValueCondition, b: ValueCondition): boolean {
  return sameJson(a.place, b.place) && a.optional === b.optional;
}

function written({ checks }: ValueCondition): Record<string, JsonValue> {
  return Object.fromEntries(checks.map(({ name, operand }) => [name, operand as JsonValue]));
}

/** True if the first cannot hold without the second. They must look at one place and take the same kinds: then neither can tell where the other cannot. */
function valueImplies(first: ValueCondition, second: ValueCondition): boolean {
  if (!isSamePlace(first, second)) return false;
  const kinds = ({ checks }: ValueCondition) =>
    checks.map((each) => [...each.kinds].sort().join()).sort();
  const [a, b] = [new Set(kinds(first)), new Set(kinds(second))];
  if (a.size !== b.size || [...a].some((each) => !b.has(each))) return false;
  return second.checks.every((check) =>
    first.checks.some((each) => checkImplies(each, check, first)),
  );
}

function checkImplies(first: Check, second: Check, { checks }: ValueCondition): boolean {
  if (["above", "atLeast", "below", "atMost"].includes(second.name)) {
    return contains(spanOf({ [second.name]: second.operand }), spanOfChecks(checks));
  }
  if (first.name !== second.name) return false;
  const [a, b] = [first.operand, second.operand];
  if (sameJson(a, b)) return true;
  if (first.name === "length")
    return contains(
      spanOf(b as object as Record<string, number>),
      spanOf(a as object as Record<string, number>),
    );
  // A list of what may be found: each of the first is among those of the second.
  if (first.name === "equals" || !Array.isArray(a) || !Array.isArray(b)) return false;
  return a.every((each) => b.some((other) => sameJson(each, other)));
}
