/** What a record of a log's folder can be. */
export const recordKinds = [
  "segment",
  "head",
  "intent",
  "outcome",
  "gap",
  "repair",
  "checkpoint",
  "retention",
  "close",
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** How many there are of each kind. */
export type KindCounts = Readonly<Record<RecordKind, number>>;

export function noKinds(): Record<RecordKind, number> {
  return {
    segment: 0,
    head: 0,
    intent: 0,
    outcome: 0,
    gap: 0,
    repair: 0,
    checkpoint: 0,
    retention: 0,
    close: 0,
  };
}

export function isRecordKind(kind: string): kind is RecordKind {
  return (recordKinds as readonly string[]).includes(kind);
}
