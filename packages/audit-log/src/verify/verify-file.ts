import { type OptionTable, readOptions, such, ToolstileError } from "@toolstile/core/provider";
import { blocks, type LogSource } from "../files/blocks.js";
import { resolveKey } from "../files/key.js";
import { headOption, keyOption } from "../files/options.js";
import { type ChainHead, genesis } from "../format/chain-head.js";
import type { FirstBad } from "./findings.js";
import { type CallKindCounts, OneSegment } from "./one-segment.js";

export interface VerifyOptions {
  /** The writer's key, or the path of its file: commitments are checked where the log holds payloads. */
  readonly key?: Uint8Array | string | undefined;
  /** The head before the first line, where older lines were let go. Default: the log is whole. */
  readonly after?: ChainHead | undefined;
  /** A head that was kept elsewhere: the log must still hold that record. */
  readonly expect?: ChainHead | undefined;
}

const verifyOptions = {
  key: keyOption,
  after: headOption.default(genesis),
  expect: headOption,
} satisfies OptionTable<VerifyOptions>;

const sourceReader = such<LogSource>(
  (value) =>
    (typeof value === "string" && value !== "") ||
    value instanceof Uint8Array ||
    (Array.isArray(value) && value.every((line) => typeof line === "string")),
  "the path of a file, its bytes, or its lines",
).required();

export interface VerifyReport {
  /** True if every record is whole and in its place. */
  readonly ok: boolean;
  /** The level of the evidence. There is only this one for a file. */
  readonly level: "chain";
  /** One sentence on what a log of this level cannot show. */
  readonly note: string;
  /** Records before the first bad one: each has its hash and follows from the one before it. A recomputed one may be among them. */
  readonly records: number;
  readonly kinds: CallKindCounts;
  /** Records that the writer says it dropped. */
  readonly dropped: number;
  /** Commitments that were compared with their payloads. */
  readonly digestsChecked: number;
  /** Records with payloads that were made under another key than the one given. */
  readonly otherKey: number;
  /** The last of these records. */
  readonly head: ChainHead;
  readonly firstBad?: FirstBad | undefined;
  /** A last line without its end: a write that was interrupted, or is still going on. */
  readonly torn?: { readonly line: number; readonly bytes: number } | undefined;
}

/**
 * Checks a log from its bytes alone: each record's hash, number and link to
 * the one before it, and that it is JSON.
 *
 * A bare chain shows no cut tail, and nothing to whoever recomputes all of it:
 * pass as `expect` a head that was kept elsewhere.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * system's error when the file cannot be read.
 */
export async function verify(
  source: LogSource,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  sourceReader.read(source, "verify()", "source");
  const { after, expect, key: givenKey } = readOptions("verify()", options, verifyOptions);
  if (expect !== undefined && expect.seq <= after.seq) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "verify(): 'expect' must be a record that comes after 'after'.",
    );
  }
  const key = givenKey === undefined ? undefined : resolveKey("verify()", givenKey, undefined);
  const check = new OneSegment({ after, expect, key });
  try {
    for await (const block of blocks(source)) if (!check.chain.block(block)) break;
  } catch (cause) {
    const isFolder = cause instanceof Error && "code" in cause && cause.code === "EISDIR";
    throw isFolder ? folderError(cause) : cause;
  }
  check.finish();
  const { kinds, dropped, digestsChecked, otherKey, firstBad } = check;
  const { head, torn } = check.chain;
  return {
    ok: firstBad === undefined && torn === undefined,
    level: "chain",
    note: noteOn(expect, firstBad),
    records: head.seq - after.seq,
    kinds,
    dropped,
    digestsChecked,
    otherKey,
    head,
    firstBad,
    torn: torn && { line: torn.line, bytes: torn.bytes },
  };
}

function noteOn(expect: ChainHead | undefined, firstBad: FirstBad | undefined): string {
  return expect === undefined || firstBad !== undefined
    ? "A cut tail is not detected without a checkpoint, and neither is a chain that was recomputed whole."
    : `The log holds record ${expect.seq} as it was kept. A cut or a recomputed chain after it is not detected.`;
}

function folderError(cause: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    "verify() takes one file, bytes or lines: verifyFolder() checks a folder.",
    { cause },
  );
}
