import { realpathSync } from "node:fs";
import type { LatestCalls } from "@toolstile/audit-log/read";
import { replaceFileSync } from "@toolstile/core/files";
import { exitCodes } from "../terminal/command.js";
import { complaint, isExplained } from "../terminal/file-error.js";
import { Progress } from "../terminal/progress.js";
import { counted, printable, type Terminal } from "../terminal/terminal.js";
import { CallReading } from "./call-reading.js";
import { pageOf } from "./page.js";
import { pageEntryText } from "./page-entry.js";
import { type PagePlace, requirePagePlace } from "./page-file.js";
import type { CallQuery } from "./query.js";

/** Calls in a page: a browser on a phone still takes so many. */
const mostCalls = 20_000;
/** Characters of all calls together, which payloads may fill sooner. */
const largestLog = 1 << 26;

export interface PageOptions {
  /** The log's folder. */
  readonly path: string;
  /** The page's file. */
  readonly page: string;
  readonly query: CallQuery;
  /** The options that chose its calls, as they were given. */
  readonly chosen: readonly string[];
  readonly withPayloads: boolean;
  readonly force: boolean;
}

/**
 * Makes the page of a log, and gives the exit code.
 *
 * @throws UsageError when the page's place is taken, and the system's error
 * when the log cannot be read.
 */
export async function writePage(
  { path, page, query, chosen, withPayloads, force }: PageOptions,
  terminal: Terminal,
): Promise<number> {
  const folder = realpathSync(path);
  const target = placeOf({ file: page, folder, force }, terminal);
  if (target === undefined) return exitCodes.broken;
  const reading = new CallReading(path, query);
  const progress = new Progress(terminal);
  const found = await reading.latest({
    limit: Math.min(query.limit ?? mostCalls, mostCalls),
    payloads: withPayloads,
    onProgress: (read) => progress.show("reading", read),
  });
  const { calls, isFull } = await entriesOf(found, withPayloads);
  progress.clear();
  const { dropped } = found;
  const hasEarlier = found.hasEarlier || isFull;
  const facts = { folder: path, madeAt: Date.now(), chosen, hasEarlier, dropped, withPayloads };
  try {
    // The log may hold more than others should see: only the page's owner can read it.
    replaceFileSync(target, pageOf(facts, calls));
  } catch (error) {
    if (!isExplained(error)) throw error;
    terminal.err.write(complaint(page, error));
    return exitCodes.broken;
  }
  const without = hasEarlier ? "; earlier ones did not find room" : "";
  terminal.out.write(`${printable(page)}: ${counted(calls.length)} calls${without}\n`);
  return exitCodes.ok;
}

/** The latest calls as JSON, in the order of their times, as many as find room. */
async function entriesOf(
  { newestFirst }: LatestCalls,
  withPayloads: boolean,
): Promise<{ readonly calls: readonly string[]; readonly isFull: boolean }> {
  const entries: string[] = [];
  let size = 0;
  for await (const call of newestFirst()) {
    const entry = pageEntryText(call, withPayloads);
    size += entry.length;
    if (size > largestLog) return { calls: entries.reverse(), isFull: true };
    entries.push(entry);
  }
  return { calls: entries.reverse(), isFull: false };
}

function placeOf(place: PagePlace, { err }: Terminal): string | undefined {
  try {
    return requirePagePlace(place);
  } catch (error) {
    if (!isExplained(error)) throw error;
    err.write(complaint(place.file, error));
    return undefined;
  }
}
