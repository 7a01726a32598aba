import { invalidOption, nonEmptyText, required } from "@toolstile/core/provider";
import { compilePattern, mostPatternUnits, type Pattern } from "../patterns/pattern.js";
import type { CheckKind } from "./check.js";
import { readTexts, textsSchema } from "./operands.js";

/** The text is found in the value, in one of the ways that strings have. */
function found(how: "startsWith" | "endsWith" | "includes", description: string): CheckKind {
  return {
    schema: textsSchema(description),
    read: (operand, where, name) => {
      const parts = readTexts("what to look for", operand, where, name);
      const test = (value: string) => parts.some((part) => value[how](part));
      return { name, operand: parts, kinds: ["string"], test };
    },
  };
}

const matches: CheckKind = {
  schema: {
    type: "string",
    minLength: 1,
    description:
      "This RE2 pattern is found anywhere in the text. Write ^ and $ for the whole, (?i) for either case.",
  },
  read: (operand, where, name) => {
    const source = required(nonEmptyText("a pattern, as text")).read(operand, where, name);
    const pattern = readPattern(source, where, name);
    const longest = mostPatternUnits / pattern.unitsPerCharacter;
    // To say that it does not match would let a long text through where the rule is a denial.
    const test = (value: string) => (value.length > longest ? undefined : pattern.test(value));
    const doubt = () => "is too long for the pattern";
    return { name, operand: source, kinds: ["string"], test, doubt };
  },
};

function readPattern(source: string, where: string, name: string): Pattern {
  try {
    return compilePattern(source);
  } catch (error) {
    throw invalidOption(where, `'${name}' cannot be used: ${(error as Error).message}.`);
  }
}

export const texts = {
  startsWith: found("startsWith", "The text begins with this, or with one of these."),
  endsWith: found("endsWith", "The text ends with this, or with one of these."),
  contains: found("includes", "The text contains this, or one of these."),
  matches,
} satisfies Readonly<Record<string, CheckKind>>;
