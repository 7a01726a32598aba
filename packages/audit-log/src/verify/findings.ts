import type { ChainHead } from "../format/chain-head.js";
import type { KindCounts } from "../format/record-kinds.js";

/** The first record that is not as the writer left it. */
export interface FirstBad {
  /** From 1. */
  readonly line: number;
  /** The number that the line states, if it states one. */
  readonly seq?: number | undefined;
  /** In printable ASCII, whatever the log contains. */
  readonly reason: string;
}

/** The findings of `verifyFolder`. */
export interface FolderReport {
  /** No damage, no cut, no torn tail; and every level that could be checked holds. False without any chain. */
  readonly ok: boolean;
  readonly records: number;
  /** Records that writers say they dropped. */
  readonly dropped: number;
  /** The origin that the checkpoints state. Not checked by itself. */
  readonly origin?: string | undefined;
  /** The first bad one of the first bad chain. */
  readonly firstBad?: FolderFirstBad | undefined;
  /** One entry for each of the four levels, L0 first. */
  readonly levels: readonly LevelReport[];
  /** In order of their names. An anchored chain that is gone stands here too, with no records. */
  readonly chains: readonly ChainReport[];
  /** Records whose arguments and results are kept beside the log. */
  readonly payloads: PayloadCounts;
}

export interface PayloadCounts {
  readonly checked: number;
  readonly erased: number;
  readonly missing: number;
}

/** The first record, or the first file, that is not as the writer left it. */
export interface FolderFirstBad {
  /** Relative to the folder. */
  readonly file: string;
  /** In that file, from 1. */
  readonly line?: number | undefined;
  /** As the line states it, or the number that was due. */
  readonly seq?: number | undefined;
  /** In printable ASCII and on one line, whatever the log holds. */
  readonly reason: string;
}

/** The result for one level of evidence. */
export interface LevelReport {
  readonly level: "L0" | "L1" | "L2" | "L3";
  readonly name: "chain" | "signed" | "anchored" | "timestamped";
  readonly checked: boolean;
  /** Only where checked. */
  readonly ok?: boolean | undefined;
  /** The number of records for which `signed` or `anchored` holds. */
  readonly covered?: number | undefined;
  /** The number of records after them, at the ends of the chains, if `signed` or `anchored` holds. A recomputed edit or a cut among these may go unseen. */
  readonly uncovered?: number | undefined;
  /** One sentence: what was checked and up to where, or what is missing for it. */
  readonly note: string;
}

/** The findings in one chain. */
export interface ChainReport {
  readonly chain: string;
  readonly ok: boolean;
  readonly segments: number;
  readonly records: number;
  readonly kinds: KindCounts;
  readonly dropped: number;
  /** The last record that was read: it is whole, and follows from the one before it. */
  readonly head: ChainHead;
  /**
   * The last good record. It comes before `head` if a checkpoint, an anchor or the next record
   * contradicts the chain: then only what a checked signature or an anchor covers is known to be good.
   */
  readonly good: ChainHead;
  /** Records up to here were removed by a recorded act. */
  readonly removedThrough?: number | undefined;
  /**
   * The evidence for the record that says so: an anchored checkpoint made after it,
   * one signed with the key, or nothing but itself, which anybody could have appended.
   */
  readonly removalHeldBy?: "anchor" | "signature" | "record" | undefined;
  readonly firstBad?: FolderFirstBad | undefined;
  readonly tail: TailReport;
}

/** The end of a chain, and how far it is protected. */
export interface TailReport {
  /** The chain ends with a `close` record. */
  readonly closed: boolean;
  /** Time of the last record that was read. */
  readonly time?: number | undefined;
  /** A last line without its end: a write that was interrupted, or is under way. */
  readonly torn?: TornLine | undefined;
  /** Size of the last checkpoint whose signature was checked with the key. */
  readonly signed?: number | undefined;
  /** Size of the last anchored checkpoint. */
  readonly anchored?: number | undefined;
  /** Records that were read after the last checkpoint that the verifier holds by signature or anchor: a recomputed edit or a cut among these may go unseen. */
  readonly unprotected: number;
  /** The chain ends too early: after record `after`, though `expected` was there. */
  readonly cut?: CutTail | undefined;
}

export interface TornLine {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

export interface CutTail {
  readonly after: number;
  readonly expected: number;
  readonly seenBy: "anchor" | "checkpoint" | "manifest";
}
