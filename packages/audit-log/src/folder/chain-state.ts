import type { Disk } from "../files/disk.js";
import { type ChainHead, genesis, isChainHead } from "../format/chain-head.js";
import { hashOfLine, opening, statedHash } from "../format/line.js";
import { ownFile, segmentName, segmentNumber, within } from "../format/names.js";
import { type Removal, type RemovalPart, RemovalRecords, removalOf } from "./removal.js";
import { statedHead } from "./signing.js";

const newline = 0x0a;
/** Longer than any first record of a segment. */
const firstRecordBytes = 1_024;

/** A segment whose first record is good. */
export interface Segment {
  readonly number: number;
  /** The number of the first record. */
  readonly seq: number;
  readonly prev: string;
  readonly time: number | null;
  bytes: number;
}

/** A chain as its last writer left it. */
export interface ChainState {
  /** Oldest first. */
  readonly segments: readonly Segment[];
  readonly head: ChainHead;
  /** The segment to write to. It may be yet to begin. */
  readonly number: number;
  readonly good: Buffer;
  /** The bytes after the good ones. */
  readonly torn: Buffer;
  /** As the manifest states it. */
  readonly removed: ChainHead | undefined;
  readonly removal: Removal;
}

/**
 * Reads the end of a chain. Undefined when it is damaged beyond what a crash can do.
 *
 * `signedHead` tells which checkpoints the writer's own key signed.
 */
export function chainState(
  disk: Disk,
  chain: string,
  signedHead: ((note: string) => ChainHead | undefined) | undefined,
): ChainState | undefined {
  const names = disk.list(chain);
  if (names.some((name) => ownFile.test(name) && disk.kind(within(chain, name)) !== "file")) {
    return undefined;
  }
  const numbers = names
    .flatMap((name) => segmentNumber(name) ?? [])
    .sort((one, other) => one - other);
  const manifest = manifestOf(disk.read(within(chain, "manifest.json")));
  const note = disk.read(within(chain, "checkpoint"));
  const checkpoint = note === undefined ? genesis : statedHead(note);
  if (manifest === "damaged" || checkpoint === undefined) return undefined;
  const number = numbers.at(-1) ?? 1;
  const bytes = Buffer.from(disk.read(within(chain, segmentName(number))) ?? []);
  const last = goodPart(bytes, chain, checkpoint.seq);
  const listed = manifest?.last ?? 0;
  if (listed > (last === undefined ? number - 1 : number)) return undefined;
  // Of a segment whose beginning was torn, the one before says where it goes on.
  const partOf = (each: number | undefined): GoodPart | undefined =>
    each === undefined
      ? undefined
      : goodPart(
          Buffer.from(disk.read(within(chain, segmentName(each))) ?? []),
          chain,
          checkpoint.seq,
        );
  const before = last === undefined ? numbers.at(-2) : undefined;
  const ended = last ?? partOf(before);
  if (ended === undefined && (before !== undefined || number !== 1)) return undefined;
  if (last === undefined && ended?.isTorn) return undefined;
  const head = ended?.head ?? genesis;
  if (head.seq < checkpoint.seq) return undefined;
  if (ended?.watched !== undefined && ended.watched !== checkpoint.hash) return undefined;
  const earlier = last === undefined ? numbers.slice(0, -1) : numbers;
  const segments = earlier.flatMap((each) => segmentOf(disk, chain, each) ?? []);
  const removal = removalOf({
    signedHead,
    note: note === undefined ? "" : Buffer.from(note).toString(),
    begin: (segments[0]?.seq ?? 1) - 1,
    part: ended,
    before: () => partOf(earlier.at(-2)),
  });
  if (removal === undefined) return undefined;
  return {
    segments,
    head,
    number,
    good: bytes.subarray(0, last?.size ?? 0),
    torn: bytes.subarray(last?.size ?? 0),
    removed: removal.through ?? manifest?.removed,
    removal,
  };
}

interface GoodPart extends RemovalPart {
  readonly size: number;
  /** Something follows the good records. */
  readonly isTorn: boolean;
  /** The hash of the record that was asked for. */
  readonly watched: string | undefined;
}

/** A segment's records up to the first bad one; nothing when that is its first. */
function goodPart(bytes: Buffer, chain: string, watch: number): GoodPart | undefined {
  const first = firstRecord(bytes, chain);
  if (first === undefined) return undefined;
  const begin: ChainHead = { seq: first.seq - 1, hash: first.prev };
  const records = new RemovalRecords();
  let head = begin;
  let watched = head.seq === watch ? head.hash : undefined;
  let size = 0;
  for (;;) {
    const end = bytes.indexOf(newline, size);
    if (end === -1) break;
    const line = bytes.subarray(size, end);
    const begins = opening(head);
    const text = line.toString("latin1");
    const hash = statedHash(text);
    if (!text.startsWith(begins) || hash === undefined || hashOfLine(line) !== hash) break;
    records.add(text, begins.length, head);
    head = { seq: head.seq + 1, hash };
    if (head.seq === watch) watched = hash;
    size = end + 1;
  }
  if (size === 0) return undefined;
  return { begin, records, size, isTorn: size < bytes.length, head, watched };
}

function segmentOf(disk: Disk, chain: string, number: number): Segment | undefined {
  const file = disk.open(within(chain, segmentName(number)));
  try {
    const start = Buffer.alloc(firstRecordBytes);
    const first = firstRecord(start.subarray(0, file.read(start, 0)), chain);
    return first && { number, ...first, bytes: file.stat().size };
  } finally {
    file.close();
  }
}

/** The beginning of a segment, as its first record states it. Undefined if that is torn, or of another chain. */
function firstRecord(
  bytes: Buffer,
  chain: string,
): Pick<Segment, "seq" | "prev" | "time"> | undefined {
  const end = bytes.indexOf(newline);
  if (end === -1) return undefined;
  try {
    const { seq, prev, kind, time, chain: stated } = JSON.parse(bytes.toString("latin1", 0, end));
    const isFirst = kind === "segment" && stated === chain && isChainHead({ seq, hash: prev });
    return isFirst ? { seq, prev, time: typeof time === "number" ? time : null } : undefined;
  } catch {
    return undefined;
  }
}

interface Manifest {
  /** Number of the last segment that it lists. */
  readonly last: number;
  readonly removed: ChainHead | undefined;
}

function manifestOf(bytes: Uint8Array | undefined): Manifest | "damaged" | undefined {
  if (bytes === undefined) return undefined;
  try {
    const { segments, removed } = JSON.parse(Buffer.from(bytes).toString());
    const last = segmentNumber(segments.at(-1).file);
    if (last === undefined) return "damaged";
    return { last, removed: isChainHead(removed) ? removed : undefined };
  } catch {
    return "damaged";
  }
}

export function manifestText(
  chain: string,
  segments: readonly Segment[],
  removed: ChainHead | undefined,
): string {
  const listed = segments.map(({ number, seq, prev }) => ({
    file: segmentName(number),
    seq,
    prev,
  }));
  return `${JSON.stringify({ format: 1, chain, segments: listed, removed })}\n`;
}
