import { ToolstileError } from "@toolstile/core";
import { expect } from "vitest";
import { type CompileOptions, compileSchema } from "../src/index.js";

/** Why a schema is refused, or "admitted". */
export function refusal(schema: unknown, options?: CompileOptions): string {
  try {
    compileSchema(schema, options);
  } catch (error) {
    expect(ToolstileError.isInstance(error) && error.code).toBe("ERR_TOOL_REFUSED");
    return (error as Error).message;
  }
  return "admitted";
}
