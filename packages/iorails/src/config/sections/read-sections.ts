import type { DataObject } from "../plain-data.js";
import type { Read } from "../shape.js";
import type { Tell } from "./section.js";
import { type ConfigSections, configSections } from "./table.js";

/** Reads `rails.config`. */
export function readSections(config: DataObject, read: Read, report: Tell): ConfigSections {
  const sections = Object.entries(configSections).map(([key, section]) => {
    return [key, section.read(config[key], ["rails", "config", key], read, report)];
  });
  return Object.fromEntries(sections);
}
