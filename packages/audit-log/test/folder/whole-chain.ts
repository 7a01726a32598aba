import type { Disk } from "../../src/files/disk.js";
import { genesis } from "../../src/format/chain-head.js";
import { hashOfLine, opening, statedHash } from "../../src/format/line.js";
import type { LoggedRecord } from "../records.js";

/** The records of a chain, from its bytes alone. Throws at the first that is not whole, or not in its place. */
export function wholeChain(disk: Disk, chain: string): LoggedRecord[] {
  const found: LoggedRecord[] = [];
  let head = genesis;
  const names = disk.list(chain).filter((name) => /^\d{8}\.jsonl$/.test(name));
  for (const name of names.sort()) {
    const lines = Buffer.from(disk.read(`${chain}/${name}`) ?? [])
      .toString("latin1")
      .split("\n");
    if (lines.pop() !== "") throw new Error(`${chain}/${name} is torn`);
    for (const [index, line] of lines.entries()) {
      const record: LoggedRecord = JSON.parse(line);
      // Older segments may have been removed.
      if (found.length === 0) head = { seq: record.seq - 1, hash: record.prev };
      const hash = statedHash(line) ?? "";
      const isNext = line.startsWith(opening(head)) && hashOfLine(Buffer.from(line)) === hash;
      if (!isNext || (index === 0) !== (record.kind === "segment")) {
        throw new Error(`${chain}/${name} line ${index + 1} is bad`);
      }
      head = { seq: head.seq + 1, hash };
      found.push(record);
    }
  }
  return found;
}
