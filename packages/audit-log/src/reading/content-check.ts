import type { ChainHead } from "../sink.js";
import type { FolderFirstBad } from "./folder-report.js";
import type { OriginCheck } from "./origin-check.js";
import { ownMember, parsed } from "./own-member.js";
import type { RecordContent } from "./record-check.js";
import { RemovalCheck } from "./removal-check.js";
import { type CheckpointKey, parseNote } from "./signed-note.js";

type Content = Parameters<RecordContent["check"]>[0];

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
  /** Size of the last checkpoint that is signed with the key. */
  signed: number | undefined;
  anchored: number | undefined;
  /** Of checkpoints that are not signed with the key: their records are whole all the same. */
  signatureFault: FolderFirstBad | undefined;
  /** Of checkpoints that are of another origin than the folder's. */
  originFault: FolderFirstBad | undefined;
  rewritten = false;
  readonly removals = new RemovalCheck();
  /** Of records in this segment with payloads beside them: their digests. */
  salted = new Map<number, unknown>();
  readonly #options: ContentCheckOptions;

  constructor(options: ContentCheckOptions) {
    this.#options = options;
  }

  check(content: Content): string | undefined {
    const { covered } = this;
    const kept = this.#options.anchors.get(content.end.seq);
    if (kept !== undefined && !this.fits(content.end, kept)) {
      return `record ${content.end.seq} is not the one that was anchored: the chain was rewritten`;
    }
    switch (content.kind) {
      case "segment":
        return this.#segment(content);
      case "gap":
        return this.#gap(content);
      case "checkpoint":
        return this.#checkpoint(content);
      case "retention":
        return this.removals.retention(content.text, content.place.seq, covered);
      case "intent":
      case "outcome":
        return this.#call(content);
      default:
        return undefined;
    }
  }

  /** Whether an anchored record is still there as it was. */
  fits({ seq, hash }: ChainHead, kept: string): boolean {
    if (hash === kept) this.anchored = seq;
    else this.rewritten = true;
    return hash === kept;
  }

  /** Size of the largest checkpoint so far that the verifier holds by signature or anchor. */
  get covered(): number {
    return Math.max(this.signed ?? 0, this.anchored ?? 0);
  }

  #segment({ text, before }: Content): string | undefined {
    this.removals.segment(before);
    const record = parsed(text);
    const isThis =
      ownMember(record, "chain") === this.#options.chain &&
      ownMember(record, "segment") === this.segment;
    return isThis ? undefined : "the segment was begun under another name, or in another chain";
  }

  #gap({ text }: Content): string | undefined {
    const dropped = ownMember(parsed(text), "dropped");
    if (typeof dropped !== "number" || !Number.isSafeInteger(dropped) || dropped < 1) {
      return "the record does not say how many were dropped";
    }
    this.dropped += dropped;
    return undefined;
  }

  #checkpoint({ text, before, place }: Content): string | undefined {
    const stated = ownMember(parsed(text), "note");
    const note = typeof stated === "string" ? parseNote(stated) : undefined;
    if (note === undefined) return "the record holds no checkpoint";
    if (note.chain !== this.#options.chain) return "the checkpoint is of another chain";
    if (note.size !== before.seq || note.root !== before.hash) {
      return "the checkpoint does not state where the chain stands: its size or its root is another";
    }
    const { file, line, seq } = place;
    const other = this.#options.origins.faultOf(note);
    if (other !== undefined) {
      this.originFault ??= { file, line, seq, reason: other };
      return undefined;
    }
    const fault = this.#options.key?.faultOf(note);
    if (fault !== undefined) this.signatureFault ??= { file, line, seq, reason: fault };
    else if (this.#options.key !== undefined) this.signed = note.size;
    return undefined;
  }

  #call({ text, form, place }: Content): string | undefined {
    const isSalted = form === undefined ? text.includes(',"salted":true') : form === "salted";
    if (!isSalted) return undefined;
    const record = parsed(text);
    if (ownMember(record, "salted") === true) {
      this.salted.set(place.seq, ownMember(record, "digests"));
    }
    return undefined;
  }
}
