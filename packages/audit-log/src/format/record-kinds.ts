/** The kinds of records in a log's folder. */
export type RecordKind =
  | "segment"
  | "head"
  | "intent"
  | "outcome"
  | "gap"
  | "repair"
  | "checkpoint"
  | "retention"
  | "close";

/** The number of records of each kind. */
export type KindCounts = Readonly<Record<RecordKind, number>>;

const none: KindCounts = Object.freeze({
  segment: 0,
  head: 0,
  intent: 0,
  outcome: 0,
  gap: 0,
  repair: 0,
  checkpoint: 0,
  retention: 0,
  close: 0,
});

export function noKinds(): Record<RecordKind, number> {
  return { ...none };
}

/** All kinds. */
export const recordKinds = Object.keys(none) as readonly RecordKind[];

export function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(none, kind);
}
