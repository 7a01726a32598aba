import { type CompileSetting, compile } from "../src/admission/compile.js";
import { plainCopy } from "../src/document/plain-copy.js";
import type { CompileOptions } from "../src/index.js";
import { readCompileOptions } from "../src/options.js";

/** Compiles a schema with generated code from its second check on, and without; every check is made in both ways, and the two must agree. */
export function compileBothWays(schema: unknown, options: CompileOptions = {}) {
  const setting: CompileSetting = readCompileOptions("compileBothWays()", options);
  const [withCode, without] = [0, Number.POSITIVE_INFINITY].map((codeAfter) =>
    compile(plainCopy(schema).value, setting, codeAfter),
  ) as [ReturnType<typeof compile>, ReturnType<typeof compile>];
  withCode.check(null);
  return {
    hasCode: withCode.hasCode,
    check(value: unknown) {
      const found = without.check(value);
      const again = withCode.check(value);
      if (JSON.stringify(found) === JSON.stringify(again)) return found;
      throw new Error(`Two verdicts: ${found?.message ?? "valid"}, ${again?.message ?? "valid"}.`);
    },
  };
}
