import { createRequire } from "node:module";

/** The language as `@bufbuild/cel` has it. */
export type Cel = typeof import("@bufbuild/cel");

let loaded: Cel | undefined;

/** Loads the language when the first expression needs it: that takes longer than the rest of this package. */
export function loadCel(): Cel {
  loaded ??= createRequire(import.meta.url)("@bufbuild/cel") as Cel;
  return loaded;
}
