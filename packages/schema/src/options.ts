import {
  boolean,
  nonEmptyText,
  type OptionsOf,
  type OptionTable,
  oneOf,
  readOptions,
  whole,
} from "@toolstile/core/provider";
import type { CompileSetting } from "./admission/compile.js";
import { type Draft, drafts } from "./drafts/dialects.js";

/** The options for reading a schema. */
export interface CompileOptions {
  /** The draft of a schema without `$schema`. Default "2020-12". */
  readonly defaultDraft?: Draft | undefined;
  /**
   * UTF-16 code units of text that a pattern is tried on where native matching
   * is not proved linear. A longer text is denied. Default 65,536.
   */
  readonly maxPatternInput?: number | undefined;
  /**
   * What becomes of a `pattern` that cannot be run at bounded cost: its schema
   * is refused, or the rest of the schema holds without it, and every verdict
   * says which were left out. Default "refuse".
   */
  readonly unsupportedPatterns?: "refuse" | "skip" | undefined;
}

export interface SchemaValidationOptions extends CompileOptions {
  /** Default "schema". */
  readonly name?: string | undefined;
  /** Turn text into the number or boolean it spells, and numbers and booleans into text, where the schema wants that. A MODIFY. */
  readonly coerceTypes?: boolean | undefined;
  /** Fill in `default` for absent properties. A MODIFY. */
  readonly applyDefaults?: boolean | undefined;
  /** Drop a null given for an optional property that takes none. A MODIFY. */
  readonly dropNulls?: boolean | undefined;
  /** Deny properties that a schema with `properties` does not list, also where it leaves `additionalProperties` open. */
  readonly forbidUndeclared?: boolean | undefined;
  /** Hold structured results to the tool's `outputSchema`. Default true. */
  readonly resultSchema?: boolean | undefined;
}

const largestPatternInput = 1024 * 1024;

const compileOptions = {
  defaultDraft: oneOf(...drafts).default("2020-12"),
  maxPatternInput: whole(1, largestPatternInput).default(64 * 1024),
  unsupportedPatterns: oneOf("refuse", "skip").default("refuse"),
} satisfies OptionTable<CompileOptions>;

const validationOptions = {
  ...compileOptions,
  name: nonEmptyText().default("schema"),
  coerceTypes: boolean().default(false),
  applyDefaults: boolean().default(false),
  dropNulls: boolean().default(false),
  forbidUndeclared: boolean().default(false),
  resultSchema: boolean().default(true),
} satisfies OptionTable<SchemaValidationOptions>;

export function readCompileOptions(where: string, options: CompileOptions): CompileSetting {
  return readOptions(where, options, compileOptions);
}

export type SchemaValidationSetting = OptionsOf<typeof validationOptions>;

export function readValidationOptions(
  where: string,
  options: SchemaValidationOptions,
): SchemaValidationSetting {
  return readOptions(where, options, validationOptions);
}
