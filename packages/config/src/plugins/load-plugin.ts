import type { Guardrail, JsonObject, ToolObserver } from "@toolstile/core";
import {
  func,
  nearest,
  nonEmptyText,
  type OptionTable,
  quoted,
  readOptions,
  text,
  unchecked,
} from "@toolstile/core/provider";
import { guardOrObserver, prepareNamed } from "./create-from-plugin.js";
import { fault, importPluginModule } from "./plugin-module.js";

/** A guardrail or observer, named in data. */
export interface PluginReference {
  /** A package ("@toolstile/rate-limit", "some-package/sub") or a file ("./guards/mine.js"). */
  readonly use: string;
  /** The options, as the plugin's own schema takes them. Absent: none. */
  readonly with?: JsonObject | undefined;
}

export interface LoadPluginOptions {
  /** The base of names: a folder, or a file: URL such as `import.meta.url`. */
  readonly base: string;
  /** The place in the configuration, as errors name it. Default "plugin". */
  readonly where?: string | undefined;
  /**
   * Imports in place of Node. It is given a package's name as written, which
   * then resolves from the file where this function is written, or a file: URL.
   */
  readonly import?: ((specifier: string) => Promise<unknown>) | undefined;
}

const loadTable = {
  base: text().required(),
  where: text().default("plugin"),
  import: func<(specifier: string) => Promise<unknown>>(),
} satisfies OptionTable<LoadPluginOptions>;

const referenceTable = {
  use: nonEmptyText("the name of a package, or the path of a file").required(),
  // The plugin's own schema checks them.
  with: unchecked<JsonObject>(),
} satisfies OptionTable<PluginReference>;

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
  const given = readOptions("loadPlugin()", options, loadTable);
  const { use, with: chosen } = readOptions(given.where, reference, referenceTable);
  return prepareNamed(await findPlugin(use, given), chosen, given.where, use, guardOrObserver)();
}

/**
 * Finds the plugin that data names, and asks nothing of it yet.
 *
 * @throws ToolstileError `ERR_PLUGIN`
 */
export async function findPlugin(
  use: string,
  { base, where, import: importModule }: LoadPluginOptions & { readonly where: string },
): Promise<unknown> {
  return pluginOf(await importPluginModule(use, base, importModule, where), use, where);
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
