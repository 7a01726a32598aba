import type { ExpressionFailureKind } from "../cel/fault.js";
import { kindOfValue, type ValueKind } from "../checks/check.js";
import {
  ask,
  askOne,
  type Condition,
  evaluated,
  type Place,
  takes,
  type ValueCondition,
} from "../conditions/condition.js";
import { type Facts, roots } from "../conditions/facts.js";
import { misplaced, valuesAt } from "../conditions/pointer.js";
import type { LastCalls } from "../counting/repeats.js";
import type { Rule } from "./rule.js";

/**
 * Says why it cannot be told if a rule applies, and of which place, so that a call can be repaired.
 *
 * It names no value.
 */
export function doubtOf(
  { when, require, repeats, total }: Rule,
  facts: Facts,
  last: LastCalls | undefined,
): string {
  if (when !== undefined && ask(when, facts, true) === undefined) {
    return doubtIn(when, facts, true);
  }
  if (require !== undefined && ask(require, facts, false) === undefined) {
    return doubtIn(require, facts, false);
  }
  const isLongId = repeats !== undefined && last?.reached(facts.call, repeats) === undefined;
  return (
    total?.doubt(facts.call) ??
    (isLongId ? "the id of the session must have at most 1024 characters" : untold)
  );
}

const untold = "it cannot be told if this rule applies";

/** The doubt of a condition that is undecided: that of the first of its parts which is. */
function doubtIn(condition: Condition, facts: Facts, any: boolean): string {
  switch (condition.kind) {
    case "value":
      return doubtOfValue(condition, facts, any);
    case "present":
      return misplacedAt(condition.place);
    case "all":
    case "any": {
      const first = condition.of.find((each) => ask(each, facts, any) === undefined);
      return first === undefined ? untold : doubtIn(first, facts, any);
    }
    case "not":
      return doubtIn(condition.of, facts, !any);
    case "time":
      return "the clock tells no time";
    case "cel": {
      const answer = evaluated(condition.expression, facts);
      const kind = typeof answer === "boolean" ? undefined : answer.kind;
      return `its expression failed: ${(kind && failures[kind]) ?? "it is neither true nor false"}`;
    }
  }
}

function doubtOfValue(condition: ValueCondition, facts: Facts, any: boolean): string {
  const { place, checks } = condition;
  const values = valuesAt(roots[place.source](facts), place.pointer);
  const at = spoken(place);
  const most = checks.find(({ mostValues = values.length }) => values.length > mostValues);
  if (most !== undefined) return `${at} must have at most ${most.mostValues} values`;
  const value = values.find((each) => askOne(condition, each, any) === undefined);
  if (value === undefined) return `${at} is missing`;
  if (value === misplaced) return misplacedAt(place);
  const kind = kindOfValue(value);
  const other = checks.find((check) => !takes(check, kind));
  if (other !== undefined) {
    return `${at} must be ${other.kinds.map(named).join(" or ")}, received ${named(kind)}`;
  }
  const check = checks.find(({ test }) => test(value as never, any) === undefined);
  return `${at} ${check?.doubt?.(value as never) ?? "can be read in two ways"}`;
}

function misplacedAt(place: Place): string {
  return `the way to ${spoken(place)} leads through a value of another kind`;
}

/** The pointer as the rule has it. The entries and members that `*` stands for may have names that are values. */
function spoken({ source, written }: Place): string {
  const at = written === "" ? "the whole" : written;
  return source === "at" ? at : `${at} of the ${source}`;
}

const articles: Readonly<Record<ValueKind, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  null: "null",
  list: "a list",
  object: "an object",
};

function named(kind: ValueKind): string {
  return articles[kind];
}

const missing = "a member or an entry that it reads is missing";

const failures: Readonly<Partial<Record<ExpressionFailureKind, string>>> = {
  no_such_variable: missing,
  no_such_member: missing,
  no_such_index: missing,
  wrong_type: "a value that it reads is of another kind",
  overflow: "a number is too large",
  division_by_zero: "it divides by zero",
  invalid_argument: "a function cannot take a value that it is given",
  too_costly: "it took too long",
};
