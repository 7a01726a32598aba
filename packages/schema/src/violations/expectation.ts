import { didYouMean, quoted } from "@toolstile/core/provider";
import type { Failure } from "./failure.js";

/** Declared values and names are shown up to these bounds. */
const mostValues = 12;
const longestWord = 64;
const longestList = 200;
const mostNames = 64;

/** The values that `enum` or `const` allows, where they are few and short, else their number. */
export function expectedValues(values: readonly unknown[]): string {
  const count =
    values.length === 1 ? "the declared value" : `one of ${values.length} declared values`;
  if (values.length === 0 || values.length > mostValues || !values.every(isShort)) {
    return `expected ${count}`;
  }
  const list = values.map(word).join(" or ");
  return `expected ${list.length > longestList ? count : list}`;
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= longestWord;
  return typeof value !== "object" || value === null;
}

function word(value: unknown): string {
  return typeof value === "string" ? quoted(value) : String(value);
}

/** The types that `anyOf` or `oneOf` allows, as far as the keywords of the alternatives name them. */
export function expectedAlternatives(
  alternatives: readonly ReadonlyMap<string, unknown>[],
): string {
  const types = new Set<string>();
  let saysAll = true;
  for (const keywords of alternatives) {
    const type = keywords.get("type") as string | readonly string[] | undefined;
    if (type === undefined) return `matches none of ${alternatives.length} alternatives`;
    for (const name of [type].flat()) types.add(name);
    saysAll &&= keywords.size === 1;
  }
  const names = [...types].join(" or ");
  return saysAll
    ? `expected ${names}`
    : `matches none of ${alternatives.length} alternatives, which take ${names}`;
}

/** The property names that an undeclared one is compared with. */
export function comparableNames(names: readonly string[]): readonly string[] {
  return names.length <= mostNames ? names : [];
}

const limits = new Map<string, (limit: number) => string>([
  ["maxLength", (limit) => `at most ${counted(limit, "character")}`],
  ["minLength", (limit) => `at least ${counted(limit, "character")}`],
  ["maxItems", (limit) => `at most ${counted(limit, "item")}`],
  ["minItems", (limit) => `at least ${counted(limit, "item")}`],
  ["items", (limit) => `at most ${counted(limit, "item")}`],
  ["maxProperties", (limit) => `at most ${counted(limit, "property", "properties")}`],
  ["minProperties", (limit) => `at least ${counted(limit, "property", "properties")}`],
  ["maximum", (limit) => `at most ${limit}`],
  ["minimum", (limit) => `at least ${limit}`],
  ["exclusiveMaximum", (limit) => `less than ${limit}`],
  ["exclusiveMinimum", (limit) => `more than ${limit}`],
]);

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * The schema's demand that a value broke, in words that follow the place.
 *
 * @param object The object that the error is about. Nothing of it is quoted.
 */
export function expectation({ keyword, params }: Failure, object: unknown): string {
  const limit = limits.get(keyword);
  if (limit !== undefined) return `: expected ${limit(params.limit as number)}`;
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return `: ${quoted(String(params.missingProperty))} is missing`;
    case "type":
      return `: expected ${[params.type].flat().join(" or ").replaceAll(",", " or ")}`;
    case "enum":
    case "const":
    case "anyOf":
      return `: ${params.expected}`;
    case "oneOf":
      return params.passingSchemas ? ": matches more than one alternative" : `: ${params.expected}`;
    case "pattern":
      return `: expected text that matches ${quoted(String(params.pattern))}`;
    case "multipleOf":
      return `: expected a multiple of ${params.limit}`;
    case "uniqueItems":
      return ": expected items that differ";
    case "contains":
      return `: expected ${contained(params.minContains as number, params.maxContains as number | undefined)}`;
    case "not":
      return ": matches what is ruled out";
    case "false schema":
      return ": nothing is allowed here";
    case "additionalProperties":
      return `: this property is not declared${hint(params, object)}`;
    case "unevaluatedProperties":
      return ": an undeclared property does not fit";
    case "unevaluatedItems":
      return ": an undeclared item does not fit";
    default:
      return "";
  }
}

function contained(least: number, most: number | undefined): string {
  if (most === undefined) return `at least ${counted(least, "item")} of a certain form`;
  return `${least} to ${counted(most, "item")} of a certain form`;
}

/** The nearest declared name that is absent: the one that was probably meant. */
function hint(params: Failure["params"], object: unknown): string {
  const declared = params.declared as readonly string[];
  const absent = declared.filter((name) => !Object.hasOwn(Object(object) as object, name));
  const question = didYouMean(String(params.additionalProperty), absent);
  return question === "" ? "" : `.${question}`;
}
