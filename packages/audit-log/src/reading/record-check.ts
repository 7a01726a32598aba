import { longestLine } from "../blocks.js";
import { isJson, isPlainMembers } from "../json-syntax.js";
import {
  afterOpening,
  formatVersion,
  hashLines,
  isSealed,
  sealLength,
  statedHash,
  statedNumber,
} from "../line.js";
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
    readonly place: LinePlace;
    readonly before: ChainHead;
    readonly end: ChainHead;
  }) => string | undefined;
}

const kindStart = '"kind":"';
const firstStart = /^\{"seq":([1-9][0-9]{0,15}),"prev":"([0-9a-f]{64})",/;
const unprintable = /[^\n -~]/;

/** Goes through a chain once, segment after segment, line by line, up to the first bad record. */
export class RecordCheck {
  head: ChainHead = genesis;
  /** What the chain's oldest record follows. */
  begin: ChainHead = genesis;
  firstBad: FolderFirstBad | undefined;
  torn: TornLine | undefined;
  readonly kinds = noKinds();
  lastKind: RecordKind | undefined;
  lastText = "";
  readonly #content: RecordContent;
  #file = "";
  #line = 0;
  #isFirst = true;

  constructor(content: RecordContent) {
    this.#content = content;
  }

  beginSegment(file: string): void {
    this.#file = file;
    this.#line = 0;
  }

  /** Takes the next lines of a segment, and says whether there is any use in more. */
  block(block: Buffer): boolean {
    const { ends, hashes } = hashLines(block);
    const text = block.toString("latin1");
    let start = 0;
    for (const [index, end] of ends.entries()) {
      this.#line++;
      const reason = this.#record(text, start, end, hashes[index] as string);
      if (reason !== undefined) {
        const seq = statedNumber(text.slice(start, Math.min(end, start + 64)));
        this.bad(reason, this.#line, seq ?? this.head.seq + 1);
        return false;
      }
      start = end + 1;
    }
    if (start === block.length) return true;
    this.#line++;
    this.#rest(block.length - start);
    return false;
  }

  /** What only the end of a segment can show. */
  endSegment(isLast: boolean): void {
    if (isLast || this.firstBad !== undefined) return;
    if (this.torn !== undefined) {
      const { line } = this.torn;
      this.torn = undefined;
      this.bad("the line has no end, though a later segment was begun", line, this.head.seq + 1);
    } else if (this.#line === 0) {
      this.bad("the segment is empty, though a later one was begun", 1, this.head.seq + 1);
    }
  }

  bad(reason: string, line: number | undefined, seq: number | undefined): void {
    this.firstBad ??= { file: this.#file, line, seq, reason };
  }

  #rest(bytes: number): void {
    if (bytes > longestLine) {
      this.bad("the line is longer than any record", this.#line, this.head.seq + 1);
    } else {
      this.torn = { file: this.#file, line: this.#line, bytes };
    }
  }

  /** Why the line is not the next record; nothing when it is. */
  #record(text: string, start: number, end: number, own: string): string | undefined {
    if (this.#isFirst) this.#beginChain(text.slice(start, Math.min(end, start + 128)));
    const before = this.head;
    const members = afterOpening(text, start, before);
    const sealed = end - sealLength;
    if (members === -1 || sealed < members) {
      return this.#wrong(text.slice(start, end), own);
    }
    if (!isSealed(text, sealed, own)) return changed;
    const line = text.slice(start, end);
    // What stands before and after them is known to the byte.
    const inside = text.slice(members, sealed);
    if (!isPlainMembers(inside)) {
      if (unprintable.test(inside)) return "the record is not in printable ASCII";
      if (!isJson(`{${inside}}`)) return noJson;
    }
    const kind = kindAt(line, members - start);
    if (kind === undefined) return "the record is of no kind that this version knows";
    if ((kind === "segment") !== (this.#line === 1)) {
      return kind === "segment"
        ? "a segment begins in the middle of another"
        : "the segment does not begin with its opening";
    }
    const place = { file: this.#file, line: this.#line, seq: before.seq + 1 };
    const head = { seq: place.seq, hash: own };
    const reason = this.#content.check({ kind, text: line, place, before, end: head });
    if (reason !== undefined) return reason;
    this.head = head;
    this.kinds[kind]++;
    this.lastKind = kind;
    this.lastText = line;
    return undefined;
  }

  /** Where older segments are gone, the oldest one that is left says what it follows. */
  #beginChain(start: string): void {
    this.#isFirst = false;
    const [, seq = "1", prev = genesis.hash] = firstStart.exec(start) ?? [];
    if (seq === "1") return;
    this.begin = { seq: Number(seq) - 1, hash: prev };
    this.head = this.begin;
  }

  /** Which of its parts is wrong in a line that does not begin as the next record does. */
  #wrong(line: string, own: string): string {
    const stated = statedHash(line);
    const seq = statedNumber(line);
    if (stated === undefined || seq === undefined) return "the line is no record of an audit log";
    if (own !== stated) return changed;
    if (!isJson(line)) return noJson;
    const due = this.head.seq + 1;
    if (seq !== due) {
      return `record ${seq} stands where record ${due} was due: records were removed, repeated or reordered`;
    }
    if (!line.includes(`,"v":${formatVersion},`)) {
      return "the record is of a format version that this one does not know";
    }
    return `record ${seq} does not follow from the one before it: that one, or more, was replaced`;
  }
}

const changed = "the record's bytes were changed: they do not have the hash that it states";
const noJson = "the record is no valid JSON";

function kindAt(line: string, start: number): RecordKind | undefined {
  if (!line.startsWith(kindStart, start)) return undefined;
  const from = start + kindStart.length;
  const kind = line.slice(from, line.indexOf('"', from));
  return isRecordKind(kind) ? kind : undefined;
}
