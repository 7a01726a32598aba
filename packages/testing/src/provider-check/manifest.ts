import { isObject, ownValue } from "@toolstile/core/provider";

/** The members of a package.json that a provider's shape is about. */
export interface ProviderManifest {
  readonly name: string;
  readonly [member: string]: unknown;
}

const coreName = "@toolstile/core";
/** `^1.2.3`, `>=1 <3`, `1.x`: anything that more than one version meets, and that is no version at all costs. */
const range = /^(?:workspace:.+|\^.+|~.+|>=.+|\d+(?:\.\d+)?\.x|.+ \|\| .+)$/;

/** Lists what a provider's package.json lacks. */
export function faultsOfManifest(manifest: ProviderManifest): string[] {
  const says = (member: string): string => `package.json: '${member}'`;
  const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
  const faults = ["description", "license"]
    .filter((member) => !isText(manifest[member]))
    .map((member) => `${says(member)} must be a text.`);
  if (manifest["type"] !== "module") faults.push(`${says("type")} must be "module".`);
  if (manifest["sideEffects"] !== false) {
    faults.push(`${says("sideEffects")} must be false, so that bundlers drop what is not used.`);
  }
  if (!isText(objectIn(manifest, "engines")["node"])) {
    faults.push(`${says("engines.node")} must say which Nodes it runs on: ">=20.19.0".`);
  }
  const { files } = manifest;
  if (!Array.isArray(files) || files.length === 0) {
    faults.push(`${says("files")} must list what is published: ["dist", "src"].`);
  } else if (files.some((each) => /^\.?\/?(?:test|tests|\*\*?)?\/?$/.test(String(each)))) {
    faults.push(`${says("files")} must not publish tests or the whole folder.`);
  }
  return [...faults, ...faultsOfCore(manifest), ...faultsOfExports(manifest)];
}

/** A second copy of core does no harm, but an exact version would bring one into most projects. */
function faultsOfCore(manifest: ProviderManifest): string[] {
  const wanted =
    objectIn(manifest, "peerDependencies")[coreName] ??
    objectIn(manifest, "dependencies")[coreName];
  if (wanted === undefined) {
    return [`package.json: 'peerDependencies' must name ${coreName}, by a range: "^0.1.0".`];
  }
  return range.test(String(wanted))
    ? []
    : [`package.json: ${coreName} must be wanted by a range such as "^0.1.0".`];
}

/** Every code entry has its types, and they come before the code. */
function faultsOfExports(manifest: ProviderManifest): string[] {
  const entries = Object.entries(objectIn(manifest, "exports"));
  const named = entries.map(([entry]) => entry);
  const faults = [".", "./package.json"]
    .filter((entry) => !named.includes(entry))
    .map((entry) => `package.json: 'exports' must have "${entry}".`);
  for (const [entry, target] of entries) {
    if (entry.endsWith(".json")) continue;
    const conditions = Object.keys(isObject(target) ? target : {});
    const types = conditions.indexOf("types");
    const code = conditions.findIndex((each) => each === "default" || each === "import");
    if (types === -1 || code === -1 || types > code) {
      faults.push(`package.json: exports["${entry}"] must have "types", and then "default".`);
    }
  }
  return faults;
}

/** The object that a member holds; an empty one where it holds none. */
export function objectIn(of: object, member: string): Readonly<Record<string, unknown>> {
  const value = ownValue(of, member);
  return isObject(value) ? value : {};
}
