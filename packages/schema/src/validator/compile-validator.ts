import type { CodeKeywordDefinition, Options } from "ajv";
import type { Meter } from "../cost/meter.js";
import type { SchemaNode } from "../graph/schema-node.js";
import type { Pattern } from "../patterns/pattern.js";
import { ajvKeywords } from "./ajv-keywords.js";
import { emitSchema } from "./emit-schema.js";
import type { LoadedAjv } from "./load-ajv.js";

export interface ValidatorSetting {
  readonly nodes: readonly SchemaNode[];
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly meter: Meter;
}

export type Validator = (value: unknown) => boolean;

/**
 * Makes what compiles graphs, with one Ajv for all of them: to make an Ajv takes longer than to compile a small graph.
 *
 * Between two graphs it keeps nothing: neither a schema, nor a value that code refers to.
 */
export function validatorCompiler(loaded: LoadedAjv): (setting: ValidatorSetting) => Validator {
  const { Ajv2020, codegen } = loaded;
  let current: ValidatorSetting | undefined;
  const setting = (): ValidatorSetting => current as ValidatorSetting;
  const pattern = (source: string): Pattern => setting().patterns.get(source) as Pattern;
  const regExp = Object.assign(pattern, { code: "pattern" });
  const ajv = new Ajv2020({ ...everyOption, code: { optimize: false, regExp } });
  // The class insists on both, and the graph has neither dynamic references nor Ajv's tracking.
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = false;
  for (const definition of ajvKeywords(loaded, () => setting().meter)) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
  for (const keyword of ["allOf", "anyOf", "oneOf", "contains"]) {
    const definition = quiet(ajv.getKeyword(keyword) as CodeKeywordDefinition);
    ajv.removeKeyword(keyword);
    ajv.addKeyword(definition);
  }
  return (given) => {
    current = given;
    const { scope } = ajv;
    Object.assign(ajv, { scope: new codegen.ValueScope({ ...scope.opts, scope: {} }) });
    try {
      const validate = ajv.compile(emitSchema(given.nodes)) as Validator;
      // Lets go of what only the making of a validator needs.
      return Object.assign(validate, { schema: undefined, schemaEnv: undefined });
    } finally {
      Object.assign(ajv, { scope });
      ajv.removeSchema();
      current = undefined;
    }
  };
}

/** The keyword without errors from its branches, which are not used. */
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
  ownProperties: false,
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
  loopRequired: 50,
  loopEnum: 200,
  int32range: true,
  strictNumbers: true,
  strictTuples: false,
  strictTypes: false,
  strictRequired: false,
  allowMatchingProperties: true,
  allowUnionTypes: true,
};
