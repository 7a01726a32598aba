import { createRequire } from "node:module";
import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";

/**
 * Loads a package that not every user needs, at the moment at which it is needed.
 *
 * @param from The `import.meta.url` of the module that needs it.
 * @param what The thing that needs it, as the error names it.
 * @throws ToolstileError `ERR_CONFIG` with the command that installs it.
 */
export function optionalPackage<Module>(name: string, from: string, what: string): Module {
  try {
    return createRequire(from)(name) as Module;
  } catch (cause) {
    throw new ToolstileError(
      "ERR_CONFIG",
      `${what} needs the package ${quoted(name)}, which cannot be loaded. Install it beside this one: npm install ${name}`,
      { cause },
    );
  }
}
