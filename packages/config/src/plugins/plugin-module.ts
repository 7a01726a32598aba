import { statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Clock } from "@toolstile/core";
import {
  nearest,
  quoted,
  systemClock,
  ToolstileError,
  valueWithin,
} from "@toolstile/core/provider";
import { isFile, resolvePackage, splitName } from "./resolve-package.js";

export type ImportModule = (specifier: string) => Promise<unknown>;

/** The longest name that the npm registry takes is 214 characters; paths are longer. */
const longest = 1024;
const packageName = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:\/[\w@~+-][\w.@~+-]*)*$/;

const ownScope = "@toolstile";
const ownPlugins = [
  "allowlist",
  "approval",
  "audit-log",
  "containment",
  "rate-limit",
  "redact",
  "result-linkage",
  "rules",
  "schema",
];

const faults = {
  "not exported": "is installed but does not export this path for import",
  "no file": "is installed, but the file that it exports is not there: it may not be built",
  "malformed manifest": "is installed, but its package.json cannot be read",
};

/**
 * The module that a reference names.
 *
 * @param importModule Given a package's name as written or a file URL; without it, Node imports.
 * @throws ToolstileError `ERR_PLUGIN`
 */
export async function importPluginModule(
  use: string,
  base: string,
  importModule: ImportModule | undefined,
  where: string,
  clock: Clock = systemClock,
): Promise<unknown> {
  const specifier = specifierOf(use, base, importModule !== undefined, where);
  const bounds = { clock, timeoutMs: importWithinMs, caller: undefined };
  return valueWithin(bounds, imported(specifier, importModule, where, use), () => {
    const what = `was found, but importing it has not ended after ${importWithinMs / 1_000} s`;
    throw fault(where, use, what);
  });
}

/** A module may wait for something at its top, and for ever. */
const importWithinMs = 30_000;

async function imported(
  specifier: string,
  importModule: ImportModule = nativeImport,
  where: string,
  use: string,
): Promise<unknown> {
  try {
    return await importModule(specifier);
  } catch (cause) {
    // An import runs the module's own code, which has seen no options.
    const explained = ToolstileError.isInstance(cause) ? `: ${cause.message}` : "";
    const what = `was found, but importing it failed with ${className(cause)}${explained}${adviceOn(cause)}`;
    throw fault(where, use, what, cause);
  }
}

/** The meaning of Node's errors for a missing or unreadable module. Only the module's name is taken from their text. */
function adviceOn(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const message = cause instanceof Error ? cause.message : "";
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    const [, kind, name] = /^Cannot find (package|module) '([^']+)'/.exec(message) ?? [];
    if (name === undefined) return "";
    const install = kind === "package" ? `. ${howToInstall(splitName(name).name)}` : ".";
    return `: it imports ${quoted(name)}, which is not there${install}`;
  }
  const isTypeScript =
    code === "ERR_UNKNOWN_FILE_EXTENSION" && /^Unknown file extension "\.[cm]?ts"/.test(message);
  return isTypeScript || /TYPESCRIPT|TYPE_STRIPPING/.test(String(code)) ? `: ${noTypeScript}` : "";
}

const noTypeScript =
  "this Node cannot read this TypeScript. Compile it, and name the .js file; or, where it only has types to be taken out, run Node 22.18 or later.";

const nativeImport: ImportModule = (specifier) => import(/* @vite-ignore */ specifier);

function specifierOf(use: string, base: string, isInjected: boolean, where: string): string {
  const folder = folderOf(base);
  const file = localFile(use, folder);
  if (file !== undefined) {
    if (isFile(file)) return pathToFileURL(file).href;
    throw fault(where, use, "is not a file. Its path is relative to the configuration's folder.");
  }
  if (use.length > longest || !packageName.test(use)) {
    throw fault(
      where,
      use,
      "is neither the name of a package nor a path: a path begins with './', '../' or '/', and no URL is fetched.",
    );
  }
  if (isBuiltin(use))
    throw fault(where, use, "is a built-in module of Node, which exports no plugin.");
  if (isInjected) return use;
  const found = resolvePackage(use, folder);
  if ("url" in found) return found.url;
  if (found.fault !== "not installed") throw fault(where, use, `${faults[found.fault]}.`);
  throw fault(where, use, `is not installed. ${howToInstall(splitName(use).name)}`);
}

/** Says how to install a package. For a name that is nearly one of our packages, it suggests that one: the other may be hostile. */
function howToInstall(name: string): string {
  const meant = ownPlugin(name);
  if (meant !== undefined && meant !== name) return `Did you mean ${quoted(meant)}?`;
  return `Install it: npm install ${quoted(name).slice(1, -1)}`;
}

function ownPlugin(name: string): string | undefined {
  const [bare = "", scope] = name.split("/").reverse();
  if (scope !== undefined && nearest(scope, [ownScope]) === undefined) return undefined;
  const own = scope === undefined ? bare : nearest(bare, ownPlugins);
  return own !== undefined && ownPlugins.includes(own) ? `${ownScope}/${own}` : undefined;
}

function localFile(use: string, folder: string): string | undefined {
  if (/^\.\.?\//.test(use)) return resolve(folder, use);
  if (isAbsolute(use)) return use;
  return use.startsWith("file:") ? pathOf(use) : undefined;
}

/** A folder's path, or the URL of a folder or of a file in it, as `import.meta.url` is. */
function folderOf(base: string): string {
  const path = base.startsWith("file:") ? pathOf(base) : resolve(base);
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path !== undefined && stats?.isDirectory()) return path;
  if (path !== undefined && base.startsWith("file:")) {
    const parent = dirname(path);
    if (statSync(parent, { throwIfNoEntry: false })?.isDirectory()) return parent;
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `loadPlugin() takes as base a folder that is there, or a file: URL such as import.meta.url; ${quoted(base)} is none.`,
  );
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** The class of a thrown value. Nothing else of it may be shown. */
export function className(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `a thrown ${typeof thrown}`;
  const code: unknown = Object.hasOwn(thrown, "code") ? (thrown as { code?: unknown }).code : "";
  const made: unknown = Object.getPrototypeOf(thrown)?.constructor;
  const name = typeof made === "function" ? made.name : "Error";
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)
    ? `${quoted(name)} (${code})`
    : quoted(name);
}

export function fault(where: string, use: string, what: string, cause?: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_PLUGIN",
    `${where}: the plugin ${quoted(use)} ${what}`,
    cause === undefined ? {} : { cause },
  );
}
