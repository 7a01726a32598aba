import { compile } from "./compile.js";
import { refusal } from "./inadmissible.js";
import { type CompileOptions, readCompileOptions } from "./options.js";
import { plainCopy } from "./plain-copy.js";
import type { Violation } from "./violation.js";

/** A schema that was admitted: any check of a value inside the caps is of bounded cost. */
export interface CompiledSchema {
  /** The first violation, or nothing. Never throws: what goes wrong in checking is a violation. */
  readonly check: (value: unknown) => Violation | undefined;
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
    return Object.freeze({ check: (value: unknown) => compiled.check(value) });
  } catch (error) {
    throw refusal("The schema", error);
  }
}
