import { hash } from "node:crypto";
import type { Disk } from "../files/disk.js";
import { cutName, payloadsName, segmentName, within } from "../format/names.js";
import type { ChainState } from "./chain-state.js";

/** Bytes that were cut off and kept, and that no record tells of yet. */
export interface Cut {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Cuts a torn tail off a chain's last segment, and keeps it in a file.
 *
 * The segment is written anew even where nothing is torn: after a sync that
 * failed, be it the last one of a close, what is read back may not be on the disk.
 */
export function repair(disk: Disk, chain: string, state: ChainState): readonly Cut[] {
  const { number, good, torn, head } = state;
  if (torn.length > 0) keep(disk, within(chain, cutName(number, good.length)), torn);
  // What was cut is safe before it is gone from the log.
  disk.syncFolder(chain);
  disk.replace(within(chain, segmentName(number)), good);
  const payloads = within(chain, payloadsName(segmentName(number)));
  const beside = disk.read(payloads);
  if (beside !== undefined) disk.replace(payloads, wholePayloads(beside, head.seq));
  disk.syncFolder(chain);
  const start = `cut-${number}-`;
  const recorded = good.toString("latin1");
  return disk
    .list(chain)
    .filter(
      (name) => name.startsWith(start) && name.endsWith(".bin") && !recorded.includes(`"${name}"`),
    )
    .sort()
    .map((name) => {
      const bytes = disk.read(within(chain, name)) ?? new Uint8Array();
      return { file: name, bytes: bytes.length, sha256: hash("sha256", bytes) };
    });
}

/** Bytes that were cut at the same place before, and whose record was lost, stay. */
function keep(disk: Disk, path: string, torn: Buffer): void {
  const before = Buffer.from(disk.read(path) ?? []);
  const isKept = before.length >= torn.length && before.subarray(-torn.length).equals(torn);
  if (!isKept) disk.replace(path, Buffer.concat([before, torn]));
}

/** Payloads of records that are not there would be taken for those of later ones with their numbers. */
function wholePayloads(bytes: Uint8Array, lastSeq: number): Buffer {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  // What follows the last newline is torn.
  lines.pop();
  const whole = lines.filter((line) => {
    const seq = numberOf(line);
    return seq !== undefined && seq <= lastSeq;
  });
  return Buffer.from(whole.map((line) => `${line}\n`).join(""), "latin1");
}

/** A crash may leave zeros anywhere in what was not synced, so the whole line must be JSON. */
function numberOf(line: string): number | undefined {
  try {
    const { seq } = JSON.parse(line);
    return Number.isSafeInteger(seq) ? seq : undefined;
  } catch {
    return undefined;
  }
}
