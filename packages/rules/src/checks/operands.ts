import type { JsonObject, JsonValue } from "@toolstile/core";
import {
  invalidOption,
  list,
  nonEmptyText,
  type OptionReader,
  optionError,
  readOptions,
  required,
  such,
  whole,
} from "@toolstile/core/provider";

/** The comparisons of numbers, which `length` takes too. */
export const comparisonsOfNumbers = {
  above: (value: number, bound: number) => value > bound,
  atLeast: (value: number, bound: number) => value >= bound,
  below: (value: number, bound: number) => value < bound,
  atMost: (value: number, bound: number) => value <= bound,
} as const;

export type Comparison = keyof typeof comparisonsOfNumbers;

export function readNumber(operand: unknown, where: string, name: string): number {
  const finite = such<number>((value) => Number.isFinite(value), "a finite number");
  return required(finite).read(operand, where, name);
}

/** Reads a list of at least one value. */
export function readSome<Value>(
  of: OptionReader<Value>,
  what: string,
  operand: unknown,
  where: string,
  name: string,
): readonly Exclude<Value, undefined>[] {
  return required(list(of, what, { least: 1 })).read(operand, where, name);
}

/** Reads one text or a list of texts, of which none is empty. One text is a list of one. */
export function readTexts(
  what: string,
  operand: unknown,
  where: string,
  name: string,
): readonly string[] {
  // A fault of a text that stands alone is not told with an index.
  if (typeof operand === "string") return [required(nonEmptyText()).read(operand, where, name)];
  return readSome(nonEmptyText(), `a text or a list of texts (${what})`, operand, where, name);
}

/** The JSON Schema of what `readTexts` reads. */
export function textsSchema(description: string, text: JsonObject = { minLength: 1 }): JsonObject {
  const one = { type: "string", ...text };
  return { anyOf: [one, { type: "array", minItems: 1, items: one }], description };
}

export function readValue(operand: unknown, where: string, name: string): JsonValue {
  // A copy: whoever wrote the rule may use the value for something else.
  if (isJson(operand)) return structuredClone(operand);
  throw optionError(where, name, "a JSON value", operand);
}

function isJson(value: unknown): value is JsonValue {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  return typeof value === "object" && Object.values(value).every(isJson);
}

/** Reads comparisons with whole numbers, of which there must be one. */
export function readBounds(
  operand: unknown,
  where: string,
  name: string,
): readonly (readonly [Comparison, number])[] {
  if (typeof operand === "number") {
    const problem = `'${name}' must be an object, received ${operand}. Write { atMost: ${operand} } for at most so many.`;
    throw invalidOption(where, problem);
  }
  const size = whole(0);
  const read = readOptions(`${where}: '${name}'`, operand, {
    above: size,
    atLeast: size,
    below: size,
    atMost: size,
  });
  const given = Object.entries(read) as [Comparison, number][];
  if (given.length > 0) return given;
  throw invalidOption(where, `'${name}' must have above, atLeast, below or atMost.`);
}
