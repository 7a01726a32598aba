import type { DecisionRecord } from "../protocol/outcome.js";

/** Records in order. Those of a guard that is made of several stand among them as a list of their own, so that no level copies them. */
export type Trail = readonly (DecisionRecord | Trail)[];

/** Returns the records of a trail as one new list. */
export function flat(trail: Trail, records: DecisionRecord[] = []): DecisionRecord[] {
  for (const each of trail) {
    if (isTrail(each)) flat(each, records);
    else records.push(each);
  }
  return records;
}

function isTrail(each: DecisionRecord | Trail): each is Trail {
  return Array.isArray(each);
}
