import type { JsonObject } from "@toolstile/core";
import type { GuardrailPlugin } from "@toolstile/core/provider";
import { type RedactOptions, redact } from "./guard.js";
import { kindNames } from "./kinds/kinds.js";
import { type ModelJudgeData, modelJudge } from "./outside/model-judge.js";
import { type PresidioData, presidio } from "./outside/presidio.js";
import { redactActions } from "./redactor/actions.js";

/** Tokens need a store, which is code. */
const actions: JsonObject = { enum: redactActions.filter((action) => action !== "token") };
const names = ["secret", "personal", ...kindNames];
const onFound: JsonObject = { enum: ["allow", "mask", "deny"] };

/** The options of `redact()` that data can say, and two recognisers. */
export interface RedactData extends Omit<RedactOptions, "tokens" | "recognizers"> {
  readonly presidio?: PresidioData | undefined;
  readonly modelJudge?: ModelJudgeData | undefined;
}

const words: JsonObject = { type: "string", minLength: 1 };
const bounds: Readonly<Record<string, JsonObject>> = {
  timeoutMs: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 },
  maxCharacters: { type: "integer", minimum: 1, maximum: 2 ** 30 },
  name: words,
};
const kindPattern = "^personal\\.[a-z0-9_]{1,39}$";
/** Kinds that a recogniser finds may have an action, too. */
const named: JsonObject = { anyOf: [{ enum: names }, { pattern: kindPattern }] };
const digits: JsonObject = { type: "string", pattern: "^[0-9]{4,19}$" };

function members(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

/** The redactor as configuration names it. */
export const plugin: GuardrailPlugin<RedactData> = {
  name: "redact",
  optionsSchema: {
    type: "object",
    properties: {
      arguments: onFound,
      results: onFound,
      kinds: { type: "array", items: { enum: names }, minItems: 1 },
      action: {
        anyOf: [actions, { type: "object", propertyNames: named, additionalProperties: actions }],
      },
      paths: {
        type: "object",
        propertyNames: { pattern: "^(?:/[^/]*)+$" },
        additionalProperties: { anyOf: [{ const: "keep" }, actions] },
      },
      allow: {
        type: "array",
        items: {
          anyOf: [
            { type: "string" },
            members({ domain: words }, ["domain"]),
            members({ range: words }, ["range"]),
            members({ from: digits, to: digits }, ["from", "to"]),
          ],
        },
      },
      key: { type: "string", minLength: 16 },
      encoded: { type: "boolean" },
      name: words,
      presidio: members(
        {
          url: words,
          entities: {
            type: "array",
            items: { type: "string", pattern: "^[A-Z][A-Z0-9_]{0,38}$" },
            minItems: 1,
          },
          language: words,
          scoreThreshold: { type: "number", minimum: 0, maximum: 1 },
          ...bounds,
        },
        ["url"],
      ),
      modelJudge: members(
        {
          baseUrl: words,
          model: words,
          apiKeyEnvVar: words,
          kinds: {
            type: "object",
            propertyNames: { pattern: kindPattern },
            additionalProperties: words,
            minProperties: 1,
          },
          responseFormat: { enum: ["json_schema", "json_object"] },
          parameters: { type: "object" },
          ...bounds,
        },
        ["baseUrl", "model"],
      ),
    },
    additionalProperties: false,
  },
  create({ presidio: analyzer, modelJudge: model, ...rest }) {
    const recognizers = [
      ...(analyzer === undefined ? [] : [presidio(analyzer)]),
      ...(model === undefined ? [] : [modelJudge(model)]),
    ];
    return redact({ ...rest, ...(recognizers.length === 0 ? {} : { recognizers }) });
  },
};
