import type { JsonValue, ToolDefinition } from "@toolstile/core";
import { kindOfValue } from "../checks/check.js";
import type { Condition, ValueCondition } from "../conditions/condition.js";
import {
  contains,
  type Declared,
  declaredAt,
  isEmpty,
  spanOf,
  spanOfChecks,
  undeclared,
  within,
} from "./domain.js";

/** Says if a condition can be true, and if it can be false, for values that are there and of the right kind. */
export interface Possible {
  readonly true: boolean;
  readonly false: boolean;
}

const both: Possible = { true: true, false: true };

/**
 * Says what a condition can be in a call of a tool. In doubt it can be both.
 *
 * @param any - True for the condition of a `when`, false for what a rule requires. It says what an optional value is that is not there.
 */
export function possible(condition: Condition, tool: ToolDefinition, any: boolean): Possible {
  switch (condition.kind) {
    case "value": {
      const found = ofValue(condition, tool);
      if (!condition.optional) return found;
      return any ? { ...found, false: true } : { ...found, true: true };
    }
    case "all":
    case "any": {
      const parts = condition.kind === "all" ? joined(condition.of) : condition.of;
      const each = parts.map((part) => possible(part, tool, any));
      const some = (outcome: "true" | "false") => each.some((part) => part[outcome]);
      const every = (outcome: "true" | "false") => each.every((part) => part[outcome]);
      return condition.kind === "all"
        ? { true: every("true"), false: some("false") }
        : { true: some("true"), false: every("false") };
    }
    case "not": {
      const inner = possible(condition.of, tool, !any);
      return { true: inner.false, false: inner.true };
    }
    default:
      return both;
  }
}

/** Puts the checks of one place together: `above: 5` beside `below: 3` can only be seen so. */
function joined(conditions: readonly Condition[]): readonly Condition[] {
  const places = new Map<string, ValueCondition>();
  const others: Condition[] = [];
  for (const each of conditions) {
    if (each.kind !== "value" || each.several) {
      others.push(each);
      continue;
    }
    const key = `${each.place.source} ${each.place.written}`;
    const before = places.get(key);
    const checks = [...(before?.checks ?? []), ...each.checks];
    places.set(key, { ...each, checks });
  }
  return [...places.values(), ...others];
}

function ofValue({ place, checks, several }: ValueCondition, tool: ToolDefinition): Possible {
  const declared = place.source === "at" ? declaredAt(tool.parameters, place.pointer) : undeclared;
  const { values } = declared;
  if (values !== undefined) {
    const outcomes = values.map((value) => holds(checks, value));
    return { true: outcomes.includes(true), false: outcomes.includes(false) };
  }
  const candidates = candidatesOf(checks);
  if (candidates !== undefined) {
    const fits = candidates.some((value) => isDeclared(value, declared) && holds(checks, value));
    return { true: fits, false: true };
  }
  const span = within(spanOfChecks(checks), declared.span);
  const size = within(sizeOf(checks), declared.size);
  const canBeTrue = !isEmpty(span, declared.whole) && !isEmpty(size, true);
  const asked = checks.filter(({ name }) => !isSpan(name)).length > 0;
  const covers =
    contains(spanOfChecks(checks), declared.span) && contains(sizeOf(checks), declared.size);
  return { true: canBeTrue, false: asked || several || !covers };
}

function isSpan(name: string): boolean {
  return ["above", "atLeast", "below", "atMost", "length"].includes(name);
}

function sizeOf(checks: ValueCondition["checks"]) {
  return checks
    .filter(({ name }) => name === "length")
    .map(({ operand }) => spanOf(operand as Record<string, number>))
    .reduce(within, undeclared.size);
}

/** The values that `equals` and `oneOf` leave, if there is one of these. */
function candidatesOf(checks: ValueCondition["checks"]): readonly JsonValue[] | undefined {
  const check = checks.find(({ name }) => name === "equals" || name === "oneOf");
  if (check === undefined) return undefined;
  return check.name === "equals" ? [check.operand as JsonValue] : (check.operand as JsonValue[]);
}

function isDeclared(value: JsonValue, { span, whole }: Declared): boolean {
  if (typeof value !== "number") return true;
  const only = { least: value, leastIn: true, most: value, mostIn: true };
  return contains(span, only) && (!whole || Number.isInteger(value));
}

/** Undefined if a check says nothing of such a value. */
function holds(checks: ValueCondition["checks"], value: JsonValue): boolean | undefined {
  const outcomes = checks.map(({ kinds, test }) =>
    kinds.includes(kindOfValue(value)) ? test(value as never, true) : undefined,
  );
  if (outcomes.includes(false)) return false;
  return outcomes.includes(undefined) ? undefined : true;
}
