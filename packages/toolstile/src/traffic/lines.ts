import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

const newline = 0x0a;
const byteOrderMark = "\ufeff";

/** The longest line that is read. What it holds may take thirty times as much memory. */
const longestLine = 1 << 25;

/** One line of a file, or why it could not be read. */
export type Line =
  | { readonly number: number; readonly text: string; readonly fault?: undefined }
  | { readonly number: number; readonly fault: string };

/**
 * The lines of a file that are not blank, numbered from 1.
 *
 * One line is in memory at a time. Only a newline ends a line: JSON may hold
 * U+2028 as it is, which `node:readline` would cut at.
 *
 * @throws the system's error when the file cannot be read.
 */
export async function* lines(path: string, longest = longestLine): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= longest) parts.push(part);
    else parts = [];
  };
  const finish = (): Line | undefined => {
    const line = length > longest ? tooLong(number, longest) : read(number, parts);
    parts = [];
    length = 0;
    number++;
    return line;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const block = chunk as Buffer;
    let start = 0;
    for (;;) {
      const end = block.indexOf(newline, start);
      if (end === -1) break;
      take(block.subarray(start, end));
      start = end + 1;
      const line = finish();
      if (line !== undefined) yield line;
    }
    if (start < block.length) take(block.subarray(start));
  }
  const last = finish();
  if (last !== undefined) yield last;
}

function tooLong(number: number, longest: number): Line {
  return { number, fault: `is longer than ${longest} bytes` };
}

function read(number: number, parts: readonly Buffer[]): Line | undefined {
  const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  if (!isUtf8(bytes)) return { number, fault: "is not UTF-8" };
  const text = bytes.toString("utf8");
  const marked = number === 1 && text.startsWith(byteOrderMark);
  const plain = marked ? text.slice(byteOrderMark.length) : text;
  return plain.trim() === "" ? undefined : { number, text: plain };
}
