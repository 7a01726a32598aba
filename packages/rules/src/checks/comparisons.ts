import type { JsonValue } from "@toolstile/core";
import { sameJson, unchecked } from "@toolstile/core/provider";
import { type Check, type CheckKind, kindOfValue, type ValueKind } from "./check.js";
import {
  type Comparison,
  comparisonsOfNumbers,
  readBounds,
  readNumber,
  readSome,
  readValue,
} from "./operands.js";

function bound(comparison: Comparison, description: string): CheckKind {
  const compare = comparisonsOfNumbers[comparison];
  return {
    schema: { type: "number", description },
    read: (operand, where, name) => {
      const limit = readNumber(operand, where, name);
      const test = (value: number) => compare(value, limit);
      return { name, operand: limit, kinds: ["number"], test };
    },
  };
}

/** A value of another kind is not simply another value: it says nothing. */
function among(values: readonly JsonValue[], name: string, operand: unknown): Check {
  const kinds: readonly ValueKind[] = [...new Set(values.map(kindOfValue))];
  const plain: ReadonlySet<unknown> = new Set(
    values.filter((value) => typeof value !== "object" || value === null),
  );
  const composed = values.filter((value) => !plain.has(value));
  const test = (value: JsonValue) =>
    plain.has(value) || composed.some((each) => sameJson(each, value));
  return { name, operand, kinds, test };
}

const equals: CheckKind = {
  schema: { description: "The value is this JSON value." },
  read: (operand, where, name) => {
    const value = readValue(operand, where, name);
    return among([value], name, value);
  },
};

const oneOf: CheckKind = {
  schema: { type: "array", minItems: 1, description: "The value is one of these JSON values." },
  read: (operand, where, name) => {
    const given = readSome(unchecked<unknown>(), "a list of values", operand, where, name);
    const values = given.map((each, index) => readValue(each, where, `${name}[${index}]`));
    return among(values, name, values);
  },
};

/** The names that people write for a bound, and the ones that they mean. */
export const meantBounds = {
  ...{ over: "above", moreThan: "above", min: "atLeast" },
  ...{ under: "below", lessThan: "below", max: "atMost" },
};

const size = { type: "integer", minimum: 0 };

const length: CheckKind = {
  schema: {
    type: "object",
    properties: { above: size, atLeast: size, below: size, atMost: size },
    "x-meant": meantBounds,
    minProperties: 1,
    additionalProperties: false,
    examples: [{ atMost: 5_000 }],
    description: "The number of characters of a text, or of entries of a list.",
  },
  read: (operand, where, name) => {
    const limits = readBounds(operand, where, name);
    const test = (value: string | readonly unknown[]) => {
      const size = lengthOf(value);
      return limits.every(([comparison, limit]) => comparisonsOfNumbers[comparison](size, limit));
    };
    return { name, operand: Object.fromEntries(limits), kinds: ["string", "list"], test };
  },
};

/** The number of characters of a text (code points), or of entries of a list. */
export function lengthOf(value: string | readonly unknown[]): number {
  return typeof value === "string" ? codePoints(value) : value.length;
}

function codePoints(text: string): number {
  let size = 0;
  for (let index = 0; index < text.length; index++, size++) {
    if ((text.codePointAt(index) as number) > 0xffff) index++;
  }
  return size;
}

export const comparisons = {
  equals,
  oneOf,
  above: bound("above", "The number is above this one."),
  atLeast: bound("atLeast", "The number is this one or above it."),
  below: bound("below", "The number is below this one."),
  atMost: bound("atMost", "The number is this one or below it."),
  length,
} satisfies Readonly<Record<string, CheckKind>>;
