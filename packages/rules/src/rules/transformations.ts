import type { JsonObject, JsonValue } from "@toolstile/core";
import {
  invalidOption,
  readOptions,
  required,
  such,
  unchecked,
  whole,
} from "@toolstile/core/provider";
import { readValue } from "../checks/operands.js";

/** Given in place of a new value where the old one cannot be changed. */
export const unchangeable = Symbol("unchangeable");

/** A named change of one value. Made of its own result, it changes nothing. */
export interface Transformation {
  readonly name: string;
  /** True if it makes a value where there is none. */
  readonly creates: boolean;
  /** @param value - undefined if there is none, which only a transformation that creates is given. */
  readonly apply: (value: unknown) => unknown;
}

interface TransformationKind {
  readonly schema: JsonObject;
  readonly read: (operand: unknown, where: string, name: string) => Transformation;
}

const set: TransformationKind = {
  schema: { description: "The value becomes this one, also where there was none." },
  read: (operand, where, name) => {
    const value: JsonValue = readValue(operand, where, name);
    return { name, creates: true, apply: () => value };
  },
};

const fallback: TransformationKind = {
  schema: { description: "Where there is no value, it becomes this one." },
  read: (operand, where, name) => {
    const otherwise: JsonValue = readValue(operand, where, name);
    const apply = (value: unknown) => (value === undefined ? otherwise : value);
    return { name, creates: true, apply };
  },
};

const finite = such<number>((value) => Number.isFinite(value), "a finite number");

const clamp: TransformationKind = {
  schema: {
    type: "object",
    properties: { min: { type: "number" }, max: { type: "number" } },
    minProperties: 1,
    additionalProperties: false,
    description: "A number below min becomes min, and one above max becomes max.",
  },
  read: (operand, where, name) => {
    const { min, max } = readOptions(`${where}: '${name}'`, operand, { min: finite, max: finite });
    if (min === undefined && max === undefined) {
      throw invalidOption(where, `'${name}' must have min or max.`);
    }
    const [least, most] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY];
    if (least > most) throw invalidOption(where, `'${name}': min must not be above max.`);
    const apply = (value: unknown) =>
      typeof value === "number" ? Math.min(most, Math.max(least, value)) : unchangeable;
    return { name, creates: false, apply };
  },
};

function ofText(
  schema: JsonObject,
  change: (operand: unknown, where: string, name: string) => (text: string) => string,
): TransformationKind {
  return {
    schema,
    read: (operand, where, name) => {
      const changed = change(operand, where, name);
      const apply = (value: unknown) => (typeof value === "string" ? changed(value) : unchangeable);
      return { name, creates: false, apply };
    },
  };
}

const yes = required(such<true>((value) => value === true, "true"));

const trim = ofText(
  { const: true, description: "White space at both ends of the text is taken off." },
  (operand, where, name) => {
    yes.read(operand, where, name);
    return (text) => text.trim();
  },
);

const lowerCase = ofText(
  { const: true, description: "The text becomes lower case." },
  (operand, where, name) => {
    yes.read(operand, where, name);
    return (text) => text.toLowerCase();
  },
);

const truncate = ofText(
  {
    type: "integer",
    minimum: 0,
    description: "Of a longer text, only so many characters are left.",
  },
  (operand, where, name) => {
    const most = required(whole(0)).read(operand, where, name);
    return (text) =>
      text.length <= most
        ? text
        : Array.from(text.slice(0, 2 * most))
            .slice(0, most)
            .join("");
  },
);

/** The transformations that a rule may name. */
export const transformationKinds = { set, default: fallback, clamp, trim, lowerCase, truncate };
export const transformationNames = Object.keys(
  transformationKinds,
) as readonly (keyof typeof transformationKinds)[];

/** One reader for each: the operand is read by the transformation. */
export const transformationTable = Object.fromEntries(
  transformationNames.map((name) => [name, unchecked<unknown>()]),
);
