import { ownValue } from "@toolstile/core/host";
import type { LinePlace, ReadLine } from "../files/line-reading.js";
import { droppedIn } from "../verify/gap.js";
import { ChainReading, type ParsedRecord } from "./chain-reading.js";
import { RecordBytes } from "./record-bytes.js";
import type { RecordMatcher } from "./record-filter.js";

/** The place of a call's last record. */
export interface CallPlace extends LinePlace {
  readonly chain: string;
  readonly segment: string;
  readonly seq: number;
  readonly time: number | null;
  /** The latest time of its chain up to there, by which chains are merged. */
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
  readonly onCall: () => void;
}

/** Goes through one chain, counts its calls, and keeps the places of the latest. */
export class ChainCalls {
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
  #order = Number.NEGATIVE_INFINITY;

  constructor(options: ChainCallsOptions) {
    this.#options = options;
    const { folder, chain, matcher, parsesAll } = options;
    this.#reading = new ChainReading({
      folder,
      chain,
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

  /** The places of the latest calls that are over, in order. */
  get latest(): readonly CallPlace[] {
    return this.#latest.slice(-this.#options.limit);
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
    if (!matcher.hasTexts(bytes, start, end)) return false;
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
    this.#take(kind, String(ownValue(record, "runId")), seq, time, line);
  }

  #take(kind: string, runId: string, seq: number, time: number | null, at: LinePlace): void {
    this.through = Math.max(this.through, seq);
    if (time !== null && time > this.#order) this.#order = time;
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
    const { segment } = this.#reading;
    return { chain, segment, seq, time, order: this.#order, offset, bytes, line };
  }

  #keep(place: CallPlace): void {
    this.#latest.push(place);
    // Taking from the front one by one would move all the others each time.
    if (this.#latest.length >= 2 * this.#options.limit + 1_000) this.#latest = [...this.latest];
  }

  #isInTime(time: number | null): boolean {
    const { until } = this.#options;
    return until === undefined || (time !== null && time < until);
  }
}
