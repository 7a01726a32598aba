import { checkOptions, ToolstileError } from "@toolstile/core";
import { chainsOf } from "./chain-files.js";
import { type AuditRecord, ChainReading } from "./chain-reading.js";
import { type RecordFilter, recordMatcher } from "./record-filter.js";

export interface ReadRecordsOptions {
  readonly filter?: RecordFilter | undefined;
  /** Goes on with what is written from now on, until the signal. */
  readonly follow?: boolean | undefined;
  /** Ends the reading, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between looks, when following. Default 250. */
  readonly pollMs?: number | undefined;
}

const usualPollMs = 250;
const longestPollMs = 2 ** 31 - 1;

/**
 * Reads the records of a log's folder, all chains merged by time.
 *
 * Checks nothing and skips what is no whole JSON line: run `verifyFolder`
 * first where it matters.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * system's error when the folder cannot be read; both with the first record.
 */
export async function* readRecords(
  path: string,
  options: ReadRecordsOptions = {},
): AsyncGenerator<AuditRecord, void, undefined> {
  if (typeof path !== "string" || path === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "readRecords() takes the path of a folder.");
  }
  checkOptions("readRecords()", options, ["filter", "follow", "signal", "pollMs"]);
  const given: ReadRecordsOptions = Object.assign(Object.create(null), options);
  const { follow = false, signal, pollMs = usualPollMs } = given;
  requireFitting(follow, signal, pollMs);
  const isWanted = recordMatcher("readRecords() filter", given.filter ?? {});
  const chains = new Map<string, ChainReading>();
  while (signal?.aborted !== true) {
    for (const { chain, isLink } of await chainsOf(path)) {
      if (!isLink && !chains.has(chain)) chains.set(chain, new ChainReading(path, chain, isWanted));
    }
    for await (const record of merged([...chains.values()])) {
      if (isAborted(signal)) return;
      yield record;
      if (isAborted(signal)) return;
    }
    if (!follow) return;
    await pause(pollMs, signal);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

interface Waiting {
  readonly chain: ChainReading;
  readonly found: AuditRecord;
  /** A record without a time stays behind the one before it. */
  readonly time: number;
}

/** What the chains have for now, in order of time. */
async function* merged(chains: readonly ChainReading[]): AsyncGenerator<AuditRecord> {
  const waiting: Waiting[] = [];
  for (const chain of chains) await add(waiting, chain, Number.NEGATIVE_INFINITY);
  for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
    yield first.found;
    await add(waiting, first.chain, first.time);
  }
}

async function add(waiting: Waiting[], chain: ChainReading, notBefore: number): Promise<void> {
  const found = await chain.next();
  if (found === undefined) return;
  const time = found.record.time ?? notBefore;
  let at = waiting.findIndex((each) => each.time > time);
  if (at === -1) at = waiting.length;
  waiting.splice(at, 0, { chain, found, time });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (isAborted(signal)) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}

function requireFitting(follow: unknown, signal: unknown, pollMs: unknown): void {
  const wrong =
    typeof follow !== "boolean"
      ? "'follow' is true or false"
      : signal !== undefined && !(signal instanceof AbortSignal)
        ? "'signal' is an AbortSignal"
        : typeof pollMs !== "number" || !(pollMs >= 1 && pollMs <= longestPollMs)
          ? "'pollMs' is a number of milliseconds from 1"
          : undefined;
  if (wrong !== undefined)
    throw new ToolstileError("ERR_INVALID_OPTION", `readRecords(): ${wrong}.`);
}
