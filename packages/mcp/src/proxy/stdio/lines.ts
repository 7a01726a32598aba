import { isId, type JsonRpcId } from "../../message/json-rpc.js";
import { Chunks } from "../chunks.js";

/** A line that is too long, as far as its two ends show what it is. */
export interface OversizeLine {
  readonly id: JsonRpcId | undefined;
  readonly isRequest: boolean;
}

const newline = 10;
const carriageReturn = 13;
/** The bytes that are kept of either end of a line that is too long. */
const kept = 4_096;

/**
 * Splits bytes into lines, wherever the bytes were cut.
 *
 * A line keeps the `\n` that ends it. A line that is longer than the limit is
 * never held whole.
 */
export class Lines {
  readonly #maxBytes: number;
  readonly #line: (line: Buffer) => void;
  readonly #oversize: (line: OversizeLine) => void;
  readonly #held = new Chunks();
  #length = 0;
  /** The first and the last bytes of a line that is too long. */
  #ends: { readonly head: string; readonly tail: Chunks } | undefined;

  constructor(
    maxBytes: number,
    line: (line: Buffer) => void,
    oversize: (line: OversizeLine) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#line = line;
    this.#oversize = oversize;
  }

  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end + 1));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** Takes the last bytes as a line, though no `\n` ends them. */
  end(): void {
    if (this.#length === 0) return;
    this.#add(Buffer.from("\n"));
    this.#finish();
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= this.#maxBytes) {
      this.#held.add(piece);
      return;
    }
    if (this.#ends === undefined) {
      const held = this.#held.take();
      const head = Buffer.concat([held.subarray(0, kept), piece.subarray(0, kept)]);
      this.#ends = { head: head.toString("latin1", 0, kept), tail: new Chunks() };
      this.#ends.tail.add(end(held));
    }
    const { tail } = this.#ends;
    tail.add(end(piece));
    // Not with each piece, which may be of one byte.
    if (tail.length > 16 * kept) tail.add(end(tail.take()));
  }

  #finish(): void {
    const ends = this.#ends;
    this.#length = 0;
    this.#ends = undefined;
    if (ends === undefined) this.#line(this.#held.take());
    else this.#oversize(readEnds(ends.head, end(ends.tail.take()).toString("latin1")));
  }
}

/** A copy of the last bytes: they would keep all of their chunk in memory. */
function end(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(-kept));
}

const idPattern = '("(?:[^"\\\\]|\\\\.){0,256}"|-?\\d{1,16})';
const atStart = new RegExp(
  `^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?(?:"id"\\s*:\\s*${idPattern}\\s*,\\s*)?"(method|result|error)"`,
);
const atEnd = new RegExp(`,\\s*"id"\\s*:\\s*${idPattern}\\s*\\}\\s*$`);

/** The id of a line that is too long, so that it can be answered: it is mostly among the first members, or the last one. */
function readEnds(head: string, tail: string): OversizeLine {
  const start = atStart.exec(head);
  const id = start?.[1] ?? atEnd.exec(tail)?.[1];
  return { id: id === undefined ? undefined : readId(id), isRequest: start?.[2] === "method" };
}

function readId(text: string): JsonRpcId | undefined {
  try {
    const id: unknown = JSON.parse(Buffer.from(text, "latin1").toString("utf8"));
    return isId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if a line has a carriage return before its end.
 *
 * JSON allows it between tokens, and readers with universal newlines end a line
 * at it: they would find another message inside.
 */
export function hasInnerReturn(line: Buffer): boolean {
  const at = line.indexOf(carriageReturn);
  return at >= 0 && at < line.length - 2;
}

/** True for a line of white space. */
export function isBlank(line: Buffer): boolean {
  for (const byte of line)
    if (byte !== 32 && byte !== 9 && byte !== 13 && byte !== newline) return false;
  return true;
}
