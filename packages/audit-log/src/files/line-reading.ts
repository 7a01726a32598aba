import { closeSync, fstatSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { longestLine } from "./blocks.js";
import { openLogged } from "./log-folder.js";

const newline = 0x0a;
const chunkBytes = 1 << 16;
/** After so many bytes others get a turn. */
const turnBytes = 1 << 20;

export interface LinePlace {
  readonly offset: number;
  /** Without the newline. */
  readonly bytes: number;
  /** In its file, from 1. */
  readonly line: number;
}

export interface ReadLine extends LinePlace {
  readonly text: string;
  /** A last line without its end has none yet. */
  readonly isWhole: boolean;
}

/** Looks at a line's bytes, before a text is made of them: returns false for a line to be left out. */
export type LineGlance = (
  bytes: Buffer<ArrayBuffer>,
  start: number,
  end: number,
  offset: number,
  line: number,
) => boolean;

/**
 * Finds lines that may be wanted: returns a place in or before the first of them.
 *
 * Lines from `start` on that end before that place are left out unseen. Without any, it is the end of the buffer.
 */
export type LineSearch = (bytes: Buffer<ArrayBuffer>, start: number) => number;

const everyLine: LineSearch = (_, start) => start;

export interface LineReadingOptions {
  readonly glance?: LineGlance | undefined;
  readonly search?: LineSearch | undefined;
}

/**
 * Reads a file's lines, and later those that were added since.
 *
 * The file is open only while it is read, so that as many can be read side by
 * side as a folder has. A line that is longer than any record is left out.
 */
export class LineReading {
  readonly #path: string;
  readonly #glance: LineGlance;
  readonly #search: LineSearch;
  /** Whole lines that were read, and not yet taken. */
  #buffer = Buffer.alloc(0);
  /** The offset of the buffer in the file. */
  #offset = 0;
  #start = 0;
  #line = 0;
  #countedFrom = 0;
  #untilTurn = turnBytes;

  constructor(path: string, options: LineReadingOptions = {}) {
    this.#path = path;
    this.#glance = options.glance ?? (() => true);
    this.#search = options.search ?? everyLine;
  }

  /** The offset from which lines are counted: what was passed over has not been read. */
  get countedFrom(): number {
    return this.#countedFrom;
  }

  /**
   * Passes over all but the last so many bytes, and what of a line these begin with.
   *
   * Lines are counted from there. Resolves to false where nothing was passed over.
   */
  async toLast(bytes: number): Promise<boolean> {
    const file = openLogged(this.#path);
    if (file === undefined) return false;
    try {
      const from = fstatSync(file).size - bytes;
      if (from <= 0) return false;
      // The byte before it may end a line.
      const begin = await this.#lineAfter(file, from - 1);
      if (begin === undefined) return false;
      this.#offset = begin;
      this.#countedFrom = begin;
      return true;
    } finally {
      closeSync(file);
    }
  }

  /** The next whole line; nothing, where the file has no more for now. */
  async next(): Promise<ReadLine | undefined> {
    return this.#find() ?? (await this.#fill());
  }

  /** Reads what follows the last whole line. */
  async rest(): Promise<ReadLine | undefined> {
    const file = openLogged(this.#path);
    if (file === undefined) return undefined;
    try {
      const offset = this.#offset + this.#start;
      const size = Math.min(fstatSync(file).size, offset + longestLine);
      if (size <= offset) return undefined;
      const bytes = Buffer.alloc(size - offset);
      const bytesRead = readSync(file, bytes, 0, bytes.length, offset);
      const text = bytes.toString("utf8", 0, bytesRead);
      return { text, line: this.#line + 1, offset, bytes: bytesRead, isWhole: false };
    } finally {
      closeSync(file);
    }
  }

  /** The next line of the buffer that is not left out. */
  #find(): ReadLine | undefined {
    const buffer = this.#buffer;
    let place = -1;
    while (this.#start < buffer.length) {
      const start = this.#start;
      const end = buffer.indexOf(newline, start);
      const offset = this.#offset + start;
      this.#start = end + 1;
      this.#line++;
      if (place < start) place = this.#search(buffer, start);
      if (end < place || !this.#glance(buffer, start, end, offset, this.#line)) continue;
      const text = buffer.toString("utf8", start, end);
      return { text, line: this.#line, offset, bytes: end - start, isWhole: true };
    }
    return undefined;
  }

  /** Reads on to the next line. One without end is read again next time: a repair may cut it. */
  async #fill(): Promise<ReadLine | undefined> {
    const file = openLogged(this.#path);
    if (file === undefined) return undefined;
    try {
      return await this.#readLines(file);
    } finally {
      closeSync(file);
    }
  }

  async #readLines(file: number): Promise<ReadLine | undefined> {
    let chunk = Buffer.allocUnsafeSlow(chunkBytes);
    let length = 0;
    for (;;) {
      this.#offset += this.#start;
      this.#start = 0;
      this.#buffer = Buffer.alloc(0);
      // To hand a read to another thread and back takes longer than to make it.
      const at = this.#offset + length;
      const bytesRead = readSync(file, chunk, length, chunk.length - length, at);
      if (bytesRead === 0) return undefined;
      await this.#giveTurn(bytesRead);
      length += bytesRead;
      const whole = chunk.subarray(0, length).lastIndexOf(newline) + 1;
      if (whole > 0) {
        this.#buffer = chunk.subarray(0, whole);
        const found = this.#find();
        if (found !== undefined) return found;
        chunk.copyWithin(0, whole, length);
        length -= whole;
      } else if (length > longestLine) {
        const next = await this.#lineAfter(file, this.#offset + length);
        if (next === undefined) return undefined;
        this.#line++;
        this.#start = next - this.#offset;
        chunk = Buffer.allocUnsafeSlow(chunkBytes);
        length = 0;
      } else if (length === chunk.length) {
        chunk = Buffer.concat([chunk], chunk.length * 2);
      }
    }
  }

  /** The offset behind the first newline from there on, if there is one yet. */
  async #lineAfter(file: number, from: number): Promise<number | undefined> {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let at = from; ; ) {
      const bytesRead = readSync(file, chunk, 0, chunk.length, at);
      if (bytesRead === 0) return undefined;
      await this.#giveTurn(bytesRead);
      const end = chunk.subarray(0, bytesRead).indexOf(newline);
      if (end !== -1) return at + end + 1;
      at += bytesRead;
    }
  }

  async #giveTurn(bytesRead: number): Promise<void> {
    this.#untilTurn -= bytesRead;
    if (this.#untilTurn > 0) return;
    this.#untilTurn = turnBytes;
    await setImmediate();
  }
}
