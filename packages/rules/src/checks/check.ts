import type { JsonObject } from "@toolstile/core";

/** True, false, or undefined where a value does not say. */
export type Outcome = boolean | undefined;

/** The kinds of JSON values, in the words of errors. */
export type ValueKind = "string" | "number" | "boolean" | "null" | "list" | "object";

/** A question about one value. */
export interface Check {
  readonly name: string;
  /** The operand, as it was read. */
  readonly operand: unknown;
  /** The kinds of values that it can tell. Of others it says nothing. */
  readonly kinds: readonly ValueKind[];
  /** The most values of a call that it is asked about, where each takes long. Default: no bound. */
  readonly mostValues?: number | undefined;
  /**
   * Answers for a value of a kind that it takes.
   *
   * @param any - for a value that holds several, as a list of addresses does: true asks if it is so of any of them, false if of all.
   */
  readonly test: (value: never, any: boolean) => Outcome;
  /** Says why the answer for a value is undefined, and never what the value is. Default: that it can be read in two ways. */
  readonly doubt?: ((value: never) => string) | undefined;
}

/** A check as data names it. */
export interface CheckKind {
  /** The JSON Schema of what it is asked with. */
  readonly schema: JsonObject;
  /** @throws ToolstileError that says what the operand must be. */
  readonly read: (operand: unknown, where: string, name: string) => Check;
}

export function kindOfValue(value: unknown): ValueKind {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return typeof value as "string" | "number" | "boolean";
    default:
      if (value === null) return "null";
      return Array.isArray(value) ? "list" : "object";
  }
}

/** True if any outcome is true, false if all are false, and otherwise undefined. */
export function anyOf(outcomes: Iterable<Outcome>): Outcome {
  let outcome: Outcome = false;
  for (const each of outcomes) {
    if (each === true) return true;
    if (each === undefined) outcome = undefined;
  }
  return outcome;
}

/** False if any outcome is false, true if all are true, and otherwise undefined. */
export function allOf(outcomes: Iterable<Outcome>): Outcome {
  let outcome: Outcome = true;
  for (const each of outcomes) {
    if (each === false) return false;
    if (each === undefined) outcome = undefined;
  }
  return outcome;
}
