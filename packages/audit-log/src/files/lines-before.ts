import { closeSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { openLogged } from "./log-folder.js";

const newline = 0x0a;
const chunkBytes = 1 << 16;
/** After so many bytes others get a turn. */
const turnBytes = 1 << 20;

/** Counts the lines that end before an offset of a file in a log's folder. */
export async function linesBefore(path: string, offset: number): Promise<number> {
  const file = openLogged(path);
  if (file === undefined) return 0;
  try {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, offset));
    let lines = 0;
    for (let at = 0; at < offset; ) {
      const length = readSync(file, chunk, 0, Math.min(chunk.length, offset - at), at);
      if (length === 0) break;
      const read = chunk.subarray(0, length);
      for (let end = read.indexOf(newline); end !== -1; end = read.indexOf(newline, end + 1)) {
        lines++;
      }
      at += length;
      if (at % turnBytes === 0) await setImmediate();
    }
    return lines;
  } finally {
    closeSync(file);
  }
}
