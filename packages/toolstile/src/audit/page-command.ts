import { realpathSync } from "node:fs";
import { exitCodes } from "../command.js";
import { complaint, isExplained } from "../file-error.js";
import { Progress } from "../replay/progress.js";
import { counted, printable, type Terminal } from "../terminal.js";
import { CallReading } from "./call-reading.js";
import { latestCalls } from "./latest-calls.js";
import { pageOf } from "./page.js";
import { pageEntryText } from "./page-entry.js";
import { type PagePlace, requirePagePlace, writeWhole } from "./page-file.js";
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
  const { calls, leftOut } = await latestCalls(reading, {
    limit: Math.min(query.limit ?? mostCalls, mostCalls),
    keep: (call) => pageEntryText(call, withPayloads),
    size: { of: (text) => text.length, largest: largestLog },
    onProgress: (read) => progress.show("reading", read),
  });
  progress.clear();
  const { dropped } = reading;
  const facts = { folder: path, madeAt: Date.now(), chosen, leftOut, dropped, withPayloads };
  try {
    writeWhole(target, pageOf(facts, calls));
  } catch (error) {
    if (!isExplained(error)) throw error;
    terminal.err.write(complaint(page, error));
    return exitCodes.broken;
  }
  const without = leftOut > 0 ? `; ${counted(leftOut)} earlier ones did not find room` : "";
  terminal.out.write(`${printable(page)}: ${counted(calls.length)} calls${without}\n`);
  return exitCodes.ok;
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
