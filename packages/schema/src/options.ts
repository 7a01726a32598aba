import { checkOptions, quoted, ToolstileError } from "@toolstile/core";
import type { CompileSetting } from "./compile.js";
import { type Draft, drafts } from "./dialects.js";

/** How schemas are read. */
export interface CompileOptions {
  /** The draft of a schema without `$schema`. Default "2020-12". */
  readonly defaultDraft?: Draft | undefined;
  /**
   * UTF-16 code units of text that a pattern is tried on where native matching
   * is not proved linear. A longer text fails the pattern. Default 65,536.
   */
  readonly maxPatternInput?: number | undefined;
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
  /** Compiled schemas kept. Default 1,000. */
  readonly cacheSize?: number | undefined;
}

const compileOptionNames = ["defaultDraft", "maxPatternInput"] as const;
const optionNames = [
  "name",
  ...compileOptionNames,
  "coerceTypes",
  "applyDefaults",
  "dropNulls",
  "forbidUndeclared",
  "resultSchema",
  "cacheSize",
] as const;

const largestPatternInput = 1024 * 1024;
const largestCache = 100_000;

export function readCompileOptions(where: string, options: CompileOptions): CompileSetting {
  checkOptions(where, options, compileOptionNames);
  return readSetting(new OptionReader(where, options));
}

export type SchemaValidationSetting = Required<{
  [Name in keyof SchemaValidationOptions]: NonNullable<SchemaValidationOptions[Name]>;
}>;

export function readOptions(
  where: string,
  options: SchemaValidationOptions,
): SchemaValidationSetting {
  checkOptions(where, options, optionNames);
  const reader = new OptionReader(where, options);
  return {
    ...readSetting(reader),
    name: reader.text("name", "schema"),
    coerceTypes: reader.flag("coerceTypes", false),
    applyDefaults: reader.flag("applyDefaults", false),
    dropNulls: reader.flag("dropNulls", false),
    forbidUndeclared: reader.flag("forbidUndeclared", false),
    resultSchema: reader.flag("resultSchema", true),
    cacheSize: reader.count("cacheSize", 1000, largestCache),
  };
}

function readSetting(reader: OptionReader): CompileSetting {
  return {
    defaultDraft: reader.draft("defaultDraft", "2020-12"),
    maxPatternInput: reader.count("maxPatternInput", 64 * 1024, largestPatternInput),
  };
}

class OptionReader {
  private readonly where: string;
  private readonly options: object;

  constructor(where: string, options: object) {
    this.where = where;
    this.options = options;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.own(name) ?? fallback;
    if (typeof value !== "boolean") throw this.wrong(name, "true or false");
    return value;
  }

  count(name: string, fallback: number, most: number): number {
    const value = this.own(name) ?? fallback;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > most) {
      throw this.wrong(name, `a whole number from 1 to ${most}`);
    }
    return value;
  }

  text(name: string, fallback: string): string {
    const value = this.own(name) ?? fallback;
    if (typeof value !== "string" || value === "") throw this.wrong(name, "a non-empty string");
    return value;
  }

  draft(name: string, fallback: Draft): Draft {
    const value = this.own(name) ?? fallback;
    const draft = drafts.find((known) => known === value);
    if (draft === undefined) throw this.wrong(name, `one of ${drafts.map(quoted).join(", ")}`);
    return draft;
  }

  private own(name: string): unknown {
    return Object.getOwnPropertyDescriptor(this.options, name)?.value;
  }

  private wrong(name: string, right: string): ToolstileError {
    return new ToolstileError("ERR_INVALID_OPTION", `${this.where}: ${name} must be ${right}.`);
  }
}
