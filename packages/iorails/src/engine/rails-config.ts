import {
  invalidOption,
  type OptionTable,
  optionError,
  readOptions,
  text,
  unchecked,
} from "@toolstile/core/provider";
import type { ConfigContent, LoadedConfig } from "../config/load.js";
import type { RailsConfigData } from "../config/model.js";
import { engineChecks, loadModules, type Modules } from "./modules.js";

/** The parts of a configuration beside its content. */
const hidden = new WeakMap<RailsConfig, { modules: Modules; unsupported: string | undefined }>();

const contentOptions = {
  yaml: text(),
  // Its content is read, and refused, with its place.
  config: unchecked<object>(),
  colang: text(),
} satisfies OptionTable<ConfigContent>;

/**
 * A NeMo Guardrails configuration, read and checked, and frozen with every default filled in.
 *
 * Everything that is wrong in it is one `ERR_CONFIG` with a line for each problem: file,
 * path, what is expected, position. Stricter than upstream: an unknown key, a
 * misspelt flow, a repeated model type and two files that contradict each other
 * are errors, where upstream drops or overwrites. A configuration that is right
 * but meant for the other engine loads: see `unsupportedReason`. Environment
 * variables are not read here.
 */
export class RailsConfig {
  readonly data: RailsConfigData;
  /** The base of relative names of packages and files in it; absent for what a program holds. */
  readonly folder: string | undefined;

  private constructor({ data, folder, unsupported }: LoadedConfig, modules: Modules) {
    this.data = data;
    this.folder = folder;
    hidden.set(this, { modules, unsupported });
  }

  /**
   * Reads a folder, or one `.yml` or `.yaml` file.
   *
   * A folder is read with all that is below it, in the order of the names.
   *
   * @throws ToolstileError `ERR_CONFIG`; `ERR_INVALID_OPTION` if `path` is not a path.
   */
  static async fromPath(path: string): Promise<RailsConfig> {
    if (typeof path !== "string" || path === "") {
      throw optionError("RailsConfig.fromPath", "path", "the path of a folder or a file", path);
    }
    const { loadPath } = await import("../config/load.js");
    return RailsConfig.#of(await loadPath(path, engineChecks));
  }

  /**
   * Reads what a program holds: first the object, then the YAML, merged like two files.
   *
   * @throws ToolstileError `ERR_CONFIG`, with `<config>` or `<yaml>` for the
   *   file's name; `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for other content.
   */
  static async fromContent(content: ConfigContent): Promise<RailsConfig> {
    const read = readOptions("RailsConfig.fromContent()", content, contentOptions);
    const { loadContent } = await import("../config/load.js");
    return RailsConfig.#of(await loadContent(read, engineChecks));
  }

  static async #of(loaded: LoadedConfig): Promise<RailsConfig> {
    return new RailsConfig(loaded, await loadModules(loaded));
  }
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for what is no configuration, such as a promise of one. */
export function checkIsConfig(where: string, config: unknown): void {
  if (config instanceof RailsConfig) return;
  throw invalidOption(
    where,
    "the first argument must be a RailsConfig, from RailsConfig.fromPath() or RailsConfig.fromContent(). Was it awaited?",
  );
}

/**
 * The reason why a configuration that is right is not for this engine; `undefined` if it is.
 *
 * It is the first of NeMo's conditions that fails, in its order and words.
 */
export function unsupportedReason(config: RailsConfig): string | undefined {
  if (!(config instanceof RailsConfig))
    throw optionError("unsupportedReason()", "config", "a RailsConfig", config);
  return hidden.get(config)?.unsupported;
}

/** The modules that a configuration uses. */
export function modulesOf(config: RailsConfig): Modules {
  return (hidden.get(config) as { modules: Modules }).modules;
}
