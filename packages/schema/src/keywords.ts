import type { CodeKeywordDefinition, KeywordCxt, KeywordErrorDefinition } from "ajv";
import { _, type Name } from "ajv";
import { and, type Code, not } from "ajv/dist/compile/codegen/index.js";
import type { KeywordErrorCxt } from "ajv/dist/types/index.js";
import { allUnique, exactKey } from "./exact-key.js";
import { comparableNames, expectedAlternatives, expectedValues } from "./expected.js";
import { Meter, memberStepsKeyword, stepsKeyword } from "./meter.js";
import { isMultipleOf } from "./multiple-of.js";
import { isLonger, isShorter } from "./text-length.js";

/** Primitives that a generated `===` chain tests faster than a set. */
const longestChain = 16;

/** A test that no generated code does. */
export type Holds = (value: never) => boolean;

/**
 * Keywords that replace Ajv's, where Ajv's are inexact, quadratic or see
 * inherited names; and the meter's own.
 *
 * @param holds The tests that `unevaluatedProperties` and `unevaluatedItems`
 *   stand for: an emitted schema carries their index.
 */
export function keywords(meter: Meter, holds: readonly Holds[]): CodeKeywordDefinition[] {
  return [
    {
      keyword: stepsKeyword,
      // A charge must precede what it pays for.
      before: "$ref",
      schemaType: "number",
      code: (cxt) => charge(cxt, meter, _`${cxt.schema}`),
    },
    {
      keyword: memberStepsKeyword,
      before: "maxProperties",
      type: "object",
      schemaType: "number",
      code: (cxt) => charge(cxt, meter, _`${cxt.schema} * Object.keys(${cxt.data}).length`),
    },
    {
      keyword: "maxLength",
      type: "string",
      schemaType: "number",
      error: limitError,
      code(cxt) {
        const { gen, data, schema } = cxt;
        const longer = call(cxt, isLonger);
        cxt.fail(
          _`${data}.length > ${schema} && ${longer}(${data}, ${schema}, ${meterName(gen, meter)})`,
        );
      },
    },
    {
      keyword: "minLength",
      type: "string",
      schemaType: "number",
      error: limitError,
      code(cxt) {
        const { gen, data, schema } = cxt;
        const shorter = call(cxt, isShorter);
        const twice = 2 * (schema as number);
        cxt.fail(
          _`${data}.length < ${twice} && ${shorter}(${data}, ${schema}, ${meterName(gen, meter)})`,
        );
      },
    },
    {
      keyword: "multipleOf",
      type: "number",
      schemaType: "number",
      error: limitError,
      code(cxt) {
        const { gen, data, schema } = cxt;
        const multiple = call(cxt, isMultipleOf);
        cxt.fail(_`!${multiple}(${data}, ${schema}, ${meterName(gen, meter)})`);
      },
    },
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      code(cxt) {
        const { gen, data, schema } = cxt;
        if (schema !== true) return;
        const unique = call(cxt, allUnique);
        cxt.fail(_`${data}.length > 1 && !${unique}(${data}, ${meterName(gen, meter)})`);
      },
    },
    {
      keyword: "const",
      error: saying(({ schema }) => _`{expected: ${expectedValues([schema])}}`),
      code: (cxt) => oneOf(cxt, [cxt.schema], meter),
    },
    {
      keyword: "enum",
      schemaType: "array",
      error: saying(({ schema }) => _`{expected: ${expectedValues(schema)}}`),
      code: (cxt) => oneOf(cxt, cxt.schema as unknown[], meter),
    },
    {
      keyword: "unevaluatedProperties",
      type: "object",
      code: (cxt) => cxt.fail(_`!${call(cxt, holds[cxt.schema as number] as Holds)}(${cxt.data})`),
    },
    {
      keyword: "unevaluatedItems",
      type: "array",
      code: (cxt) => cxt.fail(_`!${call(cxt, holds[cxt.schema as number] as Holds)}(${cxt.data})`),
    },
  ];
}

type Parameters = (cxt: KeywordErrorCxt) => Code;

/** An error without a message: its parameters are put into words later. */
function saying(params: Parameters): KeywordErrorDefinition {
  return { message: "", params };
}

const limitError = saying(({ schemaCode }) => _`{limit: ${schemaCode as Code}}`);

/** What errors of Ajv's own keywords must tell beside what they do. */
export const tellingErrors: ReadonlyMap<string, KeywordErrorDefinition> = new Map([
  ["anyOf", saying(({ schema }) => _`{expected: ${expectedAlternatives(schema)}}`)],
  [
    "oneOf",
    saying(
      ({ schema, params }) =>
        _`{passingSchemas: ${params.passing as Name}, expected: ${expectedAlternatives(schema)}}`,
    ),
  ],
  [
    "additionalProperties",
    saying(({ gen, params, parentSchema }) => {
      const declared = gen.scopeValue("obj", { ref: comparableNames(parentSchema?.properties) });
      return _`{additionalProperty: ${params.additionalProperty as Name}, declared: ${declared}}`;
    }),
  ],
]);

function charge({ gen }: KeywordCxt, meter: Meter, steps: Code): void {
  gen.code(_`${meterName(gen, meter)}.take(${steps})`);
}

function oneOf(cxt: KeywordCxt, allowed: readonly unknown[], meter: Meter): void {
  const { gen, data } = cxt;
  const simple = allowed.every((value) => typeof value !== "object" || value === null);
  if (simple && allowed.length <= longestChain) {
    const differs = allowed.map((value) => _`${data} !== ${value as string}`);
    cxt.fail(allowed.length === 0 ? _`true` : and(...differs));
    return;
  }
  // Keys made once, by a meter that nothing else uses up.
  const keys = new Set(allowed.map((value) => exactKey(value, unlimited)));
  const known = gen.scopeValue("obj", { ref: keys });
  const key = call(cxt, exactKey);
  const found = _`${known}.has(${key}(${data}, ${meterName(gen, meter)}))`;
  // A value without members is cheap to tell from allowed arrays and objects.
  const compound = _`typeof ${data} == "object" && ${data} !== null`;
  cxt.fail(simple ? _`(${compound}) || !${found}` : not(found));
}

const unlimited = new Meter(Number.POSITIVE_INFINITY);

function call({ gen }: KeywordCxt, ref: (...args: never[]) => unknown): Name {
  return gen.scopeValue("func", { key: ref, ref });
}

function meterName(gen: KeywordCxt["gen"], meter: Meter): Name {
  return gen.scopeValue("obj", { key: meter, ref: meter });
}
