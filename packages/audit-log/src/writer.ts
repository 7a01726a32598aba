import { setImmediate } from "node:timers";
import { type Awaitable, type CallRecord, ToolstileError } from "@toolstile/core";
import { LineBuffer } from "./line-buffer.js";
import type { RecordKind } from "./record-text.js";
import { type AuditSink, type ChainHead, isChainHead, type OpenedChain } from "./sink.js";
import { stopped } from "./sink-failure.js";

/** Records that are hashed and written in one go. More would hold up the event loop for milliseconds. */
const batchRecords = 256;

/** What the writer needs to know of records: their texts. */
export interface WriterTexts {
  readonly call: (kind: RecordKind, record: CallRecord, time: number | null) => string;
  readonly head: (time: number | null) => string;
  readonly repair: (cutBytes: number, time: number | null) => string;
  readonly gap: (dropped: number, time: number | null) => string;
}

export interface WriterOptions {
  readonly sink: AuditSink;
  readonly texts: WriterTexts;
  readonly maxQueued: number;
  readonly onFull: "block" | "drop";
  /** Milliseconds, or nothing that JSON can hold. */
  readonly now: () => number | null;
}

type Item =
  | { readonly kind: RecordKind; readonly record: CallRecord }
  | { readonly kind: "gap"; readonly dropped: number };

/** Something that will have happened. Those who await it get its failure; a failure that nobody awaits is no crash. */
class Signal {
  readonly done: Promise<void>;
  resolve!: () => void;
  reject!: (error: unknown) => void;

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.done.catch(() => {});
  }
}

/** Records that are acknowledged together. */
class Batch {
  readonly items: Item[] = [];
  readonly written = new Signal();
}

/**
 * The one writer of one chain: queues records, and numbers, hashes and writes
 * them later, in order, a batch at a time.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #buffer = new LineBuffer();
  readonly #batches: Batch[] = [];
  #writing: Batch | undefined;
  #opening: Awaitable<OpenedChain>;
  #head: ChainHead | undefined;
  #queued = 0;
  #dropped = 0;
  #waiting = 0;
  #busy = false;
  #failed = false;
  /** Why no more records are taken. */
  #refusal: ToolstileError | undefined;
  #room = new Signal();
  #idle: Signal | undefined;
  #closing: Promise<void> | undefined;

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

  /** Resolves when the record is written. */
  add(kind: RecordKind, record: CallRecord): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#queued >= this.#options.maxQueued) return this.#full(kind, record);
    if (this.#dropped > 0) this.#noteGap();
    return this.#push({ kind, record });
  }

  /** Writes what is queued, then closes the sink. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #push(item: Item): Promise<void> {
    let batch = this.#batches.at(-1);
    if (batch === undefined || batch.items.length >= batchRecords) {
      batch = new Batch();
      this.#batches.push(batch);
    }
    batch.items.push(item);
    this.#queued++;
    if (!this.#busy) this.#start();
    return batch.written.done;
  }

  #noteGap(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#push({ kind: "gap", dropped });
  }

  /** As many may wait for room as there is room: a sink that never answers must not fill the memory. */
  async #full(kind: RecordKind, record: CallRecord): Promise<void> {
    if (this.#options.onFull === "drop") {
      this.#dropped++;
      return;
    }
    if (this.#waiting >= this.#options.maxQueued) {
      throw new ToolstileError(
        "ERR_CLOSED",
        "The audit log is full, and so is its waiting room: the sink does not keep up.",
      );
    }
    this.#waiting++;
    try {
      while (this.#queued >= this.#options.maxQueued && this.#refusal === undefined) {
        await this.#room.done;
      }
    } finally {
      this.#waiting--;
    }
    return this.add(kind, record);
  }

  /** Once the microtasks of the moment have run: calls that end together are written together. */
  #start(): void {
    this.#busy = true;
    process.nextTick(() => this.#turn());
  }

  /** Writes one batch. */
  async #turn(): Promise<void> {
    try {
      if (this.#head === undefined) await this.#begin();
      // Taken out first: what comes while it is written belongs to the next one.
      this.#writing = this.#batches.shift();
      if (this.#writing !== undefined) await this.#write(this.#writing);
    } catch (error) {
      this.#fail(error);
    }
    if (this.#batches.length === 0 && this.#dropped > 0 && !this.#failed) this.#noteGap();
    if (this.#batches.length > 0) {
      // Later, so that a long queue holds up nobody.
      setImmediate(() => this.#turn());
      return;
    }
    this.#busy = false;
    this.#idle?.resolve();
  }

  /** Records the opening, and what was cut off when the file was opened. */
  async #begin(): Promise<void> {
    const { texts, now } = this.#options;
    const { head, cutBytes } = await this.#opening;
    if (!isChainHead(head) || !Number.isSafeInteger(cutBytes)) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "The sink's open() gives { head, cutBytes }: a number and a hash, and a count.",
      );
    }
    const time = now();
    let next = this.#buffer.add(head, texts.head(time));
    if (cutBytes > 0) next = this.#buffer.add(next, texts.repair(cutBytes, time));
    await this.#append(next);
  }

  async #write(batch: Batch): Promise<void> {
    const { texts, now } = this.#options;
    const time = now();
    let head = this.#head as ChainHead;
    for (const item of batch.items) {
      const text =
        item.kind === "gap"
          ? texts.gap(item.dropped, time)
          : texts.call(item.kind, item.record, time);
      head = this.#buffer.add(head, text);
    }
    const appended = this.#append(head);
    if (appended !== undefined) await appended;
    this.#writing = undefined;
    this.#queued -= batch.items.length;
    batch.written.resolve();
    this.#wake();
  }

  #append(head: ChainHead): Promise<void> | undefined {
    const appended = this.#options.sink.append(this.#buffer.bytes, head);
    if (isThenable(appended)) return Promise.resolve(appended).then(() => this.#keep(head));
    this.#keep(head);
    return undefined;
  }

  #keep(head: ChainHead): void {
    this.#head = head;
    this.#buffer.clear();
  }

  /** For good: after a failed write nobody knows what the file holds, and a retry may seem to succeed. */
  #fail(cause: unknown): void {
    this.#failed = true;
    this.#refusal = stopped(cause);
    this.#writing?.written.reject(this.#refusal);
    for (const batch of this.#batches.splice(0)) batch.written.reject(this.#refusal);
    this.#queued = 0;
    this.#dropped = 0;
    this.#wake();
  }

  #wake(): void {
    if (this.#waiting === 0) return;
    this.#room.resolve();
    this.#room = new Signal();
  }

  async #finish(): Promise<void> {
    this.#refusal ??= new ToolstileError("ERR_CLOSED", "The audit log is closed.");
    this.#wake();
    if (this.#busy) {
      this.#idle = new Signal();
      await this.#idle.done;
    }
    await this.#options.sink.close();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === "function";
}
