import { resolve } from "node:path";
import { quoted } from "../errors/names.js";

/**
 * The absolute path that a path leads to from the working directory, in quotes, fit for an error.
 *
 * Each step is escaped and cut as `quoted` does it.
 */
export function resolvedPath(path: string): string {
  const steps = resolve(path).split(/[\\/]/);
  return `'${steps.map((step) => quoted(step).slice(1, -1)).join("/")}'`;
}
