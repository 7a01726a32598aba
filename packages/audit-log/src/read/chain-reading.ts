import { join } from "node:path";
import { ownValue } from "@toolstile/core/provider";
import {
  type LineGlance,
  LineReading,
  type LineSearch,
  type ReadLine,
} from "../files/line-reading.js";
import { type SegmentFile, segmentsOf } from "../files/log-folder.js";
import { parsed } from "../format/parsed.js";
import type { CallPayloads, ChainPayloads } from "./payload-index.js";

/** A record as it stands in the log. */
export interface AuditRecord {
  readonly chain: string;
  /** Relative to the folder. */
  readonly file: string;
  /** In that file, from 1. */
  readonly line: number;
  /** The line parsed, with all its members as written. */
  readonly record: ParsedRecord;
  /** With payloads beside the log: what is there and not erased. */
  readonly payloads?: CallPayloads | undefined;
}

export interface ParsedRecord {
  readonly seq: number;
  readonly kind: string;
  readonly time: number | null;
  readonly [member: string]: unknown;
}

export interface ChainReadingOptions {
  readonly folder: string;
  readonly chain: string;
  /** Leaves lines out before they are looked at. */
  readonly search: LineSearch;
  /** Leaves lines out before they are parsed. */
  readonly glance: LineGlance;
  readonly isWanted: (record: ParsedRecord, line: ReadLine) => boolean;
  /** Begins with the last so many bytes of the last segment that is there. */
  readonly lastBytes?: number | undefined;
}

export interface FoundRecord {
  readonly line: ReadLine;
  readonly record: ParsedRecord;
}

/** A record and its place. */
export interface PlacedRecord {
  readonly chain: string;
  readonly segment: string;
  readonly line: number;
  readonly record: ParsedRecord;
}

/** Reads one chain's records that match, and later those that were added since. */
export class ChainReading {
  /** The name of the segment that is being read. */
  segment = "";
  readonly #options: ChainReadingOptions;
  /** Those that were there at the last look. */
  #segments: readonly SegmentFile[] = [];
  #number = -1;
  #isWhole = true;
  #isBegun = false;
  #lines: LineReading | undefined;

  constructor(options: ChainReadingOptions) {
    this.#options = options;
  }

  /** True if nothing was left out. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The offset in the segment from which its lines are counted. */
  get countedFrom(): number {
    return this.#lines?.countedFrom ?? 0;
  }

  /** The next record; nothing, where there is none for now. */
  async next(): Promise<FoundRecord | undefined> {
    for (;;) {
      const found = await this.#inSegment();
      if (found !== undefined) return found;
      const later = await this.#later();
      if (later === undefined) return undefined;
      // What was written between the two looks, before the later one was begun.
      const last = await this.#inSegment();
      if (last !== undefined) return last;
      const { folder, chain } = this.#options;
      this.#number = later.number;
      this.segment = later.name;
      this.#lines = new LineReading(join(folder, chain, later.name), this.#options);
      await this.#toLast(this.#lines);
    }
  }

  async #later(): Promise<SegmentFile | undefined> {
    const isLater = ({ number, isFile }: SegmentFile) => isFile && number > this.#number;
    const known = this.#segments.find(isLater);
    if (known !== undefined) return known;
    const { folder, chain, lastBytes } = this.#options;
    const isFirst = this.#number === -1;
    this.#segments = await segmentsOf(folder, chain).catch(() => []);
    const next = this.#segments.find(isLater);
    if (!isFirst || lastBytes === undefined) return next;
    const last = this.#segments.findLast(isLater);
    this.#isWhole = last === next;
    return last;
  }

  /** Passes over all but the last bytes of the first segment that is read. */
  async #toLast(lines: LineReading): Promise<void> {
    const { lastBytes } = this.#options;
    if (lastBytes === undefined || this.#isBegun) return;
    this.#isBegun = true;
    try {
      if (await lines.toLast(lastBytes)) this.#isWhole = false;
    } catch {
      // What cannot be read is skipped, as below.
    }
  }

  async #inSegment(): Promise<FoundRecord | undefined> {
    for (let line = await this.#nextLine(); line; line = await this.#nextLine()) {
      const record = line.bytes < shortestRecord ? undefined : parsed(line.text);
      if (isRecord(record) && this.#options.isWanted(record, line)) return { line, record };
    }
    return undefined;
  }

  async #nextLine(): Promise<ReadLine | undefined> {
    try {
      return await this.#lines?.next();
    } catch {
      // What cannot be read is skipped; verifyFolder says why.
      return undefined;
    }
  }
}

/** Text that is not JSON costs more to read than JSON: a segment may be full of empty lines. */
const shortestRecord = '{"seq":1,"kind":"","time":0}'.length;

/** As a reader of the log gets it. */
export async function auditRecord(
  { chain, segment, line, record }: PlacedRecord,
  kept: ChainPayloads | undefined,
): Promise<AuditRecord> {
  const found = { chain, file: `${chain}/${segment}`, line, record };
  const isBeside = ownValue(record, "salted") === true;
  const payloads = isBeside ? await kept?.of(segment, record.seq) : undefined;
  return payloads === undefined ? found : { ...found, payloads };
}

export function isRecord(value: unknown): value is ParsedRecord {
  const time = ownValue(value, "time");
  return (
    Number.isSafeInteger(ownValue(value, "seq")) &&
    typeof ownValue(value, "kind") === "string" &&
    (time === null || typeof time === "number")
  );
}
