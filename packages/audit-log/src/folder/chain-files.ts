import { AppendedFile } from "../files/appended-file.js";
import type { Disk } from "../files/disk.js";
import type { ChainHead } from "../format/chain-head.js";
import { quote } from "../format/line.js";
import { LineBuffer } from "../format/line-buffer.js";
import { payloadsName, segmentName, within } from "../format/names.js";
import type { TakenCheckpoint } from "../sink/sink.js";
import { manifestText, type Segment } from "./chain-state.js";
import type { RetentionOptions } from "./options.js";
import { repair } from "./repair.js";
import { outlived } from "./retention.js";
import type { Signer } from "./signing.js";
import { type TakenChain, takeChain } from "./take-chain.js";

export interface ChainFilesOptions {
  readonly disk: Disk;
  readonly writer: string | undefined;
  readonly maxSegmentBytes: number;
  readonly maxSegmentAgeMs: number;
  readonly retention: RetentionOptions | undefined;
  readonly signer: Signer | undefined;
  readonly checkpointEvery: number;
  readonly origin: string;
  readonly now: () => number | null;
}

/**
 * The files of one chain, and the records that the chain has of itself.
 *
 * Longer than 250 lines: the order of writes and syncs is the point, and is
 * read in one place.
 */
export class ChainFiles {
  readonly name: string;
  readonly #options: ChainFilesOptions;
  readonly #unlock: () => void;
  readonly #segments: Segment[];
  readonly #own = new LineBuffer();
  /** The head that the next record follows. */
  head: ChainHead;
  #number: number;
  /** A segment that is yet to be made. */
  #next: Segment | undefined;
  #log: AppendedFile | undefined;
  #payloads: AppendedFile | undefined;
  #removed: ChainHead | undefined;
  /** A removal that was recorded and signed, and that a crash may have interrupted. */
  readonly #unfinished: ChainHead | undefined;
  #checkpointed: { readonly seq: number; readonly note: string } | undefined;
  #sinceCheckpoint = 0;

  /** Takes the chain, and repairs its end. Its records of both wait for the first append. */
  constructor(options: ChainFilesOptions) {
    this.#options = options;
    const { disk, writer, signer, origin } = options;
    const taken: TakenChain = takeChain(
      disk,
      writer,
      signer && ((chain, note) => signer.signedHead(`${origin}/${chain}`, note)),
    );
    this.name = taken.name;
    this.#unlock = taken.unlock;
    const { state } = taken;
    this.head = state.head;
    this.#number = state.number;
    this.#removed = state.removed;
    const { revokedAfter, through } = state.removal;
    // Who keeps everything removes nothing, whatever the log says.
    this.#unfinished = options.retention && through;
    this.#segments = [...state.segments];
    try {
      const cuts = repair(disk, this.name, state);
      if (state.good.length === 0) this.#next = this.#segmentRecord();
      for (const { file, bytes, sha256 } of cuts) {
        this.#record(
          "repair",
          `,"cutBytes":${bytes},"cutFile":${quote(file)},"cutSha256":"${sha256}"`,
        );
      }
      if (revokedAfter !== undefined) {
        this.#record("retention", `,"removed":[],"revokedAfter":${revokedAfter}`);
      }
    } catch (error) {
      taken.unlock();
      throw error;
    }
  }

  /** Adds lines that begin where the chain stands, and says where it stands then. */
  async append(
    lines: Uint8Array,
    head: ChainHead,
    payloads: string | undefined,
  ): Promise<ChainHead> {
    // Signed before it has any call, so that a chain with calls and without a signature is a forged one.
    const isOpening = this.#log === undefined;
    const log = this.#log ?? (await this.#begin());
    if (payloads !== undefined) await this.#payloadsFile().append(Buffer.from(payloads, "latin1"));
    await log.append(lines);
    this.#sinceCheckpoint += head.seq - this.head.seq;
    this.head = head;
    if (this.#isSegmentOver(log)) await this.#rotate();
    else if (isOpening || this.#sinceCheckpoint >= this.#options.checkpointEvery) {
      await this.checkpoint();
    }
    return this.head;
  }

  async sync(): Promise<void> {
    // Begun together: a rotation meanwhile closes no file whose sync has begun.
    await Promise.all([this.#payloads?.sync(), this.#log?.sync()]);
  }

  async checkpoint(): Promise<TakenCheckpoint> {
    await this.sync();
    const { signer, disk, now, origin } = this.#options;
    if (signer === undefined || this.#log === undefined) {
      this.#sinceCheckpoint = 0;
      return { head: this.head, note: undefined };
    }
    // Nothing came after the last one but its own record.
    const last = this.#checkpointed;
    if (last?.seq === this.head.seq) return { head: this.head, note: last.note };
    const note = signer.sign(`${origin}/${this.name}`, this.head, now());
    this.#record("checkpoint", `,"note":${quote(note)}`);
    await this.#writeOwn(this.#log);
    disk.replace(within(this.name, "checkpoint"), Buffer.from(note));
    this.#checkpointed = { seq: this.head.seq, note };
    this.#sinceCheckpoint = 0;
    return { head: this.head, note };
  }

  /** Signs and closes the chain. */
  async end(): Promise<void> {
    if (this.#log === undefined) return;
    await this.checkpoint();
    this.#record("close", "");
    await this.#writeOwn(this.#log);
    await this.sync();
  }

  /** Lets the chain go, whatever state it is in. */
  async release(): Promise<void> {
    try {
      await this.#payloads?.close();
      await this.#log?.close();
    } finally {
      this.#unlock();
    }
  }

  /** Writes what waited since the chain was taken, and makes up for what a crash left undone. */
  async #begin(): Promise<AppendedFile> {
    if (this.#next !== undefined) await this.#makeSegment(this.#next);
    const log =
      this.#log ?? new AppendedFile(this.#options.disk.open(this.#path(segmentName(this.#number))));
    this.#log = log;
    await this.#writeOwn(log);
    await this.#removeThrough(this.#unfinished);
    return log;
  }

  async #rotate(): Promise<void> {
    await this.checkpoint();
    await this.sync();
    const last = this.#segments.at(-1);
    if (last !== undefined && this.#log !== undefined) last.bytes = this.#log.size;
    const [log, payloads] = [this.#log, this.#payloads];
    this.#number++;
    await this.#makeSegment(this.#segmentRecord());
    await log?.close();
    await payloads?.close();
    await this.#retain();
  }

  /** The new file is on the disk with its first record before anything else is written to it. */
  async #makeSegment(segment: Segment): Promise<void> {
    const { disk } = this.#options;
    const log = new AppendedFile(disk.open(this.#path(segmentName(segment.number))));
    await this.#writeOwn(log);
    await log.sync();
    disk.syncFolder(this.name);
    disk.syncFolder("");
    this.#next = undefined;
    this.#log = log;
    this.#payloads = undefined;
    this.#segments.push(segment);
    this.#writeManifest();
  }

  #isSegmentOver(log: AppendedFile): boolean {
    const { maxSegmentBytes, maxSegmentAgeMs, now } = this.#options;
    if (log.size >= maxSegmentBytes) return true;
    const begun = this.#segments.at(-1)?.time ?? null;
    const time = now();
    return begun !== null && time !== null && time - begun >= maxSegmentAgeMs;
  }

  /** Records what is removed, and signs that, before it is: no record of it by anybody else counts. */
  async #retain(): Promise<void> {
    const { retention, now } = this.#options;
    if (retention === undefined) return;
    const gone = outlived(this.#segments, retention, now());
    const next = this.#segments[gone.length];
    if (gone.length === 0 || next === undefined || this.#log === undefined) return;
    const through = { seq: next.seq - 1, hash: next.prev };
    const names = gone.map(({ number }) => segmentName(number));
    this.#record(
      "retention",
      `,"removed":${JSON.stringify(names)},"through":${JSON.stringify(through)}`,
    );
    await this.#writeOwn(this.#log);
    await this.checkpoint();
    // The checkpoint's own record: without it the removal would be anybody's.
    await this.sync();
    this.#removed = through;
    await this.#removeThrough(through);
  }

  /** Oldest first, and each for good before the next: what is left has no hole. */
  async #removeThrough(through: ChainHead | undefined): Promise<void> {
    const { disk } = this.#options;
    let isChanged = false;
    for (;;) {
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined) break;
      if (through === undefined || next.seq - 1 > through.seq) break;
      disk.remove(this.#path(payloadsName(segmentName(oldest.number))));
      disk.remove(this.#path(segmentName(oldest.number)));
      disk.syncFolder(this.name);
      this.#segments.shift();
      isChanged = true;
    }
    if (isChanged) this.#writeManifest();
  }

  #writeManifest(): void {
    const text = manifestText(this.name, this.#segments, this.#removed);
    this.#options.disk.replace(this.#path("manifest.json"), Buffer.from(text));
  }

  #payloadsFile(): AppendedFile {
    if (this.#payloads !== undefined) return this.#payloads;
    const { disk } = this.#options;
    const file = new AppendedFile(disk.open(this.#path(payloadsName(segmentName(this.#number)))));
    disk.syncFolder(this.name);
    this.#payloads = file;
    return file;
  }

  #segmentRecord(): Segment {
    const { seq, hash } = this.head;
    const time = this.#options.now();
    this.#record("segment", `,"chain":${quote(this.name)},"segment":${this.#number}`, time);
    return { number: this.#number, seq: seq + 1, prev: hash, time, bytes: 0 };
  }

  /** A record of the chain's own, to be written next. */
  #record(kind: string, members: string, time = this.#options.now()): void {
    this.head = this.#own.add(this.head, `"kind":"${kind}","time":${time}${members}`);
  }

  async #writeOwn(log: AppendedFile): Promise<void> {
    const { bytes } = this.#own;
    if (bytes.length > 0) await log.append(bytes);
    this.#own.clear();
  }

  #path(name: string): string {
    return within(this.name, name);
  }
}
