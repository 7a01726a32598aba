import { ownValue } from "@toolstile/core/provider";
import { type ChainHead, isChainHead } from "../format/chain-head.js";
import { parsed } from "../format/parsed.js";

/** The removals at the end of a chain, as far as its writer's own key signed them. */
export interface Removal {
  /** Segments up to here were removed, or were about to be. */
  readonly through: ChainHead | undefined;
  /** Retention records after this one count for nothing, which the writer is to record. */
  readonly revokedAfter: number | undefined;
}

type Retention =
  | { readonly by: number; readonly through: ChainHead }
  | { readonly by: number; readonly revokedAfter: number };

/** The records of a segment that removals depend on. */
export class RemovalRecords {
  readonly retentions: Retention[] = [];
  /** Notes, and where the chain stood before each. */
  readonly checkpoints: { readonly before: ChainHead; readonly note: string }[] = [];

  /** Takes a whole record that stands in its place. Its own members begin at `start`. */
  add(text: string, start: number, before: ChainHead): void {
    if (text.startsWith('"kind":"checkpoint"', start)) {
      const note = ownValue(parsed(text), "note");
      if (typeof note === "string") this.checkpoints.push({ before, note });
    }
    if (!text.startsWith('"kind":"retention"', start)) return;
    const record = parsed(text);
    const by = before.seq + 1;
    const through = ownValue(record, "through") as ChainHead | undefined;
    const revokedAfter = ownValue(record, "revokedAfter");
    if (typeof revokedAfter === "number") this.retentions.push({ by, revokedAfter });
    else if (isChainHead(through)) this.retentions.push({ by, through });
  }
}

/** The last segment with a good record. */
export interface RemovalPart {
  /** The head that its first record follows. */
  readonly begin: ChainHead;
  readonly head: ChainHead;
  readonly records: RemovalRecords;
}

export interface RemovalEvidence {
  /** Returns the head that the note states, if the writer's own key signed it. */
  readonly signedHead: ((note: string) => ChainHead | undefined) | undefined;
  /** The text of the chain's file `checkpoint`. */
  readonly note: string;
  /** The number of the record that the chain's oldest one follows. */
  readonly begin: number;
  readonly part: RemovalPart | undefined;
  /** Reads the segment before. */
  readonly before: () => RemovalPart | undefined;
}

/**
 * Tells the writer's own removals at a chain's end from forged ones.
 *
 * Anybody who can write to the folder can append a retention record. The
 * writer signs its own before it removes anything, so one that no checkpoint
 * of its key covers was forged, or a crash came before anything was removed.
 * In both cases it is revoked. Undefined where records are gone all the same,
 * or may be: such a chain is left to the verifier.
 */
export function removalOf(evidence: RemovalEvidence): Removal | undefined {
  const { signedHead, note, begin, part, before } = evidence;
  if (signedHead === undefined || part === undefined) return nothing;
  const signed = Math.max(signedHead(note)?.seq ?? 0, signedIn(part, signedHead));
  // Else there may be retention records in the segment before. A rotation signs that one's end.
  const isSignedBefore = signed >= part.begin.seq || endsSigned(before(), part.begin, signedHead);
  const unsigned = part.records.retentions.filter(({ by }) => by > signed);
  const isCarriedOut = unsigned.some((each) => "through" in each && each.through.seq === begin);
  if (begin > 0 && (!isSignedBefore || isCarriedOut)) return undefined;
  const isDoubtful = !isSignedBefore || unsigned.some((each) => "through" in each);
  return {
    through: lastOf(part.records.retentions.filter(({ by }) => by <= signed)),
    revokedAfter: isDoubtful ? signed : undefined,
  };
}

const nothing: Removal = { through: undefined, revokedAfter: undefined };

type Signed = NonNullable<RemovalEvidence["signedHead"]>;

/** The size of the segment's last own checkpoint; 0 where it has none. */
function signedIn({ records }: RemovalPart, signedHead: Signed): number {
  const last = records.checkpoints.findLast(({ before, note }) => {
    const stated = signedHead(note);
    return stated?.seq === before.seq && stated.hash === before.hash;
  });
  return last?.before.seq ?? 0;
}

/** True if the segment's last record is an own checkpoint, and the next segment follows it. */
function endsSigned(part: RemovalPart | undefined, next: ChainHead, signedHead: Signed): boolean {
  if (part === undefined || part.head.hash !== next.hash) return false;
  return signedIn(part, signedHead) === next.seq - 1;
}

function lastOf(retentions: readonly Retention[]): ChainHead | undefined {
  let found: { readonly by: number; readonly through: ChainHead } | undefined;
  for (const each of retentions) {
    if ("through" in each) found = each;
    else if (found !== undefined && found.by > each.revokedAfter) found = undefined;
  }
  return found?.through;
}
