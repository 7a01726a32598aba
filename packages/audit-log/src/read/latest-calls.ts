import { join } from "node:path";
import {
  boolean,
  func,
  type OptionTable,
  readOptions,
  such,
  unchecked,
  whole,
} from "@toolstile/core/provider";
import { linesBefore } from "../files/lines-before.js";
import { chainsOf } from "../files/log-folder.js";
import { requirePath } from "../files/options.js";
import { parsed } from "../format/parsed.js";
import { type CallPlace, callsOf, latestOf, type OrderedPlace } from "./chain-calls.js";
import { type AuditRecord, auditRecord, isRecord, type ParsedRecord } from "./chain-reading.js";
import { OpenedSegment } from "./opened-segment.js";
import { ChainPayloads } from "./payload-index.js";
import { type RecordFilter, type RecordMatcher, recordMatcher } from "./record-filter.js";

export interface LatestCallsOptions {
  /** The calls that are given, at most. */
  readonly limit: number;
  /** For intents and outcomes alike. */
  readonly filter?: Omit<RecordFilter, "kind"> | undefined;
  /** Only calls whose last record has a time < this, in milliseconds since the epoch. */
  readonly until?: number | undefined;
  /** Only calls that have an intent and no outcome. */
  readonly onlyOpen?: boolean | undefined;
  /** Payloads that are kept beside the log are read, too. */
  readonly payloads?: boolean | undefined;
  /** Told from time to time how many calls were found. */
  readonly onProgress?: ((calls: number) => void) | undefined;
}

export interface LatestCalls {
  /** True if there are calls that fit before the latest. */
  readonly hasEarlier: boolean;
  /** Records that writers say they dropped, among those that fit and were gone through. */
  readonly dropped: number;
  /** The number of the last record that fits, by chain: for `after` of `readRecords()`. */
  readonly through: ReadonlyMap<string, number>;
  /** The latest calls, the last one first, each read when it is asked for. A call that is gone by then is left out. */
  readonly newestFirst: () => AsyncGenerator<AuditRecord, void, undefined>;
  /** Their records alone. That is cheaper: to number the lines of a long file, all of it must be read. */
  readonly newestRecords: () => AsyncGenerator<ParsedRecord, void, undefined>;
}

const latestCallsTable = {
  limit: whole(1).required(),
  // The matcher reads it.
  filter: unchecked<Omit<RecordFilter, "kind">>().default({}),
  until: such<number>(Number.isFinite, "milliseconds since the epoch"),
  onlyOpen: boolean().default(false),
  payloads: boolean().default(false),
  onProgress: func<(calls: number) => void>(),
} satisfies OptionTable<LatestCallsOptions>;

const callKinds = ["intent", "outcome", "gap"] as const;
/** Calls between two reports of progress. */
const progressEvery = 1_000;

/**
 * Finds the latest calls of a log's folder.
 *
 * A call that is over is given as its outcome, one that is not as its intent.
 * Checks nothing, as `readRecords()` does. Of a chain only the end is gone through
 * where it has more calls that fit than are asked for, and only what is given is parsed.
 * Calls that are open and began before are then not looked for: `onlyOpen` finds them all.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * system's error when the folder cannot be read.
 */
export async function latestCalls(path: string, options: LatestCallsOptions): Promise<LatestCalls> {
  requirePath("latestCalls()", "folder", path);
  const own = readOptions("latestCalls()", options, latestCallsTable);
  const matcher = recordMatcher("latestCalls() filter", own.filter, callKinds);
  const search = { ...own, path, matcher };
  const found = await goThrough(search, false);
  if (areAsSeen(search, found.places)) return found.calls;
  // The bytes of one of them looked like a record, and are none.
  return (await goThrough(search, true)).calls;
}

interface Search {
  readonly path: string;
  readonly matcher: RecordMatcher;
  readonly limit: number;
  readonly until: number | undefined;
  readonly onlyOpen: boolean;
  readonly payloads: boolean;
  readonly onProgress: ((calls: number) => void) | undefined;
}

async function goThrough(search: Search, parsesAll: boolean) {
  const { path, matcher, limit, until, onlyOpen, onProgress } = search;
  const through = new Map<string, number>();
  const open: CallPlace[] = [];
  let latest: readonly OrderedPlace[] = [];
  let over = 0;
  let dropped = 0;
  let read = 0;
  const onCall = (): void => {
    read++;
    if (read % progressEvery === 0) onProgress?.(read);
  };
  for (const { chain, isLink } of await chainsOf(path)) {
    if (isLink) continue;
    const options = { folder: path, chain, matcher, until, limit, parsesAll, onCall };
    // An old call may still be open.
    const calls = await (onlyOpen ? callsOf(options) : latestOf(options));
    through.set(chain, calls.through);
    dropped += calls.dropped;
    for (const place of calls.open) open.push(place);
    if (onlyOpen) continue;
    over += calls.over;
    latest = [...latest, ...calls.latest].sort(byOrder).slice(-limit);
  }
  const found = latest.map(({ place }) => place);
  const places = open.length === 0 ? found : [...found, ...open].sort(byTime).slice(-limit);
  const newestFirst = () => callsAt(search, places);
  const newestRecords = async function* () {
    for (const { record } of recordsAt(search, places)) yield record;
  };
  const hasEarlier = over + open.length > places.length;
  return { places, calls: { hasEarlier, dropped, through, newestFirst, newestRecords } };
}

function byOrder(one: OrderedPlace, other: OrderedPlace): number {
  return one.order === other.order ? 0 : one.order - other.order;
}

/** Calls without a time come last, where they are seen. */
function byTime(one: CallPlace, other: CallPlace): number {
  return (one.time ?? Number.MAX_SAFE_INTEGER) - (other.time ?? Number.MAX_SAFE_INTEGER);
}

async function* callsAt(search: Search, places: readonly CallPlace[]) {
  const { path, payloads } = search;
  const kept = new Map<string, ChainPayloads>();
  const passed = new Map<string, number>();
  for (const { place, record } of recordsAt(search, places)) {
    const { chain, segment, countedFrom } = place;
    const file = join(path, chain, segment);
    const before = passed.get(file) ?? (await linesBefore(file, countedFrom));
    passed.set(file, before);
    if (payloads && !kept.has(chain)) kept.set(chain, new ChainPayloads(path, chain));
    yield await auditRecord({ chain, segment, line: before + place.line, record }, kept.get(chain));
  }
}

function* recordsAt({ path, matcher }: Search, places: readonly CallPlace[]) {
  using file = new OpenedSegment(path);
  for (const place of places.toReversed()) {
    const record = recordOf(file.textAt(place), place, matcher);
    if (record !== undefined) yield { place, record };
  }
}

/** True if each place has the record that its bytes looked like, or is gone meanwhile. */
function areAsSeen({ path, matcher }: Search, places: readonly CallPlace[]): boolean {
  using file = new OpenedSegment(path);
  return places.every((place) => {
    const text = file.textAt(place);
    return text === undefined || recordOf(text, place, matcher) !== undefined;
  });
}

function recordOf(
  text: string | undefined,
  { seq, time }: CallPlace,
  { fits }: RecordMatcher,
): ParsedRecord | undefined {
  const record = text === undefined ? undefined : parsed(text);
  const isSame = isRecord(record) && record.seq === seq && record.time === time && fits(record);
  return isSame ? record : undefined;
}
