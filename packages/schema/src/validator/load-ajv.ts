import type { Ajv2020 } from "ajv/dist/2020.js";

/** The parts of Ajv from which a validator is made. */
export interface LoadedAjv {
  readonly Ajv2020: typeof Ajv2020;
  readonly codegen: typeof import("ajv/dist/compile/codegen/index.js");
}

/**
 * Loads Ajv, which takes longer than the rest of this package; nothing where
 * the runtime generates no code from text or has no such loader, as at the
 * edge and in a browser.
 */
export function loadAjv(): LoadedAjv | undefined {
  try {
    new Function("");
    // Named by no import: nothing of Node stands in a bundle.
    const module = globalThis.process.getBuiltinModule("node:module");
    const load = module.createRequire(import.meta.url);
    const { Ajv2020 } = load("ajv/dist/2020.js") as Pick<LoadedAjv, "Ajv2020">;
    return { Ajv2020, codegen: load("ajv/dist/compile/codegen/index.js") };
  } catch {
    return undefined;
  }
}
