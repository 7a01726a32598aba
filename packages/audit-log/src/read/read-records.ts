import { setTimeout } from "node:timers/promises";
import { boolean, type OptionTable, readOptions, such, unchecked } from "@toolstile/core/provider";
import { chainsOf } from "../files/log-folder.js";
import { requirePath } from "../files/options.js";
import { type AuditRecord, auditRecord, ChainReading } from "./chain-reading.js";
import { ChainPayloads } from "./payload-index.js";
import { RecordBytes } from "./record-bytes.js";
import { type RecordFilter, type RecordMatcher, recordMatcher } from "./record-filter.js";

export interface ReadRecordsOptions {
  readonly filter?: RecordFilter | undefined;
  /** The number of the last record that is left out, by chain: what an earlier reading came to. */
  readonly after?: ReadonlyMap<string, number> | undefined;
  /** Goes on with what is written from now on, until the signal. */
  readonly follow?: boolean | undefined;
  /** Ends the reading, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between looks, when following. Default 250. */
  readonly pollMs?: number | undefined;
}

const longestPollMs = 2 ** 31 - 1;

const readTable = {
  // The matcher reads it.
  filter: unchecked<RecordFilter>().default({}),
  after: such<ReadonlyMap<string, number>>(
    (after) => after instanceof Map && [...after.values()].every(Number.isSafeInteger),
    "a Map with a record's number for each chain",
  ).default(new Map()),
  follow: boolean().default(false),
  signal: such<AbortSignal>((value) => value instanceof AbortSignal, "an AbortSignal"),
  pollMs: such<number>(
    (ms) => typeof ms === "number" && ms >= 1 && ms <= longestPollMs,
    "a number of milliseconds from 1",
  ).default(250),
} satisfies OptionTable<ReadRecordsOptions>;

/**
 * Reads the records of a log's folder, all chains merged by time.
 *
 * Checks nothing and skips what is not a whole JSON line: run `verifyFolder`
 * first where it matters.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * system's error when the folder cannot be read; both with the first record.
 */
export async function* readRecords(
  path: string,
  options: ReadRecordsOptions = {},
): AsyncGenerator<AuditRecord, void, undefined> {
  requirePath("readRecords()", "folder", path);
  const { filter, after, follow, signal, pollMs } = readOptions(
    "readRecords()",
    options,
    readTable,
  );
  const matcher = recordMatcher("readRecords() filter", filter);
  const chains = new Map<string, () => Promise<AuditRecord | undefined>>();
  while (signal?.aborted !== true) {
    for (const { chain, isLink } of await chainsOf(path)) {
      if (isLink || chains.has(chain)) continue;
      chains.set(chain, recordsOf(path, chain, matcher, after.get(chain) ?? 0));
    }
    for await (const record of merged([...chains.values()])) {
      if (isAborted(signal)) return;
      yield record;
      if (isAborted(signal)) return;
    }
    if (!follow) return;
    // An abort ends the pause, and then the loop.
    await setTimeout(pollMs, undefined, { signal }).catch(() => {});
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Makes a function that gives the chain's next record that fits; nothing, where there is none for now. */
function recordsOf(folder: string, chain: string, matcher: RecordMatcher, after: number) {
  const seen = new RecordBytes();
  const reading = new ChainReading({
    folder,
    chain,
    search: matcher.search,
    glance: (bytes, start, end) =>
      !seen.take(bytes, start, end) || (seen.seq > after && matcher.fitsBeginning(seen)),
    isWanted: (record) => record.seq > after && matcher.fits(record),
  });
  const payloads = new ChainPayloads(folder, chain);
  return async (): Promise<AuditRecord | undefined> => {
    const found = await reading.next();
    if (found === undefined) return undefined;
    const { line, record } = found;
    return auditRecord({ chain, segment: reading.segment, line: line.line, record }, payloads);
  };
}

type Next = () => Promise<AuditRecord | undefined>;

interface Waiting {
  /** The place of its chain among the chains. */
  readonly chain: number;
  readonly found: AuditRecord;
  /** A record without a time stays behind the one before it. */
  readonly time: number;
}

/** The records that the chains have for now, in order of time. */
async function* merged(chains: readonly Next[]): AsyncGenerator<AuditRecord> {
  /** The latest first. */
  const waiting: Waiting[] = [];
  const add = async (chain: number, notBefore: number): Promise<void> => {
    const found = await chains[chain]?.();
    if (found === undefined) return;
    const next = { chain, found, time: found.record.time ?? notBefore };
    waiting.splice(placeOf(next, waiting), 0, next);
  };
  for (const chain of chains.keys()) await add(chain, Number.NEGATIVE_INFINITY);
  for (let first = waiting.pop(); first !== undefined; first = waiting.pop()) {
    yield first.found;
    await add(first.chain, first.time);
  }
}

/** Halves what is left to look at: a folder may have many chains. */
function placeOf({ time, chain }: Waiting, waiting: readonly Waiting[]): number {
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = waiting[middle] as Waiting;
    const isLater = other.time > time || (other.time === time && other.chain > chain);
    if (isLater) from = middle + 1;
    else to = middle;
  }
  return from;
}
