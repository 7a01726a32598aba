import {
  checkOptions,
  type Guardrail,
  type JsonObject,
  nearest,
  quoted,
  type ToolObserver,
  ToolstileError,
} from "@toolstile/core";
import { type Create, prepareNamed } from "./create-from-plugin.js";
import { fault, importPluginModule } from "./plugin-module.js";

/** A guardrail or observer, named in data. */
export interface PluginReference {
  /** A package ("@toolstile/rate-limit", "some-package/sub") or a file ("./guards/mine.js"). */
  readonly use: string;
  /** The options, as the plugin's own schema takes them. Absent: none. */
  readonly with?: JsonObject | undefined;
}

export interface LoadPluginOptions {
  /** What names are resolved from: a folder, or a file: URL such as `import.meta.url`. */
  readonly base: string;
  /** The place in the configuration, as errors name it. Default "plugin". */
  readonly where?: string | undefined;
  /**
   * Imports in place of Node. It is given a package's name as written, which
   * then resolves from the file where this function is written, or a file: URL.
   */
  readonly import?: ((specifier: string) => Promise<unknown>) | undefined;
}

/**
 * Loads the plugin that data names, and makes its guardrail or observer.
 *
 * A package is the one that `import` in a file of `base` would take. Loading
 * runs the module's code: a configuration is trusted as code is.
 *
 * @throws ToolstileError `ERR_PLUGIN` for a plugin that cannot be found,
 *   imported or used, or whose options do not fit its schema; it names `where`
 *   and `use`. `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION` for a reference or
 *   options of another shape.
 */
export async function loadPlugin(
  reference: PluginReference,
  options: LoadPluginOptions,
): Promise<Guardrail | ToolObserver> {
  checkOptions("loadPlugin()", options, ["base", "where", "import"]);
  const { base, where = "plugin", import: importModule } = own(options);
  if (typeof base !== "string" || typeof where !== "string") {
    throw new ToolstileError("ERR_INVALID_OPTION", "loadPlugin() takes base and where as text.");
  }
  if (importModule !== undefined && typeof importModule !== "function") {
    throw new ToolstileError("ERR_INVALID_OPTION", "loadPlugin() takes import as a function.");
  }
  checkOptions(where, reference, ["use", "with"]);
  const { use, with: given } = own(reference);
  if (typeof use !== "string" || use === "") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${where} needs use: the name of a package, or the path of a file.`,
    );
  }
  return (await preparePlugin({ use, with: given }, { base, where, import: importModule }))();
}

/**
 * Finds the plugin that data names and checks its options, and makes nothing yet.
 *
 * @throws ToolstileError `ERR_PLUGIN`
 */
export async function preparePlugin(
  reference: PluginReference,
  options: LoadPluginOptions & { readonly where: string },
): Promise<Create> {
  const { use, with: given } = reference;
  const { base, where, import: importModule } = options;
  const module = await importPluginModule(use, base, importModule, where);
  return prepareNamed(pluginOf(module, use, where), given, where, use);
}

/** Own members only: a polluted prototype names no plugin and gives no options. */
function own<T extends object>(value: T): T {
  return Object.assign(Object.create(null), value);
}

function pluginOf(module: unknown, use: string, where: string): unknown {
  const exported = Object(module) as Record<string, unknown>;
  if (Object.hasOwn(exported, "plugin")) return exported["plugin"];
  const names = Object.keys(exported);
  const guess = nearest("plugin", names);
  const isDefault = Object.hasOwn(Object(exported["default"]) as object, "create");
  const hint = isDefault
    ? " Its default export looks like one: export it as 'plugin'."
    : guess === undefined
      ? ""
      : ` Its export ${quoted(guess)} is the nearest.`;
  throw fault(where, use, `exports no 'plugin'.${hint}`);
}
