import { setImmediate } from "node:timers";
import type { CallRecord } from "@toolstile/core";
import { type Awaitable, ToolstileError } from "@toolstile/core/provider";
import { type ChainHead, isChainHead } from "../format/chain-head.js";
import { LineBuffer } from "../format/line-buffer.js";
import type { AuditSink, OpenedChain } from "../sink/sink.js";
import type { Timers } from "../sink/timers.js";
import type { RecordKind } from "./record-text.js";
import { Signal } from "./signal.js";
import { stopped } from "./sink-failure.js";

/** Records that are hashed and written in one go. More would hold up the event loop for milliseconds. */
const batchRecords = 256;

/** Makes the texts of records. */
export interface WriterTexts {
  readonly call: (kind: RecordKind, record: CallRecord, time: number | null) => string;
  /** The JSON members to keep beside the record that was asked for last. */
  readonly payload: () => string | undefined;
  readonly head: (time: number | null) => string;
  readonly repair: (cutBytes: number, time: number | null) => string;
  readonly gap: (dropped: number, time: number | null) => string;
}

export interface WriterOptions {
  readonly sink: AuditSink;
  readonly texts: WriterTexts;
  readonly maxQueued: number;
  /** With `"block"` as many more may wait: the queue takes twice as many. */
  readonly onFull: "block" | "deny" | "drop";
  /** Milliseconds, or nothing that JSON can hold. */
  readonly now: () => number | null;
  readonly timers: Timers;
}

type Item =
  | { readonly kind: RecordKind; readonly record: CallRecord }
  | { readonly kind: "gap"; readonly dropped: number }
  | { readonly kind: "checkpoint" };

/** Records that are acknowledged together. */
class Batch {
  readonly items: Item[] = [];
  readonly written = new Signal();
  /** The number of items, also once they are released. */
  count = 0;
  /** The last checkpoint that was asked for among them. */
  note: string | undefined;
  /** The head of the chain after them. */
  head: ChainHead | undefined;
}

/**
 * The one writer of one chain: queues records, and numbers, hashes and writes
 * them later, in order, a batch at a time. Where the sink syncs, all batches
 * that were written by then share one sync, while the next are hashed.
 *
 * Longer than 250 lines: the queue, the syncs and the end of both share one state.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #buffer = new LineBuffer();
  readonly #batches: Batch[] = [];
  #writing: Batch | undefined;
  /** Written, and not yet known to be on the disk. */
  #unsynced: Batch[] = [];
  #syncing: Batch[] = [];
  #opening: Awaitable<OpenedChain>;
  /** The head that the next record follows. */
  #position: ChainHead | undefined;
  #head: ChainHead | undefined;
  #queued = 0;
  #dropped = 0;
  #busy = false;
  #failed = false;
  /** The reason why no more records are taken. */
  #refusal: ToolstileError | undefined;
  #idle: Signal | undefined;
  #closing: Promise<void> | undefined;
  #checkpointTimer: unknown;

  /** Opens the sink, so a sink that refuses at once refuses here. */
  constructor(options: WriterOptions) {
    this.#options = options;
    this.#opening = options.sink.open();
    if (isThenable(this.#opening)) this.#opening.then(undefined, () => {});
    this.#start();
  }

  /** The head of the chain after the last acknowledged record. Undefined before the first. */
  get head(): ChainHead | undefined {
    return this.#head;
  }

  /** Resolves when the record is written, and on the disk where the sink syncs. */
  add(kind: RecordKind, record: CallRecord): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#isFull) return this.#full();
    if (this.#dropped > 0) this.#noteGap();
    return this.#push({ kind, record }).written.done;
  }

  /** Signs where the chain stands after what was added before. */
  async checkpoint(): Promise<string | undefined> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const batch = this.#push({ kind: "checkpoint" });
    await batch.written.done;
    return batch.note;
  }

  /** Writes what is queued, then closes the sink. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #push(item: Item): Batch {
    let batch = this.#batches.at(-1);
    if (batch === undefined || batch.items.length >= batchRecords) {
      batch = new Batch();
      this.#batches.push(batch);
    }
    batch.items.push(item);
    batch.count++;
    this.#queued++;
    if (!this.#busy) this.#start();
    return batch;
  }

  #noteGap(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#push({ kind: "gap", dropped });
  }

  /** A call that waits for room waits for its record, as one in the queue does: both stand in one line. */
  get #isFull(): boolean {
    const { onFull, maxQueued } = this.#options;
    return this.#queued >= (onFull === "block" ? 2 * maxQueued : maxQueued);
  }

  /** Counts a record that is lost. A sink that never answers must not fill the memory. */
  async #full(): Promise<void> {
    const { onFull } = this.#options;
    this.#dropped++;
    if (onFull === "drop") return;
    throw new ToolstileError(
      "ERR_CLOSED",
      onFull === "block"
        ? "The audit log is full, and too many calls wait for it: the sink is too slow."
        : "The audit log is full: the sink is too slow.",
    );
  }

  /** Once the microtasks of the moment have run: calls that end together are written together. */
  #start(): void {
    this.#busy = true;
    process.nextTick(() => this.#turn());
  }

  /** Writes one batch. */
  async #turn(): Promise<void> {
    try {
      if (this.#position === undefined) await this.#begin();
      // Taken out first: what comes while it is written belongs to the next one.
      this.#writing = this.#batches.shift();
      if (this.#writing !== undefined) await this.#write(this.#writing);
    } catch (error) {
      this.#fail(error);
    }
    if (this.#batches.length === 0 && this.#dropped > 0 && !this.#failed) this.#noteGap();
    if (this.#batches.length > 0) {
      // Later, so that a long queue does not hold up other work.
      setImmediate(() => this.#turn());
      return;
    }
    this.#busy = false;
    this.#rest();
  }

  /** Records the opening, and what was cut off when the file was opened. */
  async #begin(): Promise<void> {
    const { texts, now, sink } = this.#options;
    const { head, cutBytes } = await this.#opening;
    if (!isChainHead(head) || !Number.isSafeInteger(cutBytes)) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "The sink's open() must return { head: { seq, hash }, cutBytes }.",
      );
    }
    const time = now();
    let next = this.#buffer.add(head, texts.head(time));
    if (cutBytes > 0) next = this.#buffer.add(next, texts.repair(cutBytes, time));
    await this.#append(next, undefined);
    if (sink.sync !== undefined) await sink.sync();
    this.#head = this.#position;
  }

  async #write(batch: Batch): Promise<void> {
    const { texts, now, sink } = this.#options;
    const time = now();
    let head = this.#position as ChainHead;
    let payloads = "";
    let isAsked = false;
    for (const item of batch.items) {
      if (item.kind === "checkpoint") {
        isAsked = true;
        continue;
      }
      const text =
        item.kind === "gap"
          ? texts.gap(item.dropped, time)
          : texts.call(item.kind, item.record, time);
      head = this.#buffer.add(head, text);
      const payload = item.kind === "gap" ? undefined : texts.payload();
      if (payload !== undefined) payloads += `{"seq":${head.seq},${payload}}\n`;
    }
    batch.items.length = 0;
    if (head !== this.#position) {
      const appended = this.#append(head, payloads === "" ? undefined : payloads);
      if (appended !== undefined) await appended;
    }
    if (isAsked && sink.checkpoint !== undefined) {
      const taken = await sink.checkpoint();
      this.#position = taken.head;
      batch.note = taken.note;
    }
    this.#writing = undefined;
    // A sync that failed meanwhile has ended the log for this batch as well.
    if (this.#failed) return batch.written.reject(this.#refusal);
    batch.head = this.#position;
    if (sink.sync === undefined) return this.#acknowledge([batch]);
    this.#unsynced.push(batch);
    if (this.#syncing.length === 0) void this.#syncAll(sink.sync);
  }

  #append(head: ChainHead, payloads: string | undefined): Promise<void> | undefined {
    const appended = this.#options.sink.append(this.#buffer.bytes, head, payloads);
    if (isThenable(appended))
      return Promise.resolve(appended).then((own) => this.#keep(own ?? head));
    this.#keep(appended ?? head);
    return undefined;
  }

  #keep(head: ChainHead): void {
    this.#position = head;
    this.#buffer.clear();
    const { sink, timers } = this.#options;
    if (sink.checkpointAfterMs === undefined || this.#checkpointTimer !== undefined) return;
    this.#checkpointTimer = timers.setTimeout(() => {
      this.#checkpointTimer = undefined;
      if (this.#refusal === undefined) this.checkpoint().catch(() => {});
    }, sink.checkpointAfterMs);
  }

  /** One sync for all that is written when it begins, as long as there is any. */
  async #syncAll(sync: () => Promise<void>): Promise<void> {
    while (this.#unsynced.length > 0) {
      this.#syncing = this.#unsynced;
      this.#unsynced = [];
      try {
        await sync();
        if (!this.#failed) this.#acknowledge(this.#syncing);
      } catch (error) {
        this.#fail(error);
      }
      this.#syncing = [];
    }
    this.#rest();
  }

  #acknowledge(batches: readonly Batch[]): void {
    for (const batch of batches) {
      this.#head = batch.head;
      this.#queued -= batch.count;
      batch.written.resolve();
    }
  }

  /** Fails for good: after a failed write or sync the content of the file is unknown, and a retry may seem to succeed. */
  #fail(cause: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#refusal = stopped(cause);
    this.#writing?.written.reject(this.#refusal);
    for (const waiting of [this.#batches, this.#unsynced, this.#syncing]) {
      for (const batch of waiting.splice(0)) batch.written.reject(this.#refusal);
    }
    this.#queued = 0;
    this.#dropped = 0;
  }

  get #isResting(): boolean {
    return !this.#busy && this.#syncing.length === 0 && this.#unsynced.length === 0;
  }

  #rest(): void {
    if (this.#isResting) this.#idle?.resolve();
  }

  async #finish(): Promise<void> {
    this.#refusal ??= new ToolstileError("ERR_CLOSED", "The audit log is closed.");
    this.#options.timers.clearTimeout(this.#checkpointTimer);
    if (!this.#isResting) {
      this.#idle = new Signal();
      await this.#idle.done;
    }
    await this.#options.sink.close();
  }
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | undefined)?.then === "function";
}
