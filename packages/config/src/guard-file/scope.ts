import { patternDenies, ToolNames } from "@toolstile/core/provider";
import type { GuardEntry } from "./schema.js";

/** Tells of each tool whether a guard has a say about it, as `forTools` does. */
export function scopeOf({ tools }: Pick<GuardEntry, "tools">): (toolName: string) => boolean {
  if (tools === undefined) return () => true;
  const names = tools.filter((tool) => typeof tool === "string");
  const patterns = tools.flatMap((tool) => (typeof tool === "string" ? [] : [tool.pattern]));
  const scope = new ToolNames(new Set(names), patterns, patternDenies);
  return (toolName) => scope.covers(toolName);
}
