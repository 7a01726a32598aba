import type { CodeKeywordDefinition, ErrorObject, Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { emitSchema } from "./emit.js";
import {
  type EvaluationSetting,
  unevaluatedItemsHold,
  unevaluatedPropertiesHold,
} from "./evaluated.js";
import { type Holds, keywords, tellingErrors } from "./keywords.js";
import type { Meter } from "./meter.js";
import type { Pattern } from "./patterns/pattern.js";
import type { Plain } from "./plain-copy.js";
import type { SchemaNode } from "./schema-graph.js";

/** A function that Ajv made; its errors stay on it until the next call. */
export interface Validator {
  (value: unknown, context?: object): boolean;
  errors?: ErrorObject[] | null | undefined;
}

export interface ValidatorSetting {
  readonly nodes: readonly SchemaNode[];
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly meter: Meter;
  /** Whether each schema charges the meter for its own checks. */
  readonly metered: boolean;
  /** Whether inherited properties may be in the way. */
  readonly ownProperties: boolean;
}

/** Compiles a graph with an Ajv of its own, which nothing keeps afterwards. */
export function compileValidator(setting: ValidatorSetting): Validator {
  const { nodes, patterns, meter, ownProperties } = setting;
  const validators = new Map<SchemaNode, Validator>();
  const evaluation: EvaluationSetting = {
    patterns,
    meter,
    isValid: (node, value) => (validators.get(node) as Validator)(value, rootContext()),
  };
  const holds: Holds[] = [];
  const ajv = new Ajv2020({
    ...everyOption,
    ownProperties,
    // Where Ajv does not loop, it takes a missing property named "" for none.
    loopRequired: namesRead(nodes).names.has("") ? 0 : 50,
    code: {
      optimize: false,
      regExp: Object.assign((source: string) => patterns.get(source) as Pattern, {
        code: "pattern",
      }),
    },
  });
  // The class insists on both, and the graph has neither dynamic references nor Ajv's tracking.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = false;
  for (const definition of keywords(meter, holds)) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
  for (const [keyword, error] of tellingErrors) {
    replace(ajv, keyword, (definition) => ({ ...definition, error }));
  }
  for (const keyword of ["anyOf", "oneOf", "contains"]) replace(ajv, keyword, quiet);
  const emitted = emitSchema(nodes, setting.metered, (node, keyword) => {
    const index =
      keyword === "unevaluatedItems"
        ? holds.push((value) => unevaluatedItemsHold(node, value, evaluation))
        : holds.push((value) => unevaluatedPropertiesHold(node, value, evaluation));
    return index - 1;
  });
  ajv.addSchema(emitted.schema, schemaName);
  for (const [node, place] of emitted.places) {
    validators.set(node, stripped(ajv.getSchema(`${schemaName}${place}`)));
  }
  return stripped(ajv.getSchema(schemaName));
}

function replace(
  ajv: Ajv2020,
  keyword: string,
  change: (definition: CodeKeywordDefinition) => CodeKeywordDefinition,
): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  ajv.removeKeyword(keyword);
  ajv.addKeyword(change(definition));
}

/** The keyword without errors from its branches, which would be thrown away: the keyword's own says it. */
function quiet(definition: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...definition,
    code(cxt) {
      const apply = cxt.subschema.bind(cxt);
      cxt.subschema = (applied, valid) => apply({ ...applied, createErrors: false }, valid);
      definition.code(cxt);
    },
  };
}

const schemaName = "schema";

/** Lets go of what only the making of a validator needs. */
function stripped(validate: unknown): Validator {
  return Object.assign(validate as Validator, { schema: undefined, schemaEnv: undefined });
}

/** A validator's second argument, written out: what is missing would be looked for in the prototype. */
export function rootContext(): object {
  return { instancePath: "", parentData: null, parentDataProperty: "", rootData: null };
}

/**
 * Every option by name, also those left at their defaults: Ajv reads options
 * from an ordinary object, where a polluted `Object.prototype` would answer.
 */
const everyOption: Options = {
  strict: false,
  logger: false,
  meta: false,
  defaultMeta: {},
  validateSchema: false,
  addUsedSchema: false,
  validateFormats: false,
  formats: {},
  keywords: [],
  schemas: [],
  messages: false,
  verbose: false,
  allErrors: false,
  inlineRefs: false,
  jtd: false,
  schemaId: "$id",
  $data: false,
  $comment: false as never,
  discriminator: false,
  unicodeRegExp: true,
  allowDate: false,
  removeAdditional: false,
  useDefaults: false,
  coerceTypes: false,
  passContext: false,
  loopEnum: 200,
  int32range: true,
  strictNumbers: true,
  strictTuples: false,
  strictTypes: false,
  strictRequired: false,
  allowMatchingProperties: true,
  allowUnionTypes: true,
};

/** The names that a graph's checks read from a value, and whether they walk all members. */
export function namesRead(nodes: readonly SchemaNode[]): {
  readonly names: ReadonlySet<string>;
  readonly walksMembers: boolean;
} {
  const names = new Set<string>();
  let walksMembers = false;
  for (const { assertions, one, maps } of nodes) {
    for (const name of (assertions.get("required") ?? []) as readonly string[]) names.add(name);
    for (const [name, list] of Object.entries(assertions.get("dependentRequired") ?? {})) {
      names.add(name);
      for (const needed of list as Plain[]) names.add(String(needed));
    }
    for (const keyword of ["properties", "dependentSchemas"]) {
      for (const name of maps.get(keyword)?.keys() ?? []) names.add(name);
    }
    walksMembers ||=
      maps.has("patternProperties") ||
      one.has("additionalProperties") ||
      one.has("propertyNames") ||
      one.has("unevaluatedProperties");
  }
  return { names, walksMembers };
}
