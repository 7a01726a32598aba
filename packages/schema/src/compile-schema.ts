import { compile } from "./admission/compile.js";
import { refusal } from "./document/inadmissible.js";
import { plainCopy } from "./document/plain-copy.js";
import { type CompileOptions, readCompileOptions } from "./options.js";
import type { Violation } from "./violations/violation.js";

/** A schema that was admitted: any check of a value inside the caps is of bounded cost. */
export interface CompiledSchema {
  /** The first violation, or nothing. Never throws: what goes wrong in checking is a violation. */
  readonly check: (value: unknown) => Violation | undefined;
  /** JSON Pointers to each `pattern` that `unsupportedPatterns: "skip"` left out. */
  readonly skippedPatterns: readonly string[];
}

/**
 * Compiles one JSON Schema, for values that are plain JSON.
 *
 * It is not cached: keep what it returns.
 *
 * @throws ToolstileError `ERR_TOOL_REFUSED` naming the place and the reason,
 *   when the schema is invalid or cannot be held to a bounded cost.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const setting = readCompileOptions("compileSchema()", options);
  try {
    const compiled = compile(plainCopy(schema).value, setting);
    return Object.freeze({
      check: (value: unknown) => compiled.check(value),
      skippedPatterns: compiled.skipped,
    });
  } catch (error) {
    throw refusal("The schema", error);
  }
}
