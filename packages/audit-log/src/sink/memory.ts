import { type OptionTable, readOptions, ToolstileError, whole } from "@toolstile/core/provider";
import { type ChainHead, genesis } from "../format/chain-head.js";
import { statedHash } from "../format/line.js";
import type { AuditSink } from "./sink.js";

export interface MemoryOptions {
  /** Records that are kept; older ones are let go. Default 100,000. */
  readonly maxRecords?: number | undefined;
}

const memoryOptions = {
  maxRecords: whole(1).default(100_000),
} satisfies OptionTable<MemoryOptions>;

export interface MemorySink extends AuditSink {
  /** The records that are kept, oldest first, as lines without newline. */
  readonly lines: readonly string[];
  /** The head of the chain before the first line that is kept: what `verify()` takes as `after`. */
  readonly before: ChainHead;
}

/**
 * A sink that keeps the latest records in memory, for tests and for looking.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function memory(options: MemoryOptions = {}): MemorySink {
  const { maxRecords } = readOptions("memory()", options, memoryOptions);
  return new Memory(maxRecords);
}

const newline = 0x0a;

class Memory implements MemorySink {
  readonly name = "memory";
  readonly lines: string[] = [];
  readonly #maxRecords: number;
  before = genesis;
  #head = genesis;
  #opened = false;

  constructor(maxRecords: number) {
    this.#maxRecords = maxRecords;
  }

  readonly open = () => {
    if (this.#opened) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "Another writer has this memory() sink. Make one for each audit log.",
      );
    }
    this.#opened = true;
    return { head: this.#head, cutBytes: 0 };
  };

  readonly append = (lines: Uint8Array, head: ChainHead): void => {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(newline, start);
      this.lines.push(bytes.toString("latin1", start, end));
      start = end + 1;
    }
    this.#head = head;
    const excess = this.lines.length - this.#maxRecords;
    if (excess <= 0) return;
    const last = this.lines.splice(0, excess).at(-1) as string;
    this.before = { seq: head.seq - this.lines.length, hash: statedHash(last) as string };
  };

  readonly close = (): void => {
    this.#opened = false;
  };
}
