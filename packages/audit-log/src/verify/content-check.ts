import { ownValue } from "@toolstile/core/provider";
import type { ChainHead } from "../format/chain-head.js";
import { parsed } from "../format/parsed.js";
import { type CheckpointKey, parseNote } from "../format/signed-note.js";
import type { ChainedRecord, RecordContent } from "./chain-verifier.js";
import type { FolderFirstBad } from "./findings.js";
import { droppedIn, noDropped } from "./gap.js";
import type { OriginCheck } from "./origin-check.js";
import { RemovalCheck } from "./removal-check.js";

/** The hashes that kept checkpoints state, by number of record. */
export type KeptRoots = ReadonlyMap<number, string>;

export interface ContentCheckOptions {
  readonly chain: string;
  readonly key: CheckpointKey | undefined;
  readonly origins: OriginCheck;
  /** From outside the folder. */
  readonly anchors: KeptRoots;
}

/** Looks into records whose content the chain's evidence depends on. */
export class ContentCheck implements RecordContent {
  dropped = 0;
  /** Number of the segment that is being read. */
  segment = 0;
  /** File of that segment, relative to the folder. */
  file = "";
  /** The last record that a checkpoint covers which is signed with the key. */
  signedHead: ChainHead | undefined;
  anchoredHead: ChainHead | undefined;
  /** A checkpoint, signed or not, states other records than those before it. */
  isContradicted = false;
  /** The first checkpoint that is not signed with the key. Its record is whole all the same. */
  signatureFault: FolderFirstBad | undefined;
  /** The first checkpoint of another origin than the folder's. */
  originFault: FolderFirstBad | undefined;
  rewritten = false;
  readonly removals = new RemovalCheck();
  /** The digests of the records in this segment that have payloads beside them. */
  salted = new Map<number, unknown>();
  readonly #options: ContentCheckOptions;

  constructor(options: ContentCheckOptions) {
    this.#options = options;
  }

  check(content: ChainedRecord): string | undefined {
    const { kind, line } = content;
    if ((kind === "segment") !== (line === 1)) {
      return kind === "segment"
        ? "a segment begins in the middle of another"
        : "the segment does not begin with its opening";
    }
    const { covered } = this;
    const kept = this.#options.anchors.get(content.end.seq);
    if (kept !== undefined && !this.fits(content.end, kept)) {
      return `record ${content.end.seq} is not the one that was anchored: the chain was rewritten`;
    }
    switch (kind) {
      case "segment":
        return this.#segment(content);
      case "gap":
        return this.#gap(content);
      case "checkpoint":
        return this.#checkpoint(content);
      case "retention":
        return this.removals.retention(content.text, content.end.seq, covered);
      case "intent":
      case "outcome":
        return this.#call(content);
      default:
        return undefined;
    }
  }

  /** True if an anchored record is still there as it was. */
  fits({ seq, hash }: ChainHead, kept: string): boolean {
    if (hash === kept) this.anchoredHead = { seq, hash };
    else this.rewritten = true;
    return hash === kept;
  }

  /** Size of the largest checkpoint so far that the verifier holds by signature or anchor. */
  get covered(): number {
    return Math.max(this.signedHead?.seq ?? 0, this.anchored ?? 0);
  }

  get anchored(): number | undefined {
    return this.anchoredHead?.seq;
  }

  #segment({ text, before }: ChainedRecord): string | undefined {
    this.removals.segment(before);
    const record = parsed(text);
    const isThis =
      ownValue(record, "chain") === this.#options.chain &&
      ownValue(record, "segment") === this.segment;
    return isThis ? undefined : "the segment was begun under another name, or in another chain";
  }

  #gap({ text }: ChainedRecord): string | undefined {
    const dropped = droppedIn(text);
    this.dropped += dropped ?? 0;
    return dropped === undefined ? noDropped : undefined;
  }

  #checkpoint({ text, before, end, line }: ChainedRecord): string | undefined {
    const stated = ownValue(parsed(text), "note");
    const note = typeof stated === "string" ? parseNote(stated) : undefined;
    if (note === undefined) return "the record holds no checkpoint";
    if (note.chain !== this.#options.chain) return "the checkpoint is of another chain";
    if (note.size !== before.seq || note.root !== before.hash) {
      this.isContradicted = true;
      return "the checkpoint does not state where the chain stands: its size or its root is another";
    }
    const { file } = this;
    const { seq } = end;
    const other = this.#options.origins.faultOf(note);
    if (other !== undefined) {
      this.originFault ??= { file, line, seq, reason: other };
      return undefined;
    }
    const fault = this.#options.key?.faultOf(note);
    if (fault !== undefined) this.signatureFault ??= { file, line, seq, reason: fault };
    else if (this.#options.key !== undefined) this.signedHead = before;
    return undefined;
  }

  #call({ text, form, end }: ChainedRecord): string | undefined {
    const isSalted = form === undefined ? text.includes(',"salted":true') : form === "salted";
    if (!isSalted) return undefined;
    const record = parsed(text);
    if (ownValue(record, "salted") === true) {
      this.salted.set(end.seq, ownValue(record, "digests"));
    }
    return undefined;
  }
}
