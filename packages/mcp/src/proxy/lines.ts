import { isId, type JsonRpcId } from "../connection/json-rpc.js";

/** A line that was longer than is taken, with what its ends say of it. */
export interface OversizeLine {
  readonly id: JsonRpcId | undefined;
  readonly isRequest: boolean;
}

const newline = 10;
const carriageReturn = 13;
/** Of a line that is too long, so much of either end is kept. */
const kept = 4_096;

/**
 * Splits bytes into lines, wherever they were cut.
 *
 * Lines come with the `\n` that ends them, as they are. One that is longer than
 * the limit is never held whole.
 */
export class Lines {
  readonly #maxBytes: number;
  readonly #line: (line: Buffer) => void;
  readonly #oversize: (line: OversizeLine) => void;
  #pieces: Buffer[] = [];
  #length = 0;
  /** The first and the last bytes of a line that is too long. */
  #ends: { readonly head: string; tail: Buffer } | undefined;

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

  /** What was not ended is a line, too. */
  end(): void {
    if (this.#length === 0) return;
    this.#add(Buffer.from("\n"));
    this.#finish();
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= this.#maxBytes) {
      this.#pieces.push(piece);
      return;
    }
    if (this.#ends === undefined) {
      const held = Buffer.concat(this.#pieces);
      const head = Buffer.concat([held.subarray(0, kept), piece.subarray(0, kept)]);
      this.#ends = { head: head.toString("latin1", 0, kept), tail: held };
      this.#pieces = [];
    }
    // Copied, lest the few bytes hold on to the many.
    this.#ends.tail = Buffer.from(
      Buffer.concat([this.#ends.tail, piece.subarray(-kept)]).subarray(-kept),
    );
  }

  #finish(): void {
    const [first, ...more] = this.#pieces;
    const ends = this.#ends;
    this.#pieces = [];
    this.#length = 0;
    this.#ends = undefined;
    if (ends !== undefined) this.#oversize(readEnds(ends.head, ends.tail.toString("latin1")));
    else if (first !== undefined) {
      this.#line(more.length === 0 ? first : Buffer.concat([first, ...more]));
    }
  }
}

const idPattern = '("(?:[^"\\\\]|\\\\.){0,256}"|-?\\d{1,16})';
const atStart = new RegExp(
  `^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?(?:"id"\\s*:\\s*${idPattern}\\s*,\\s*)?"(method|result|error)"`,
);
const atEnd = new RegExp(`,\\s*"id"\\s*:\\s*${idPattern}\\s*\\}\\s*$`);

/** What is too long to be read can still be answered: the id is mostly among the first members, or the last one. */
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
 * Whether a line has a carriage return before its end.
 *
 * JSON allows it between tokens, and readers with universal newlines end a line
 * at it: they would find another message inside.
 */
export function hasInnerReturn(line: Buffer): boolean {
  const at = line.indexOf(carriageReturn);
  return at >= 0 && at < line.length - 2;
}

/** Whether there is nothing on it. */
export function isBlank(line: Buffer): boolean {
  for (const byte of line)
    if (byte !== 32 && byte !== 9 && byte !== 13 && byte !== newline) return false;
  return true;
}
