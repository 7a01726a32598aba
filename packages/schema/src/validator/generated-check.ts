import type { SchemaNode } from "../graph/schema-node.js";
import { type Validator, type ValidatorSetting, validatorCompiler } from "./compile-validator.js";
import { type LoadedAjv, loadAjv } from "./load-ajv.js";
import { namesRead } from "./names-read.js";
import { isRootUntouched, prototypeWatch } from "./prototype-watch.js";

/** Subschemas, names and values up to which code is generated: more takes longer to compile, and to run. */
const mostParts = 200;

/** Says of a value whether it is valid, and nothing else, by code generated for one schema. */
export interface GeneratedCheck {
  /** False if a property that the code reads may be inherited. */
  readonly isClean: () => boolean;
  readonly isValid: (value: unknown) => boolean;
}

/** Nothing where the runtime generates no code, and for a schema that is large or that Ajv gets wrong. */
export function generateCheck(setting: ValidatorSetting): GeneratedCheck | undefined {
  const { nodes } = setting;
  const { names, walksMembers } = namesRead(nodes);
  // Ajv takes a property named "" for none in places, and passes over one named `__proto__`.
  if (names.has("") || names.has("__proto__")) return undefined;
  if (parts(nodes) > mostParts || nodes.some(asksWhatIsLeft)) return undefined;
  const compile = compilerOf();
  if (compile === undefined) return undefined;
  return { isClean: prototypeWatch(names, walksMembers), isValid: compile(setting) };
}

let ajv: LoadedAjv | false | undefined;
let compiler: ((setting: ValidatorSetting) => Validator) | undefined;

function compilerOf(): typeof compiler {
  // Ajv reads its own objects without a look at whose a property is: what is planted could stand in for a validator.
  if (!isRootUntouched()) return undefined;
  ajv ??= loadAjv() ?? false;
  if (ajv === false) return undefined;
  compiler ??= validatorCompiler(ajv);
  return compiler;
}

/** Ajv follows what is evaluated through generated code, and gets `if` without `then`, nested `items` and `contains` wrong. */
function asksWhatIsLeft({ one }: SchemaNode): boolean {
  return one.has("unevaluatedProperties") || one.has("unevaluatedItems");
}

function parts(nodes: readonly SchemaNode[]): number {
  let count = nodes.length;
  for (const { assertions } of nodes) {
    count += assertions.size;
    for (const keyword of ["required", "enum"]) {
      count += ((assertions.get(keyword) ?? []) as readonly unknown[]).length;
    }
    const dependent = Object.values(assertions.get("dependentRequired") ?? {}) as string[][];
    // Each name has the whole list in its code.
    for (const needed of dependent) count += needed.length ** 2;
  }
  return count;
}
