import { formatVersion } from "../format/line.js";
import { type RecordKind, recordKinds } from "../format/record-kinds.js";

/** A part of a line. Four bytes are compared at once: one by one takes three times as long. */
class Part {
  readonly length: number;
  readonly #words: readonly number[];
  readonly #lastWord: number;

  /** @param text Of four characters at least. */
  constructor(text: string) {
    const bytes = new DataView(new TextEncoder().encode(text).buffer);
    this.length = text.length;
    this.#words = Array.from({ length: text.length >> 2 }, (_, word) => bytes.getUint32(word * 4));
    this.#lastWord = bytes.getUint32(text.length - 4);
  }

  isAt(view: DataView, start: number): boolean {
    for (let word = 0; word < this.#words.length; word++) {
      if (view.getUint32(start + word * 4) !== this.#words[word]) return false;
    }
    return view.getUint32(start + this.length - 4) === this.#lastWord;
  }
}

const seqStart = new Part('{"seq":');
const prevStart = new Part(',"prev":"');
const kindStart = new Part(`","v":${formatVersion},"kind":"`);
const noTime = new Part("null");
const runIdStart = new Part(',"runId":"');
const hashStart = new Part(',"hash":"');
const hashLength = 64;
/** So many make a number that is exact. */
const mostDigits = 15;
/** A line that is not shorter has all the parts that are looked for, with the longest numbers. */
const shortestLine = 256;

const [zero, quote, comma, backslash, brace] = [0x30, 0x22, 0x2c, 0x5c, 0x7d];

/** Outcomes first: most records are such. */
const kinds = recordKinds
  .map((kind) => ({ kind, part: new Part(`${kind}","time":`) }))
  .sort((one, other) => Number(other.kind === "outcome") - Number(one.kind === "outcome"));

/**
 * The beginning of a record, read from the bytes of a line that has the form which the writer
 * gives it: that takes a thirtieth of the time that parsing takes.
 *
 * Nothing but the beginning and the seal is looked at. A line that is damaged between them is
 * not noticed.
 */
export class RecordBytes {
  seq = 0;
  kind: RecordKind = "outcome";
  time: number | null = null;
  #bytes = Buffer.alloc(0);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** The place at which the seal begins. */
  #end = 0;

  /** Takes a line. False if it has another form, and must be parsed. */
  take(bytes: Buffer<ArrayBuffer>, start: number, end: number): boolean {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    if (end - start < shortestLine) return false;
    this.#at = start;
    this.#end = end - 2 - hashLength - hashStart.length;
    if (!this.#passes(seqStart)) return false;
    this.seq = this.#number();
    if (!this.#passes(prevStart)) return false;
    this.#at += hashLength;
    if (!this.#passes(kindStart) || !this.#passesKind()) return false;
    this.time = this.#passes(noTime) ? null : this.#number();
    if (this.seq === -1 || this.time === -1) return false;
    return (
      bytes[this.#at] === comma &&
      hashStart.isAt(this.#view, this.#end) &&
      bytes[end - 2] === quote &&
      bytes[end - 1] === brace
    );
  }

  /** The run's id, which follows the time; undefined if parsing must tell it. */
  runId(): string | undefined {
    if (!runIdStart.isAt(this.#view, this.#at)) return undefined;
    const start = this.#at + runIdStart.length;
    for (let at = start; at < this.#end; at++) {
      const byte = this.#bytes[at] as number;
      if (byte === quote) return this.#bytes.toString("latin1", start, at);
      if (byte === backslash || byte < 0x20 || byte > 0x7e) return undefined;
    }
    return undefined;
  }

  #passes(part: Part): boolean {
    if (!part.isAt(this.#view, this.#at)) return false;
    this.#at += part.length;
    return true;
  }

  #passesKind(): boolean {
    for (const { kind, part } of kinds) {
      if (!this.#passes(part)) continue;
      this.kind = kind;
      return true;
    }
    return false;
  }

  /** Passes a whole number, or returns -1. */
  #number(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let value = 0;
    for (; ; at++) {
      const digit = (bytes[at] as number) - zero;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    this.#at = at;
    const count = at - start;
    return count > 0 && count <= mostDigits && (count === 1 || bytes[start] !== zero) ? value : -1;
  }
}
