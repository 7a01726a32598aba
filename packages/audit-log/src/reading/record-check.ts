import type { CallForm } from "../call-shape.js";
import { ChainedLines, type ChainedRecord, unknownKind } from "../chained-lines.js";
import { type ChainHead, genesis } from "../sink.js";
import type { FolderFirstBad, TornLine } from "./folder-report.js";
import { isRecordKind, noKinds, type RecordKind } from "./record-kinds.js";

/** Where a line stands. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
  readonly seq: number;
}

/** What looks into records that are whole and in their place; a reason makes the record the first bad one. */
export interface RecordContent {
  /** `end` is where the chain stands with this record, `before` without it. */
  readonly check: (record: {
    readonly kind: RecordKind;
    readonly text: string;
    readonly form: CallForm;
    readonly place: LinePlace;
    readonly before: ChainHead;
    readonly end: ChainHead;
  }) => string | undefined;
}

const newline = 0x0a;
const firstStart = /^\{"seq":([1-9][0-9]{0,15}),"prev":"([0-9a-f]{64})",/;

/** Goes through a chain once, segment after segment, line by line, up to the first bad record. */
export class RecordCheck {
  /** What the chain's oldest record follows. */
  begin: ChainHead = genesis;
  firstBad: FolderFirstBad | undefined;
  torn: TornLine | undefined;
  readonly kinds = noKinds();
  lastKind: RecordKind | undefined;
  lastText = "";
  readonly #lines: ChainedLines;
  readonly #content: RecordContent;
  #file = "";
  #isFirst = true;

  constructor(content: RecordContent) {
    this.#lines = new ChainedLines(genesis, (record) => this.#look(record));
    this.#content = content;
  }

  get head(): ChainHead {
    return this.#lines.head;
  }

  beginSegment(file: string): void {
    this.#file = file;
    this.#lines.line = 0;
  }

  /** Takes the next lines of a segment, and says whether there is any use in more. */
  block(block: Buffer): boolean {
    if (this.#isFirst && block.includes(newline)) this.#beginChain(block);
    const goesOn = this.#lines.block(block);
    const { firstBad, torn } = this.#lines;
    if (firstBad !== undefined) this.bad(firstBad.reason, firstBad.line, firstBad.seq);
    if (torn !== undefined) this.torn = { file: this.#file, ...torn };
    return goesOn;
  }

  /** What only the end of a segment can show. */
  endSegment(isLast: boolean): void {
    if (isLast || this.firstBad !== undefined) return;
    if (this.torn !== undefined) {
      const { line } = this.torn;
      this.torn = undefined;
      this.bad("the line has no end, though a later segment was begun", line);
    } else if (this.#lines.line === 0) {
      this.bad("the segment is empty, though a later one was begun", 1);
    }
  }

  /** Only the first is kept. `seq` is by default the number that is due. */
  bad(reason: string, line: number | undefined, seq = this.head.seq + 1): void {
    this.firstBad ??= { file: this.#file, line, seq, reason };
  }

  #look({ text, kind, form, before, end }: ChainedRecord): string | undefined {
    if (!isRecordKind(kind)) return unknownKind;
    const { line } = this.#lines;
    if ((kind === "segment") !== (line === 1)) {
      return kind === "segment"
        ? "a segment begins in the middle of another"
        : "the segment does not begin with its opening";
    }
    const place = { file: this.#file, line, seq: end.seq };
    const reason = this.#content.check({ kind, text, form, place, before, end });
    if (reason !== undefined) return reason;
    this.kinds[kind]++;
    this.lastKind = kind;
    this.lastText = text;
    return undefined;
  }

  /** Where older segments are gone, the oldest one that is left says what it follows. */
  #beginChain(block: Buffer): void {
    this.#isFirst = false;
    const start = block.toString("latin1", 0, 128);
    const [, seq = "1", prev = genesis.hash] = firstStart.exec(start) ?? [];
    if (seq === "1") return;
    this.begin = { seq: Number(seq) - 1, hash: prev };
    this.#lines.head = this.begin;
  }
}
