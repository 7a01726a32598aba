import type { Path } from "@toolstile/config/yaml";
import { quoted } from "@toolstile/core/provider";
import { flowLists } from "./flow-lists.js";
import { type FlowFamily, knownFlows } from "./flows.js";
import type { RailsConfigData } from "./model.js";
import { fileText } from "./problems.js";
import { ownRailsKeys } from "./schema.js";

/** The first thing in a configuration that this engine does not run, in NeMo's order. */
export function unsupportedBecause(
  data: RailsConfigData,
  isWrong: (path: Path) => boolean,
): string | undefined {
  if (data.colangVersion !== "1.0") {
    return `IORails supports Colang 1.0 only; config uses Colang ${data.colangVersion}`;
  }
  if (data.colangFiles.length > 0) {
    const names = data.colangFiles.map(fileText).join(", ");
    return `config has Colang files, which IORails would ignore: ${names}`;
  }
  if (data.importPaths.length > 0) {
    return "config has import_paths, which IORails would ignore";
  }
  const own: readonly string[] = ownRailsKeys;
  const otherKeys = data.railsKeys.filter((key) => !own.includes(key));
  if (otherKeys.length > 0) {
    return `config has rails outside the IORails-supported set: ${listed(otherKeys)}`;
  }
  for (const { path, family, flows } of flowLists(data)) {
    const others = flows
      .filter(({ name }, index) => !isWrong([...path, index]) && !runs(name, family))
      .map(({ name }) => name);
    if (others.length > 0) {
      return `config has unsupported ${family.replace("_", " ")} flows: ${listed(others)}`;
    }
  }
  return undefined;
}

function runs(name: string, family: FlowFamily): boolean {
  return knownFlows.get(name)?.family === family;
}

/** Sorted, each once, as Python prints a list. */
function listed(names: readonly string[]): string {
  return `[${[...new Set(names)].sort().map(quoted).join(", ")}]`;
}
