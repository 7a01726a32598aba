/** What a record of a log's folder can be. */
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

/** How many there are of each kind. */
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

export function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(none, kind);
}
