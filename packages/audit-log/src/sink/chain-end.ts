import { ToolstileError } from "@toolstile/core/provider";
import type { LogFile } from "../files/log-file.js";
import { type ChainHead, genesis } from "../format/chain-head.js";
import { hashOfLine, opening, statedHash, statedNumber } from "../format/line.js";

const newline = 0x0a;
const chunkBytes = 1 << 16;

/** The end of the good part of a file, and the head of the chain there. */
export interface ChainEnd {
  readonly head: ChainHead;
  readonly size: number;
}

/**
 * Reads the last whole line of a log. What follows it is a torn write.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when that line was changed, or
 * the file is not an audit log: neither may be appended to, or cut.
 */
export function chainEnd(file: LogFile): ChainEnd {
  const { size } = file.stat();
  if (size === 0) return { head: genesis, size };
  const end = lastNewline(file, size);
  if (end === -1) {
    requireFirstLine(file);
    return { head: genesis, size: 0 };
  }
  const line = bytesOf(file, lastNewline(file, end) + 1, end);
  const text = line.toString("latin1");
  const seq = statedNumber(text);
  const hash = statedHash(text);
  if (seq === undefined || hash === undefined || hashOfLine(line) !== hash) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "The last record of this audit log was changed, or the file is not an audit log: nothing is appended to it. " +
        "Run verify() on it, and move it away to begin a new one.",
    );
  }
  return { head: { seq, hash }, size: end + 1 };
}

/** Someone else's file must not be taken for a torn first line, and cut to nothing. */
function requireFirstLine(file: LogFile): void {
  const start = Buffer.from(opening(genesis));
  const found = bytesOf(file, 0, Math.min(start.length, file.stat().size));
  if (start.subarray(0, found.length).equals(found)) return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "jsonLines(): 'path' must be an audit log or a new file, received another file. Give it a path of its own.",
  );
}

/** The position of the last newline before `before`, or -1. */
function lastNewline(file: LogFile, before: number): number {
  for (let end = before; end > 0; end -= chunkBytes) {
    const start = Math.max(0, end - chunkBytes);
    const index = bytesOf(file, start, end).lastIndexOf(newline);
    if (index !== -1) return start + index;
  }
  return -1;
}

function bytesOf(file: LogFile, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  let length = 0;
  while (length < bytes.length) {
    const read = file.read(bytes.subarray(length), start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
