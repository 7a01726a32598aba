import { patternAllows, patternDenies, ToolNames } from "@toolstile/core/provider";
import type { Rules } from "./rules.js";

/** Rules as a call is held to them. */
export interface Ruling {
  readonly allow: Pick<ToolNames, "covers"> | undefined;
  readonly deny: Pick<ToolNames, "covers"> | undefined;
}

/**
 * Joins the rules of all askers to those of one that does not say who it is: it could
 * be any of them, and is held to all.
 *
 * They are joined once, so that its calls need not go through them one by one.
 */
export function rulesOfUnnamed(all: Iterable<Rules>): Ruling {
  const rules = [...all];
  const allows = rules.map(({ allow }) => allow).filter((allow) => allow !== undefined);
  const denies = rules.map(({ deny }) => deny).filter((deny) => deny !== undefined);
  return {
    allow: allows.length === 0 ? undefined : allowedByAll(allows),
    deny: denies.length === 0 ? undefined : deniedByAny(denies),
  };
}

function deniedByAny(lists: readonly ToolNames[]): ToolNames {
  const names = new Set(lists.flatMap((list) => [...list.names]));
  const patterns = new Set(lists.flatMap((list) => list.patterns));
  return new ToolNames(names, [...patterns], patternDenies);
}

function allowedByAll(all: readonly ToolNames[]): Ruling["allow"] {
  const lists = unlike(all).toSorted((one, other) => countOf(one) - countOf(other));
  const isCovered = (name: string): boolean => lists.every((list) => list.covers(name));
  // What all allow is in each list. In one without patterns it can be counted out.
  const closed = lists.find(({ patterns }) => patterns.length === 0);
  const { names, patterns } = closed ?? (lists[0] as ToolNames);
  const others = lists.map((list) => new Set(list.patterns));
  const known = new ToolNames(
    new Set([...names].filter(isCovered)),
    patterns.filter((pattern) => others.every((other) => other.has(pattern))),
    patternAllows,
  );
  return closed === undefined ? { covers: (name) => known.covers(name) || isCovered(name) } : known;
}

function countOf({ names, patterns }: ToolNames): number {
  return names.size + patterns.length;
}

/** Leaves out lists that say the same as others: many agents may have one role. */
function unlike(lists: readonly ToolNames[]): readonly ToolNames[] {
  const byText = new Map<string, ToolNames>();
  for (const list of lists) {
    byText.set(JSON.stringify([[...list.names].sort(), list.patterns.toSorted()]), list);
  }
  return [...byText.values()];
}
