import { isDataObject } from "./plain-data.js";
import type { Path } from "./problems.js";
import { ownRailsKeys } from "./schema.js";
import type { SourceData } from "./yaml-source.js";

/**
 * Where a source names rails and then says nothing of them: what should stand
 * there may stand at a wrong indentation, and the rails would be silently off.
 */
export function blankSections({ data }: SourceData): readonly Path[] {
  if (data["rails"] === null) return [["rails"]];
  const rails = isDataObject(data["rails"]) ? data["rails"] : {};
  return ownRailsKeys.flatMap((name): Path[] => {
    const section = rails[name];
    if (section === null) return [["rails", name]];
    if (!isDataObject(section)) return [];
    const blank = Object.keys(section).filter((key) => section[key] === null);
    return blank.map((key) => ["rails", name, key]);
  });
}
