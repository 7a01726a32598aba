import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { faultsOfManifest, objectIn, type ProviderManifest } from "./manifest.js";
import { faultsOfPlugin, optionsOf } from "./plugin.js";
import { faultsOfReadme } from "./readme.js";

/** The kind of thing that a provider's plugin makes. The kit is for guards. */
export const kinds = ["guard", "observer", "approver"] as const;
export type Kind = (typeof kinds)[number];

/** The findings about a package. Without `faults`, it has the shape of a provider. */
export interface CheckedProvider {
  readonly name: string;
  readonly faults: readonly string[];
}

/**
 * Hold a package, which has been built, to the shape of a provider.
 *
 * Its code is loaded, to see the plugin that it exports.
 *
 * @throws Error Where the folder has no package.json that can be read.
 */
export async function checkProvider(folder: string, kind: Kind): Promise<CheckedProvider> {
  const manifest = readManifest(folder);
  const { plugin, faults } = await loadPlugin(folder, manifest);
  const readme = join(folder, "README.md");
  return {
    name: manifest.name,
    faults: [
      ...faultsOfManifest(manifest),
      ...(existsSync(readme)
        ? faultsOfReadme(readFileSync(readme, "utf8"), manifest.name, optionsOf(plugin))
        : ["README.md is missing."]),
      ...faults,
      ...(kind === "guard" && !hasKitTest(folder)
        ? [
            "test: a test must run the conformance kit: testProvider() or testResultGuardrail() of @toolstile/testing.",
          ]
        : []),
    ],
  };
}

function readManifest(folder: string): ProviderManifest {
  const path = join(folder, "package.json");
  if (!existsSync(path)) throw new Error("the folder has no package.json.");
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Error("its package.json must be JSON, received text that is not.");
  }
  const { name } = Object(manifest) as Record<string, unknown>;
  if (typeof name !== "string" || name === "") throw new Error("its package.json has no 'name'.");
  return manifest as ProviderManifest;
}

async function loadPlugin(
  folder: string,
  manifest: ProviderManifest,
): Promise<{ plugin?: unknown; faults: readonly string[] }> {
  const target = objectIn(objectIn(manifest, "exports"), ".");
  const entry = target["import"] ?? target["default"];
  if (typeof entry !== "string") return { faults: [] };
  const path = join(folder, entry);
  if (!existsSync(path)) return { faults: [`${entry} is not there. Build the package first.`] };
  try {
    const { plugin } = (await import(pathToFileURL(path).href)) as { plugin?: unknown };
    return { plugin, faults: faultsOfPlugin(plugin) };
  } catch (error) {
    return {
      faults: [`${entry} does not load: ${error instanceof Error ? error.message : error}`],
    };
  }
}

const isTest = /\.(?:test|spec)\.[cm]?[jt]s$/;
const usesKit = /\b(?:testProvider|testResultGuardrail)\s*\(/;

/** Tests lie in `test`, in `tests` or beside the source. */
function hasKitTest(folder: string): boolean {
  return ["test", "tests", "src"]
    .map((each) => join(folder, each))
    .filter((each) => existsSync(each))
    .some((each) =>
      readdirSync(each, { recursive: true, encoding: "utf8" })
        .filter((file) => isTest.test(file) && !file.includes("node_modules"))
        .map((file) => readFileSync(join(each, file), "utf8"))
        .some((text) => text.includes('"@toolstile/testing"') && usesKit.test(text)),
    );
}
