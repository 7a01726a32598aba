import { closeSync, constants, fsyncSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ToolstileError } from "@toolstile/core";
import {
  invalidOption,
  ownValue,
  quoted,
  readOptions,
  required,
  such,
} from "@toolstile/core/provider";
import { type LinePlace, LineReading } from "../files/line-reading.js";
import { chainsOf, openLogged, segmentsOf } from "../files/log-folder.js";
import { requirePath } from "../files/options.js";
import { payloadsName } from "../format/names.js";
import { parsed } from "../format/parsed.js";
import { statedSeq } from "./payload-index.js";
import { type RecordFilter, recordMatcher } from "./record-filter.js";

/**
 * Whose payloads are erased: of records that fit all members, or of `all`.
 *
 * A member that is `undefined` is refused, and so is a filter without any:
 * what is erased because a name was not there is gone.
 */
export type ErasureFilter =
  | { readonly [Name in keyof RecordFilter]: Exclude<RecordFilter[Name], undefined> }
  | { readonly all: true };

const where = "erasePayloads()";

const allTable = { all: required(such<true>((all) => all === true, "true, or left out")) };

/**
 * Overwrites payloads beside the log of all records that match, and resolves with how many.
 *
 * The chain stays whole. What was erased before is not counted again. What
 * copies and file systems keep of the old bytes is out of reach.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * system's error when the log cannot be read or written.
 */
export async function erasePayloads(path: string, filter: ErasureFilter): Promise<number> {
  requirePath(where, "folder", path);
  const isWanted = erasureMatcher(filter);
  let erased = 0;
  for (const { chain, isLink } of await chainsOf(path)) {
    if (isLink) continue;
    for (const { name, isFile } of await segmentsOf(path, chain)) {
      if (!isFile) continue;
      const wanted = await saltedIn(join(path, chain, name), isWanted);
      if (wanted.size > 0) erased += await eraseIn(join(path, chain, payloadsName(name)), wanted);
    }
  }
  return erased;
}

function erasureMatcher(filter: ErasureFilter): (record: unknown) => boolean {
  const given: object = filter ?? {};
  if (Object.hasOwn(given, "all")) {
    readOptions(`${where}: with 'all' the filter`, given, allTable);
    return () => true;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined)
      throw wrong(`${quoted(name)} is undefined, and would match everything`);
  }
  const { fits } = recordMatcher(where, given);
  if (Object.keys(given).length > 0) return fits;
  throw wrong("the filter names nothing. To erase all payloads, pass { all: true }");
}

function wrong(what: string): ToolstileError {
  return invalidOption(where, `${what}.`);
}

async function saltedIn(
  path: string,
  isWanted: (record: unknown) => boolean,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const lines = new LineReading(path);
  for (let line = await lines.next(); line; line = await lines.next()) {
    const record = parsed(line.text);
    const seq = ownValue(record, "seq");
    if (ownValue(record, "salted") !== true || typeof seq !== "number") continue;
    if (isWanted(record)) found.add(seq);
  }
  return found;
}

async function eraseIn(path: string, wanted: ReadonlySet<number>): Promise<number> {
  const file = openLogged(path, constants.O_RDWR);
  if (file === undefined) return 0;
  const erased = new Set<number>();
  try {
    const lines = new LineReading(path);
    const rest = () => lines.rest();
    for (let line = (await lines.next()) ?? (await rest()); line; ) {
      const seq = statedSeq(line.text);
      if (seq !== undefined && wanted.has(seq) && !isErased(line.text)) {
        overwrite(file, line, seq);
        erased.add(seq);
      }
      line = line.isWhole ? ((await lines.next()) ?? (await rest())) : undefined;
    }
    if (erased.size > 0) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return erased.size;
}

function isErased(text: string): boolean {
  return typeof ownValue(parsed(text), "erased") === "number";
}

/** In one write, with the line's own length: what stands after it stays where it is. */
function overwrite(file: number, { offset, bytes }: LinePlace, seq: number): void {
  const mark = Buffer.from(`{"seq":${seq},"erased":${Date.now()}}`);
  const line = Buffer.alloc(bytes, " ");
  if (mark.length <= bytes) mark.copy(line);
  for (let written = 0; written < bytes; ) {
    written += writeSync(file, line, written, bytes - written, offset + written);
  }
}
