import { longestLine } from "./blocks.js";
import { type CallForm, CallForms } from "./call-shape.js";
import { faultOfMembers, isJson, noJson } from "./json-syntax.js";
import {
  afterOpening,
  formatVersion,
  hashLines,
  isAt,
  isSealed,
  sealLength,
  statedHash,
  statedNumber,
} from "./line.js";
import type { ChainHead } from "./sink.js";

/** The first record that is not as the writer left it. */
export interface FirstBad {
  /** From 1. */
  readonly line: number;
  /** The number that the line states, where it states one. */
  readonly seq?: number | undefined;
  /** In printable ASCII, whatever the log holds. */
  readonly reason: string;
}

/** A record that is whole and in its place. */
export interface ChainedRecord {
  readonly text: string;
  /** As it stands there: of a later version it may be any. */
  readonly kind: string;
  /** Undefined says nothing. */
  readonly form: CallForm;
  /** Where the chain stands without the record. */
  readonly before: ChainHead;
  /** Where the chain stands with it. */
  readonly end: ChainHead;
}

/** Looks into a record; a reason makes it the first bad one. */
export type RecordLook = (record: ChainedRecord) => string | undefined;

const kindStart = '"kind":"';

/** Goes through the lines of a chain, up to the first that is not its next record. */
export class ChainedLines {
  head: ChainHead;
  firstBad: FirstBad | undefined;
  torn: { readonly line: number; readonly bytes: number } | undefined;
  /** Of the last line that was read, from 1. */
  line = 0;
  readonly #look: RecordLook;
  readonly #forms = new CallForms();

  constructor(head: ChainHead, look: RecordLook) {
    this.head = head;
    this.#look = look;
  }

  /** Takes the next lines, and says whether there is any use in more. */
  block(block: Buffer): boolean {
    const { ends, hashes } = hashLines(block);
    const text = block.toString("latin1");
    let start = 0;
    for (const [index, end] of ends.entries()) {
      this.line++;
      const reason = this.#record(text, start, end, hashes[index] as string);
      if (reason !== undefined) {
        const seq = statedNumber(text.slice(start, Math.min(end, start + 64)));
        this.firstBad = { line: this.line, seq, reason };
        return false;
      }
      start = end + 1;
    }
    if (start === block.length) return true;
    this.line++;
    this.#rest(block.length - start);
    return false;
  }

  #rest(bytes: number): void {
    if (bytes > longestLine) {
      this.firstBad = { line: this.line, reason: "the line is longer than any record" };
    } else {
      this.torn = { line: this.line, bytes };
    }
  }

  /** Why the line is not the next record; nothing when it is. */
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
    const text = block.slice(start, end);
    const after = { seq: before.seq + 1, hash: own };
    const kind = kindAt(block, members);
    const reason = this.#look({ text, kind, form, before, end: after });
    if (reason === undefined) this.head = after;
    return reason;
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

export const unknownKind = "the record is of no kind that this version knows";
const changed = "the record's bytes were changed: they do not have the hash that it states";

/** The most common one is found by comparison, without making a string that is then looked up. */
function kindAt(text: string, start: number): string {
  if (isAt(text, start, '"kind":"outcome"')) return "outcome";
  if (!isAt(text, start, kindStart)) return "";
  const from = start + kindStart.length;
  return text.slice(from, text.indexOf('"', from));
}
