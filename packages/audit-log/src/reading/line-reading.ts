import type { FileHandle } from "node:fs/promises";
import { longestLine } from "../blocks.js";
import { openLogged } from "./chain-files.js";

const newline = 0x0a;
const chunkBytes = 1 << 16;

export interface ReadLine {
  readonly text: string;
  /** In its file, from 1. */
  readonly line: number;
  readonly offset: number;
  /** Without the newline. */
  readonly bytes: number;
  /** A last line without its end has none yet. */
  readonly isWhole: boolean;
}

/**
 * Reads a file's lines, and later those that were added since.
 *
 * The file is open only while it is read, so that as many can be read side by
 * side as a folder has. A line that is longer than any record is left out.
 */
export class LineReading {
  readonly #path: string;
  #buffer = Buffer.alloc(0);
  /** Where the buffer stands in the file. */
  #offset = 0;
  #start = 0;
  #line = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The next whole line; nothing, where the file has no more for now. */
  async next(): Promise<ReadLine | undefined> {
    let end = this.#buffer.indexOf(newline, this.#start);
    if (end === -1) {
      if (!(await this.#fill())) return undefined;
      end = this.#buffer.indexOf(newline, this.#start);
    }
    return this.#take(end, true);
  }

  /** What stands after the last whole line. */
  async rest(): Promise<ReadLine | undefined> {
    const file = await openLogged(this.#path);
    try {
      const offset = this.#offset + this.#start;
      const size = Math.min((await file?.stat())?.size ?? 0, offset + longestLine);
      if (file === undefined || size <= offset) return undefined;
      const bytes = Buffer.alloc(size - offset);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      const text = bytes.toString("utf8", 0, bytesRead);
      return { text, line: this.#line + 1, offset, bytes: bytesRead, isWhole: false };
    } finally {
      await file?.close();
    }
  }

  #take(end: number, isWhole: boolean): ReadLine {
    const text = this.#buffer.toString("utf8", this.#start, end);
    const offset = this.#offset + this.#start;
    const bytes = end - this.#start;
    this.#start = end + 1;
    this.#line++;
    return { text, line: this.#line, offset, bytes, isWhole };
  }

  /** Whether the buffer begins with a whole line now. What has no end is read again next time: a repair may cut it. */
  async #fill(): Promise<boolean> {
    const file = await openLogged(this.#path);
    if (file === undefined) return false;
    try {
      this.#offset += this.#start;
      this.#start = 0;
      return await this.#readLines(file);
    } finally {
      await file.close();
    }
  }

  async #readLines(file: FileHandle): Promise<boolean> {
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let length = 0;
    this.#buffer = Buffer.alloc(0);
    for (;;) {
      const at = this.#offset + length;
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, at);
      if (bytesRead === 0) return false;
      length += bytesRead;
      const last = buffer.subarray(0, length).lastIndexOf(newline);
      if (last !== -1) {
        this.#buffer = buffer.subarray(0, last + 1);
        return true;
      }
      if (length > longestLine) {
        const end = await this.#skip(file, this.#offset + length);
        if (end === undefined) return false;
        this.#offset = end;
        length = 0;
        buffer = Buffer.allocUnsafe(chunkBytes);
      } else if (length === buffer.length) {
        buffer = Buffer.concat([buffer], buffer.length * 2);
      }
    }
  }

  /** Where the line after one ends that is too long to be kept. */
  async #skip(file: FileHandle, from: number): Promise<number | undefined> {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let at = from; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return undefined;
      const end = buffer.subarray(0, bytesRead).indexOf(newline);
      if (end !== -1) {
        this.#line++;
        return at + end + 1;
      }
      at += bytesRead;
    }
  }
}
