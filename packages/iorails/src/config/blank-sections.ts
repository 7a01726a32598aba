import type { Path } from "@toolstile/config/yaml";
import { isJsonObject } from "@toolstile/core/provider";
import { nameToday } from "./older-names.js";
import { ownRailsKeys } from "./schema.js";
import type { SourceData } from "./sources.js";

/**
 * The places where a source names rails and then says nothing of them: what should stand
 * there may stand at a wrong indentation, and the rails would be silently off.
 */
export function blankSections({ data }: SourceData): readonly Path[] {
  if (data["rails"] === null) return [["rails"]];
  const rails = isJsonObject(data["rails"]) ? data["rails"] : {};
  const own: readonly string[] = ownRailsKeys;
  return Object.entries(rails).flatMap(([name, section]): Path[] => {
    if (!own.includes(nameToday(["rails"], name))) return [];
    if (section === null) return [["rails", name]];
    if (!isJsonObject(section)) return [];
    const blank = Object.keys(section).filter((key) => section[key] === null);
    return blank.map((key) => ["rails", name, key]);
  });
}
