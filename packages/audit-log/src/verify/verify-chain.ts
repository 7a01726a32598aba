// Above 250 lines: what one pass over a chain finds is one state, and would be passed around in pieces.
import { join } from "node:path";
import { isAbsent } from "@toolstile/core/files";
import { ownValue } from "@toolstile/core/provider";
import { regularFileBlocks } from "../files/blocks.js";
import {
  type FoundChain,
  type SegmentFile,
  segmentsOf,
  smallFile,
  whyUnreadable,
} from "../files/log-folder.js";
import type { ChainHead } from "../format/chain-head.js";
import { payloadsName } from "../format/names.js";
import { parsed } from "../format/parsed.js";
import { type CheckpointKey, parseNote, type SignedNote } from "../format/signed-note.js";
import { type ChainFinding, largest } from "./chain-finding.js";
import { type ChainedRecord, ChainVerifier } from "./chain-verifier.js";
import { ContentCheck, type KeptRoots } from "./content-check.js";
import type { ChainReport, CutTail, FolderFirstBad } from "./findings.js";
import { lastListed } from "./manifest.js";
import type { OriginCheck } from "./origin-check.js";
import { checkPayloads } from "./payload-check.js";

export interface ChainToVerify extends FoundChain {
  readonly folder: string;
  readonly key: CheckpointKey | undefined;
  readonly origins: OriginCheck;
  readonly anchors: KeptRoots;
  readonly onBlock: (file: string, bytes: number) => void;
}

const longestNote = 1 << 16;
const longestManifest = 1 << 26;
/** A removal by the chain's writer may overtake the reading once, hardly again. */
const attempts = 3;

/** Checks one chain. Whatever stands in its folder is a finding, never an exception. */
export async function verifyChain(of: ChainToVerify): Promise<ChainFinding> {
  for (let attempt = 1; ; attempt++) {
    const reading = new ChainReading(of, attempt === attempts);
    if (await reading.read()) return reading.finding();
  }
}

class ChainReading {
  readonly #of: ChainToVerify;
  readonly #isLastAttempt: boolean;
  readonly #content: ContentCheck;
  readonly #records: ChainVerifier;
  readonly #payloads = { checked: 0, erased: 0, missing: 0 };
  /** Damage in a place of its own among the records, which does not end the reading. */
  #damage: FolderFirstBad | undefined;
  /** Damage of the folder, or of a file other than a segment. */
  #fileDamage: FolderFirstBad | undefined;
  #removalFault: FolderFirstBad | undefined;
  #checkpointFault: FolderFirstBad | undefined;
  #checkpoint: SignedNote | undefined;
  /** The file 'checkpoint' has no note of this chain, or one that the records do not fit. */
  #isCheckpointAgainst = false;
  #isUnreadable = false;
  #listed = 0;
  #segments: readonly SegmentFile[] = [];

  constructor(of: ChainToVerify, isLastAttempt: boolean) {
    const { chain, key, origins, anchors } = of;
    this.#of = of;
    this.#isLastAttempt = isLastAttempt;
    this.#content = new ContentCheck({ chain, key, origins, anchors });
    // The file's checkpoint is compared in passing, like the anchored ones.
    this.#records = new ChainVerifier({ content: { check: (record) => this.#check(record) } });
  }

  /** False where a segment was removed meanwhile. */
  async read(): Promise<boolean> {
    const { folder, chain, isLink } = this.#of;
    if (isLink) {
      this.#unreadable("it is a link, which is not followed");
      return true;
    }
    // Before the segments, which can only have more by the time they are read.
    this.#readCheckpoint();
    this.#readManifest();
    try {
      this.#segments = await segmentsOf(folder, chain);
    } catch (error) {
      this.#unreadable(whyUnreadable(error));
      return true;
    }
    for (const [index, segment] of this.#segments.entries()) {
      const outcome = await this.#segment(segment, index);
      if (outcome === "gone" && !this.#isLastAttempt) return false;
      if (outcome !== "whole") break;
    }
    this.#checkBeginning();
    return true;
  }

  async #segment(segment: SegmentFile, index: number): Promise<"whole" | "broken" | "gone"> {
    const { folder, chain, onBlock } = this.#of;
    const records = this.#records;
    const file = `${chain}/${segment.name}`;
    const isLast = index === this.#segments.length - 1;
    records.beginSegment(file);
    const missing = (this.#segments[index - 1]?.number ?? segment.number - 1) + 1;
    if (missing !== segment.number) {
      records.bad(`segment ${missing} is missing before this one`, 1);
      return "broken";
    }
    if (!segment.isFile) {
      records.bad("it is not a regular file", undefined);
      return "broken";
    }
    this.#content.segment = segment.number;
    this.#content.file = file;
    this.#content.salted = new Map();
    try {
      for await (const block of regularFileBlocks(join(folder, file))) {
        const goesOn = records.block(block);
        onBlock(file, block.length);
        if (!goesOn) break;
      }
    } catch (error) {
      records.bad(whyUnreadable(error), undefined);
      return isAbsent(error) ? "gone" : "broken";
    }
    records.endSegment(isLast);
    if (this.#content.salted.size > 0) await this.#checkPayloads(segment, isLast);
    return records.firstBad === undefined ? "whole" : "broken";
  }

  async #checkPayloads(segment: SegmentFile, isLast: boolean): Promise<void> {
    const { folder, chain, onBlock } = this.#of;
    const file = `${chain}/${payloadsName(segment.name)}`;
    const { counts, firstBad } = await checkPayloads({
      folder,
      file,
      salted: this.#content.salted,
      isLast,
      onBlock: (bytes) => onBlock(file, bytes),
    });
    this.#payloads.checked += counts.checked;
    this.#payloads.erased += counts.erased;
    this.#payloads.missing += counts.missing;
    this.#damage ??= firstBad;
  }

  #check(record: ChainedRecord): string | undefined {
    const reason = this.#content.check(record);
    const note = this.#checkpoint;
    const { seq, hash } = record.end;
    if (reason === undefined && note?.size === seq && note.root !== hash) {
      const why = `record ${seq} is not the one that the file 'checkpoint' states`;
      this.#damage ??= { file: this.#content.file, line: record.line, seq, reason: why };
      this.#checkpoint = undefined;
      this.#isCheckpointAgainst = true;
    }
    return reason;
  }

  #readCheckpoint(): void {
    const { folder, chain, key, origins } = this.#of;
    const file = `${chain}/checkpoint`;
    const found = smallFile(join(folder, file), longestNote);
    if (found === undefined) return;
    const note = found.text === undefined ? undefined : parseNote(found.text);
    if (note === undefined || note.chain !== chain) {
      this.#damaged(file, found.reason ?? "it holds no checkpoint of this chain");
      this.#isCheckpointAgainst = true;
      return;
    }
    const other = origins.faultOf(note);
    if (other !== undefined) {
      this.#content.originFault ??= { file, reason: other };
      return;
    }
    const reason = key?.faultOf(note);
    if (reason === undefined) this.#checkpoint = note;
    else this.#checkpointFault = { file, reason };
  }

  #readManifest(): void {
    const { folder, chain } = this.#of;
    const file = `${chain}/manifest.json`;
    const found = smallFile(join(folder, file), longestManifest);
    if (found === undefined) return;
    const listed = found.text === undefined ? undefined : lastListed(found.text, chain);
    if (listed === undefined)
      this.#damaged(file, found.reason ?? "it is not a manifest of this chain");
    else this.#listed = listed;
  }

  /** Checks that what is gone before the oldest segment was removed by a recorded act. */
  #checkBeginning(): void {
    const { begin, firstBad } = this.#records;
    if (begin.seq === 0 || firstBad !== undefined) return;
    const file = `${this.#of.chain}/${this.#segments[0]?.name}`;
    const at = { file, line: 1, seq: begin.seq + 1 };
    const kept = this.#of.anchors.get(begin.seq);
    if (kept !== undefined && !this.#content.fits(begin, kept)) {
      this.#damage ??= { ...at, reason: `record ${begin.seq} was anchored as another one` };
    }
    const { by } = this.#content.removals;
    if (by === undefined) {
      const reason = `the records up to ${begin.seq} are gone, and no later record says that they were removed`;
      this.#damage ??= { ...at, reason };
      return;
    }
    const { isUnsigned, isUnanchored } = this.#removal();
    if (!isUnsigned && !isUnanchored) return;
    const checkpoint = isUnanchored ? "anchored checkpoint" : "checkpoint signed with the key";
    const reason = `the records up to ${begin.seq} are gone, and no ${checkpoint} covers record ${by}, which says that they were removed`;
    this.#removalFault = { ...at, reason };
  }

  /** Finds the evidence for the record of a removal. Anybody can append such a record. */
  #removal() {
    const { begin } = this.#records;
    const { anchored = 0, removals } = this.#content;
    if (begin.seq === 0) return { isUnsigned: false, isUnanchored: false };
    const { by = Number.POSITIVE_INFINITY } = removals;
    const isAnchored = anchored >= by;
    const { key, anchors } = this.#of;
    // With a key, anchored checkpoints are signed with it as well.
    const isSigned = key !== undefined && Math.max(this.#signedSize() ?? 0, anchored) >= by;
    return {
      heldBy: isAnchored ? "anchor" : isSigned ? "signature" : "record",
      isUnsigned: key !== undefined && !isSigned,
      isUnanchored: anchors.size > 0 && !isAnchored,
    } as const;
  }

  #unreadable(reason: string): void {
    this.#damaged(this.#of.chain, reason);
    this.#isUnreadable = true;
  }

  #damaged(file: string, reason: string): void {
    this.#fileDamage ??= { file, reason };
  }

  /** Records with hashes of their own may follow each other and yet not be those that were signed. */
  #isNotAsSigned(): boolean {
    const { key } = this.#of;
    if (key === undefined) return false;
    const { firstBad, head } = this.#records;
    const isCut = (this.#checkpoint?.size ?? 0) > head.seq;
    return firstBad !== undefined || this.#isUnreadable || this.#isCheckpointAgainst || isCut;
  }

  /** The last record that is good: where there is a fault, only what a signature or an anchor covers is known to be. */
  #good(): ChainHead {
    const { begin, head, firstBad, isHeadInDoubt } = this.#records;
    const { originFault, signatureFault, rewritten, isContradicted } = this.#content;
    const { key, anchors } = this.#of;
    const isHeld = key !== undefined || anchors.size > 0;
    const isFaulty =
      isHeadInDoubt ||
      isContradicted ||
      this.#isCheckpointAgainst ||
      this.#isNotAsSigned() ||
      rewritten ||
      this.#cut()?.seenBy === "anchor" ||
      (isHeld && [firstBad, originFault, signatureFault, this.#checkpointFault].some((it) => it));
    if (!isFaulty) return head;
    const covered = [this.#signedHead(), this.#content.anchoredHead, begin];
    return covered.reduce<ChainHead>((most, it) => (it && it.seq > most.seq ? it : most), begin);
  }

  /** To be asked once, when all is read. */
  finding(): ChainFinding {
    const { begin, head, kinds, lastKind, lastText, torn } = this.#records;
    const content = this.#content;
    const signed = this.#signedSize();
    const { anchored } = content;
    const removal = this.#removal();
    const cut = this.#cut();
    const damage = this.#records.firstBad ?? this.#damage ?? this.#fileDamage;
    const firstBad = this.#firstBad();
    const time = ownValue(parsed(lastText), "time");
    const report: ChainReport = {
      chain: this.#of.chain,
      ok: firstBad === undefined && cut === undefined && torn === undefined,
      segments: this.#segments.length,
      records: head.seq - begin.seq,
      kinds,
      dropped: content.dropped,
      head,
      good: this.#good(),
      ...(removal.heldBy !== undefined &&
        content.removals.by !== undefined && {
          removedThrough: begin.seq,
          removalHeldBy: removal.heldBy,
        }),
      ...(firstBad && { firstBad }),
      tail: {
        closed: lastKind === "close",
        ...(typeof time === "number" && { time }),
        ...(torn && { torn }),
        ...(signed !== undefined && { signed }),
        ...(anchored !== undefined && { anchored }),
        unprotected: head.seq - Math.max(begin.seq, signed ?? 0, anchored ?? 0),
        ...(cut && { cut }),
      },
    };
    return {
      report,
      payloads: this.#payloads,
      isDamaged: damage !== undefined || torn !== undefined || cut !== undefined,
      isUnsigned: content.signatureFault !== undefined || this.#checkpointFault !== undefined,
      isNotAsSigned: this.#isNotAsSigned(),
      isOfOtherOrigin: content.originFault !== undefined,
      isRewritten: content.rewritten || cut?.seenBy === "anchor",
      isRemovalUnsigned: removal.isUnsigned,
      isRemovalUnanchored: removal.isUnanchored,
    };
  }

  #signedSize(): number | undefined {
    return this.#signedHead()?.seq;
  }

  #signedHead(): ChainHead | undefined {
    const { key } = this.#of;
    const note = this.#checkpoint;
    const { signedHead } = this.#content;
    if (key === undefined || note === undefined) return signedHead;
    const { begin, head } = this.#records;
    const isHeld = note.size > begin.seq && note.size <= head.seq;
    if (!isHeld || note.size <= (signedHead?.seq ?? 0)) return signedHead;
    return { seq: note.size, hash: note.root };
  }

  /** Nothing was read behind a bad record, so that all that is found in records stands before it. */
  #firstBad(): FolderFirstBad | undefined {
    const [earliest] = [
      this.#content.signatureFault,
      this.#content.originFault,
      this.#damage,
      this.#removalFault,
    ]
      .filter((each) => each !== undefined)
      .sort((one, other) => (one.seq ?? Infinity) - (other.seq ?? Infinity));
    const { firstBad, head } = this.#records;
    const badRecord = firstBad && { ...firstBad, seq: firstBad.seq ?? head.seq + 1 };
    return earliest ?? badRecord ?? this.#fileDamage ?? this.#checkpointFault;
  }

  #cut(): CutTail | undefined {
    // Behind a bad record nothing was read.
    if (this.#records.firstBad !== undefined || this.#of.isLink) return undefined;
    const after = this.#records.head.seq;
    const anchored = largest(this.#of.anchors);
    if (anchored > after) return { after, expected: anchored, seenBy: "anchor" };
    const size = this.#checkpoint?.size ?? 0;
    if (size > after) return { after, expected: size, seenBy: "checkpoint" };
    if (this.#listed > after) return { after, expected: this.#listed, seenBy: "manifest" };
    return undefined;
  }
}
