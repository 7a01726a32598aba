import type { Pattern } from "../patterns/pattern.js";
import { Failure } from "../violations/failure.js";
import { isMultipleOf } from "./multiple-of.js";
import { assertion, type MakeRule, type RuleSetting, type RuleTable } from "./rules.js";
import { isLonger, isShorter } from "./text-length.js";

/** A rule that compares a value with the number that the keyword holds. */
function limit<Value>(
  keyword: string,
  breaks: (value: Value, limit: number, setting: RuleSetting) => boolean,
): [string, MakeRule] {
  return [
    keyword,
    (node, setting) => {
      const bound = assertion<number>(node, keyword);
      const params = { limit: bound };
      return (value: Value) =>
        breaks(value, bound, setting) ? new Failure(keyword, params) : undefined;
    },
  ];
}

export const numberRules: RuleTable = new Map([
  limit("maximum", (value: number, most) => value > most),
  limit("minimum", (value: number, least) => value < least),
  limit("exclusiveMaximum", (value: number, bound) => value >= bound),
  limit("exclusiveMinimum", (value: number, bound) => value <= bound),
  limit("multipleOf", (value: number, divisor, { meter }) => !isMultipleOf(value, divisor, meter)),
]);

const pattern: MakeRule = (node, { patterns }) => {
  const source = assertion<string>(node, "pattern");
  const compiled = patterns.get(source) as Pattern;
  return (text: string) =>
    compiled.test(text) ? undefined : new Failure("pattern", { pattern: source });
};

export const stringRules: RuleTable = new Map([
  ["pattern", pattern],
  limit("maxLength", (text: string, most, { meter }) => isLonger(text, most, meter)),
  limit("minLength", (text: string, least, { meter }) => isShorter(text, least, meter)),
]);

export const sizeRules = {
  array: [
    limit("maxItems", (items: readonly unknown[], most) => items.length > most),
    limit("minItems", (items: readonly unknown[], least) => items.length < least),
  ],
  object: [
    limit("maxProperties", (object: object, most, { members }) => members.of(object).length > most),
    limit(
      "minProperties",
      (object: object, least, { members }) => members.of(object).length < least,
    ),
  ],
} as const;
