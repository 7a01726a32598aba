import type { CodeKeywordDefinition, KeywordCxt, Name } from "ajv";
import type { Meter } from "../cost/meter.js";
import { allUnique, exactKey, unlimited } from "../interpreter/exact-key.js";
import { isMultipleOf } from "../interpreter/multiple-of.js";
import { isLonger, isShorter } from "../interpreter/text-length.js";
import type { LoadedAjv } from "./load-ajv.js";

/** Primitives that a generated `===` chain tests faster than a set. */
const longestChain = 16;

/**
 * The keywords that replace Ajv's, where Ajv's are inexact or quadratic.
 *
 * @param meter gives the meter of the graph that is being compiled.
 */
export function ajvKeywords({ codegen }: LoadedAjv, meter: () => Meter): CodeKeywordDefinition[] {
  const { _, and, not } = codegen;
  const call = ({ gen }: KeywordCxt, ref: (...args: never[]) => unknown): Name =>
    gen.scopeValue("func", { key: ref, ref });
  const meterName = ({ gen }: KeywordCxt): Name =>
    gen.scopeValue("obj", { key: meter, ref: meter() });

  const oneOf = (cxt: KeywordCxt, allowed: readonly unknown[]): void => {
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
    const found = _`${known}.has(${call(cxt, exactKey)}(${data}, ${meterName(cxt)}))`;
    // A value without members is cheap to tell from allowed arrays and objects.
    const compound = _`typeof ${data} == "object" && ${data} !== null`;
    cxt.fail(simple ? _`(${compound}) || !${found}` : not(found));
  };

  return [
    {
      keyword: "maxLength",
      type: "string",
      schemaType: "number",
      code(cxt) {
        const { data, schema } = cxt;
        const longer = _`${call(cxt, isLonger)}(${data}, ${schema}, ${meterName(cxt)})`;
        cxt.fail(_`${data}.length > ${schema} && ${longer}`);
      },
    },
    {
      keyword: "minLength",
      type: "string",
      schemaType: "number",
      code(cxt) {
        const { data, schema } = cxt;
        const shorter = _`${call(cxt, isShorter)}(${data}, ${schema}, ${meterName(cxt)})`;
        cxt.fail(_`${data}.length < ${2 * (schema as number)} && ${shorter}`);
      },
    },
    {
      keyword: "multipleOf",
      type: "number",
      schemaType: "number",
      code(cxt) {
        const multiple = call(cxt, isMultipleOf);
        cxt.fail(_`!${multiple}(${cxt.data}, ${cxt.schema}, ${meterName(cxt)})`);
      },
    },
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      code(cxt) {
        if (cxt.schema !== true) return;
        const unique = call(cxt, allUnique);
        cxt.fail(_`${cxt.data}.length > 1 && !${unique}(${cxt.data}, ${meterName(cxt)})`);
      },
    },
    {
      keyword: "const",
      code: (cxt) => oneOf(cxt, [cxt.schema]),
    },
    {
      keyword: "enum",
      schemaType: "array",
      code: (cxt) => oneOf(cxt, cxt.schema as unknown[]),
    },
  ];
}
