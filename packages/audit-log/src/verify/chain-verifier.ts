import { longestLine } from "../files/blocks.js";
import { type ChainHead, genesis } from "../format/chain-head.js";
import {
  afterOpening,
  formatVersion,
  hashLines,
  isAt,
  isSealed,
  sealLength,
  statedHash,
  statedNumber,
} from "../format/line.js";
import { isRecordKind, noKinds, type RecordKind } from "../format/record-kinds.js";
import { type CallForm, CallForms } from "./call-shape.js";
import type { FirstBad, FolderFirstBad, TornLine } from "./findings.js";
import { faultOfMembers, isJson, noJson } from "./json-syntax.js";

/** A record that is whole and in its place. */
export interface ChainedRecord {
  readonly kind: RecordKind;
  readonly text: string;
  /** The form of a call's record, where it is known. */
  readonly form: CallForm;
  /** In its segment, from 1. */
  readonly line: number;
  /** The head without the record. */
  readonly before: ChainHead;
  /** The head with the record. */
  readonly end: ChainHead;
}

/** Checks what a record says. A reason makes the record the first bad one. */
export interface RecordContent {
  readonly check: (record: ChainedRecord) => string | undefined;
}

export interface ChainVerifierOptions {
  readonly content: RecordContent;
  /** The head that the first record follows. Default: the one that the first record states, for older ones may have been removed. */
  readonly after?: ChainHead | undefined;
}

const newline = 0x0a;
const firstStart = /^\{"seq":([1-9][0-9]{0,15}),"prev":"([0-9a-f]{64})",/;
const kindStart = '"kind":"';

/**
 * Goes through a chain once, segment after segment, up to the first record that is not its next.
 *
 * A file and the rows of a table are chains of one segment.
 */
export class ChainVerifier {
  /** The head that the chain's oldest record follows. */
  begin: ChainHead;
  head: ChainHead;
  firstBad: FolderFirstBad | undefined;
  /** True if the first bad record does not follow from the head: either of them may be the one that was replaced. */
  isHeadInDoubt = false;
  /** A last line without its end. */
  torn: TornLine | undefined;
  readonly kinds = noKinds();
  lastKind: RecordKind | undefined;
  lastText = "";
  /** The last line of the segment that was read, from 1. */
  line = 0;
  readonly #content: RecordContent;
  readonly #forms = new CallForms();
  #file = "";
  #isBegun: boolean;

  constructor({ content, after }: ChainVerifierOptions) {
    this.#content = content;
    this.#isBegun = after !== undefined;
    this.begin = after ?? genesis;
    this.head = this.begin;
  }

  beginSegment(file: string): void {
    this.#file = file;
    this.line = 0;
  }

  /** Takes the next lines of a segment, and returns false if it has no use for more. */
  block(block: Buffer): boolean {
    if (!this.#isBegun && block.includes(newline)) this.#beginChain(block);
    const { ends, hashes } = hashLines(block);
    const text = block.toString("latin1");
    let start = 0;
    for (const [index, end] of ends.entries()) {
      this.line++;
      const reason = this.#record(text, start, end, hashes[index] as string);
      if (reason !== undefined) {
        this.bad(reason, this.line, statedNumber(text.slice(start, Math.min(end, start + 64))));
        return false;
      }
      start = end + 1;
    }
    if (start === block.length) return true;
    this.line++;
    const bytes = block.length - start;
    if (bytes > longestLine) this.bad("the line is longer than any record", this.line);
    else this.torn = { file: this.#file, line: this.line, bytes };
    return false;
  }

  /** Checks what only the end of a segment can show. */
  endSegment(isLast: boolean): void {
    if (isLast || this.firstBad !== undefined) return;
    if (this.torn !== undefined) {
      const { line } = this.torn;
      this.torn = undefined;
      this.bad("the line has no end, though a later segment was begun", line);
    } else if (this.line === 0) {
      this.bad("the segment is empty, though a later one was begun", 1);
    }
  }

  /** Keeps the first. `seq` is the number that the line states. */
  bad(reason: string, line: number | undefined, seq?: number): void {
    this.firstBad ??= { file: this.#file, line, seq, reason };
  }

  /** If older segments are gone, the oldest one that is left states what it follows. */
  #beginChain(block: Buffer): void {
    this.#isBegun = true;
    const start = block.toString("latin1", 0, 128);
    const [, seq = "1", prev = genesis.hash] = firstStart.exec(start) ?? [];
    if (seq === "1") return;
    this.begin = { seq: Number(seq) - 1, hash: prev };
    this.head = this.begin;
  }

  /** Returns why the line is not the next record. Undefined if it is. */
  #record(block: string, start: number, end: number, own: string): string | undefined {
    const { head: before } = this;
    const members = afterOpening(block, start, before);
    const sealed = end - sealLength;
    if (members === -1 || sealed < members) return this.#wrong(block.slice(start, end), own);
    if (!isSealed(block, sealed, own)) return changed;
    // What stands before and after them is known to the byte.
    const form = this.#forms.of(block, members, sealed);
    if (form === undefined) {
      const fault = faultOfMembers(block.slice(members, sealed));
      if (fault !== undefined) return fault;
    }
    const kind = kindAt(block, members);
    if (!isRecordKind(kind)) return unknownKind;
    const text = block.slice(start, end);
    const after = { seq: before.seq + 1, hash: own };
    const reason = this.#content.check({ kind, text, form, line: this.line, before, end: after });
    if (reason !== undefined) return reason;
    this.kinds[kind]++;
    this.lastKind = kind;
    this.lastText = text;
    this.head = after;
    return undefined;
  }

  /** Returns which part is wrong in a line that does not begin as the next record does. */
  #wrong(line: string, own: string): string {
    const stated = statedHash(line);
    const seq = statedNumber(line);
    if (stated === undefined || seq === undefined)
      return "the line is not a record of an audit log";
    if (own !== stated) return changed;
    if (!isJson(line)) return noJson;
    const due = this.head.seq + 1;
    if (seq !== due) {
      return `record ${seq} stands where record ${due} was due: records were removed, repeated or reordered`;
    }
    if (!line.includes(`,"v":${formatVersion},`)) {
      return "the record is of a format version that this one does not know";
    }
    this.isHeadInDoubt = true;
    return `record ${seq} does not follow from the one before it: that one, or more, was replaced`;
  }
}

export const unknownKind = "the record is of no kind that this version knows";
const changed = "the record's bytes were changed: they do not have the hash that it states";

/** The finding in a chain that is not in a folder's file. */
export function inOneSegment(bad: FolderFirstBad | undefined): FirstBad | undefined {
  return bad && { line: bad.line ?? 1, seq: bad.seq, reason: bad.reason };
}

/** The most common kind is found by comparison, without making a string that is then looked up. */
function kindAt(text: string, start: number): string {
  if (isAt(text, start, '"kind":"outcome"')) return "outcome";
  if (!isAt(text, start, kindStart)) return "";
  const from = start + kindStart.length;
  return text.slice(from, text.indexOf('"', from));
}
