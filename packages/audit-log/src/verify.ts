import { checkOptions, ToolstileError } from "@toolstile/core";
import { blocks, type LogSource } from "./blocks.js";
import { ChainCheck } from "./chain-check.js";
import type { FirstBad } from "./chained-lines.js";
import { resolveKey } from "./key.js";
import { type ChainHead, genesis, isChainHead } from "./sink.js";

export interface VerifyOptions {
  /** The writer's key, or the path of its file: commitments are checked where the log holds payloads. */
  readonly key?: Uint8Array | string | undefined;
  /** The head before the first line, where older lines were let go. Default: the log is whole. */
  readonly after?: ChainHead | undefined;
  /** A head that was kept elsewhere: the log must still hold that record. */
  readonly expect?: ChainHead | undefined;
}

export interface VerifyReport {
  /** Whether every record is whole and in its place. */
  readonly ok: boolean;
  /** How much the evidence can say; only this level exists yet. */
  readonly level: "chain";
  /** What a log of this level cannot show. */
  readonly note: string;
  /** Good records before the first bad one. */
  readonly records: number;
  readonly kinds: Readonly<Record<"head" | "intent" | "outcome" | "repair" | "gap", number>>;
  /** Records that the writer says it dropped. */
  readonly dropped: number;
  /** Commitments that were compared with their payloads. */
  readonly digestsChecked: number;
  /** Records with payloads that were made under another key than the one given. */
  readonly otherKey: number;
  /** The last good record. */
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
  checkOptions("verify()", options, ["key", "after", "expect"]);
  const given: VerifyOptions = Object.assign(Object.create(null), options);
  const after = headOption("after", given.after) ?? genesis;
  const expect = headOption("expect", given.expect);
  if (expect !== undefined && expect.seq <= after.seq) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "verify(): 'expect' is a record that comes after 'after'.",
    );
  }
  const key = given.key === undefined ? undefined : resolveKey(given.key, undefined);
  const check = new ChainCheck(after, expect, key);
  try {
    for await (const block of blocks(source)) if (!check.block(block)) break;
  } catch (cause) {
    const isFolder = cause instanceof Error && "code" in cause && cause.code === "EISDIR";
    throw isFolder ? folderError(cause) : cause;
  }
  check.finish();
  const { head, kinds, dropped, digestsChecked, otherKey, firstBad, torn } = check;
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
    torn,
  };
}

function noteOn(expect: ChainHead | undefined, firstBad: FirstBad | undefined): string {
  return expect === undefined || firstBad !== undefined
    ? "A cut tail is not detected without a checkpoint, and neither is a chain that was recomputed whole."
    : `The log holds record ${expect.seq} as it was kept. A cut or a recomputed chain after it is not detected.`;
}

function headOption(name: string, head: ChainHead | undefined): ChainHead | undefined {
  if (head === undefined) return undefined;
  if (isChainHead(head)) return head;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `verify(): '${name}' has a 'seq' and a 'hash' of 64 hex digits.`,
  );
}

function folderError(cause: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    "verify() takes one file, bytes or lines: verifyFolder() checks a folder.",
    { cause },
  );
}
