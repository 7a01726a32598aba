import { ownValue } from "@toolstile/core/provider";
import type { LinePlace, ReadLine } from "../files/line-reading.js";
import { droppedIn } from "../verify/gap.js";
import { ChainReading, type ParsedRecord } from "./chain-reading.js";
import { RecordBytes } from "./record-bytes.js";
import type { RecordMatcher } from "./record-filter.js";

/** The place of a call's last record. */
export interface CallPlace extends LinePlace {
  readonly chain: string;
  readonly segment: string;
  /** The offset in the segment from which its line is counted. */
  readonly countedFrom: number;
  readonly seq: number;
  readonly time: number | null;
}

/** A call's place, and the earliest time of its chain's calls from there on, by which chains are merged. */
export interface OrderedPlace {
  readonly place: CallPlace;
  readonly order: number;
}

export interface ChainCallsOptions {
  readonly folder: string;
  readonly chain: string;
  readonly matcher: RecordMatcher;
  /** Calls whose last record has no time before this are left out. */
  readonly until: number | undefined;
  /** The most outcomes whose places are kept: the latest. */
  readonly limit: number;
  /** Parses every line, also those whose bytes tell enough. */
  readonly parsesAll: boolean;
  /** Leaves out all but the last so many bytes of the last segment. */
  readonly lastBytes?: number | undefined;
  readonly onCall: () => void;
}

/** Bytes at the end of a chain that are gone through first for each call that is wanted. */
const lastBytesOfCall = 1 << 12;
const leastLastBytes = 1 << 17;
const mostLastBytes = 1 << 26;

/**
 * Finds the latest calls of one chain, and no more of the others than whether there are any.
 *
 * The end of its last segment is gone through first, and then longer ends: mostly the first is enough.
 */
export async function latestOf(options: ChainCallsOptions) {
  const { limit } = options;
  let lastBytes = Math.max(leastLastBytes, limit * lastBytesOfCall);
  for (; lastBytes <= mostLastBytes; lastBytes *= 16) {
    const last = await callsOf({ ...options, lastBytes });
    if (last.isWhole || last.over > limit) return last;
  }
  return callsOf(options);
}

/** Goes through a whole chain, or through its last bytes. */
export async function callsOf(options: ChainCallsOptions) {
  const calls = new ChainCalls(options);
  await calls.read();
  return calls;
}

/** Goes through one chain, counts its calls, and keeps the places of the latest. */
class ChainCalls {
  /** Calls that are over. */
  over = 0;
  /** Records that writers say they dropped. */
  dropped = 0;
  /** The number of the last record that fits. */
  through = 0;
  readonly #options: ChainCallsOptions;
  readonly #reading: ChainReading;
  readonly #bytes = new RecordBytes();
  readonly #open = new Map<string, CallPlace>();
  #latest: CallPlace[] = [];

  constructor(options: ChainCallsOptions) {
    this.#options = options;
    const { folder, chain, matcher, parsesAll, lastBytes } = options;
    this.#reading = new ChainReading({
      folder,
      chain,
      lastBytes,
      search: matcher.search,
      glance: (bytes, start, end, offset, line) =>
        parsesAll || this.#mustParse(bytes, start, end, offset, line),
      isWanted: (record, line) => {
        if (matcher.fits(record)) this.#parsed(record, line);
        return false;
      },
    });
  }

  async read(): Promise<void> {
    await this.#reading.next();
  }

  /** True if nothing of the chain was left out. */
  get isWhole(): boolean {
    return this.#reading.isWhole;
  }

  /** The places of the latest calls that are over, in order. A call without a time stays before the one after it. */
  get latest(): readonly OrderedPlace[] {
    let order = Number.POSITIVE_INFINITY;
    return this.#latest
      .slice(-this.#options.limit)
      .reverse()
      .map((place) => {
        order = Math.min(order, place.time ?? order);
        return { place, order };
      })
      .reverse();
  }

  /** The places of calls that have an intent and no outcome, in order. */
  get open(): readonly CallPlace[] {
    return Array.from(this.#open.values()).filter(({ time }) => this.#isInTime(time));
  }

  /** Takes a record whose bytes tell enough, and returns true for any other that may fit. */
  #mustParse(
    bytes: Buffer<ArrayBuffer>,
    start: number,
    end: number,
    offset: number,
    line: number,
  ): boolean {
    const { matcher } = this.#options;
    const record = this.#bytes;
    if (!record.take(bytes, start, end)) return true;
    if (!matcher.fitsBeginning(record)) return false;
    const { seq, kind, time } = record;
    if (!matcher.needsBeginningOnly || kind === "gap") return true;
    // The id of a call that has no intent here is of no use.
    const needsId = kind === "intent" || this.#open.size > 0;
    const runId = needsId ? record.runId() : "";
    if (runId === undefined) return true;
    this.#take(kind, runId, seq, time, { offset, bytes: end - start, line });
    return false;
  }

  #parsed(record: ParsedRecord, line: ReadLine): void {
    const { seq, kind, time } = record;
    if (kind === "gap") this.dropped += droppedIn(line.text) ?? 0;
    const runId = ownValue(record, "runId");
    // A writer's id is text. What is an object may not be readable as one.
    this.#take(kind, runId instanceof Object ? "" : String(runId), seq, time, line);
  }

  #take(kind: string, runId: string, seq: number, time: number | null, at: LinePlace): void {
    this.through = Math.max(this.through, seq);
    if (kind === "gap") return;
    // Also before a second intent, which takes its place in the order.
    this.#open.delete(runId);
    if (kind === "outcome") {
      if (!this.#isInTime(time)) return;
      this.over++;
      this.#options.onCall();
      this.#keep(this.#placeOf(seq, time, at));
    } else {
      this.#open.set(runId, this.#placeOf(seq, time, at));
    }
  }

  #placeOf(seq: number, time: number | null, { offset, bytes, line }: LinePlace): CallPlace {
    const { chain } = this.#options;
    const { segment, countedFrom } = this.#reading;
    return { chain, segment, countedFrom, seq, time, offset, bytes, line };
  }

  #keep(place: CallPlace): void {
    this.#latest.push(place);
    // Taking from the front one by one would move all the others each time.
    const { limit } = this.#options;
    if (this.#latest.length >= 2 * limit + 1_000) this.#latest = this.#latest.slice(-limit);
  }

  #isInTime(time: number | null): boolean {
    const { until } = this.#options;
    return until === undefined || (time !== null && time < until);
  }
}
