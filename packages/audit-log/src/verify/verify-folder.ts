import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  func,
  nonEmptyText,
  type OptionTable,
  readOptions,
  such,
  unchecked,
} from "@toolstile/core/provider";
import { chainsOf, type FoundChain, segmentsOf } from "../files/log-folder.js";
import { requirePath } from "../files/options.js";
import { payloadsName } from "../format/names.js";
import { checkpointKey } from "../format/signed-note.js";
import { readAnchors } from "./anchors.js";
import { type ChainFinding, vanishedChain } from "./chain-finding.js";
import type { FolderReport } from "./findings.js";
import { levelsOf } from "./levels.js";
import { OriginCheck } from "./origin-check.js";
import { verifyChain } from "./verify-chain.js";

export interface VerifyFolderOptions {
  /** The public key of the checkpoints: a KeyObject, or the path of a file with PEM or a signed-note verifier key. */
  readonly key?: KeyObject | string | undefined;
  /** Paths of files or folders of checkpoints that were kept elsewhere. */
  readonly anchor?: string | readonly string[] | undefined;
  /**
   * The origin that the log's checkpoints must have: the option `origin` of its
   * writers. Without it, all of the folder must have one and the same.
   */
  readonly origin?: string | undefined;
  /** Called after each block of about 64 KiB to 1 MiB. */
  readonly onProgress?: ((progress: FolderProgress) => void) | undefined;
}

const verifyFolderOptions = {
  // Whether it is a key, and a public one, is told by whoever reads it.
  key: unchecked<KeyObject | string>(),
  anchor: such<string | readonly string[]>(
    isPaths,
    "the path of a file or folder of checkpoints, or a list of such paths that is not empty",
  ),
  origin: nonEmptyText("the origin of the log's checkpoints, as their writers were given it"),
  onProgress: func<(progress: FolderProgress) => void>(),
} satisfies OptionTable<VerifyFolderOptions>;

export interface FolderProgress {
  /** The file that is read, relative to the folder. */
  readonly file: string;
  /** The bytes of all files together, so far. */
  readonly bytes: number;
  readonly totalBytes: number;
}

const noRoots: ReadonlyMap<number, string> = new Map();

/**
 * Checks the chains of a log's folder, as far as the evidence at hand reaches.
 *
 * Faults of the log are in the report, not thrown. A file is held in
 * memory a block at a time, and of payloads the digests of one segment.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, and the
 * system's error when the folder, the key or an anchor cannot be read.
 */
export async function verifyFolder(
  path: string,
  options: VerifyFolderOptions = {},
): Promise<FolderReport> {
  requirePath("verifyFolder()", "folder", path);
  const given = readOptions("verifyFolder()", options, verifyFolderOptions);
  const { anchor, origin, onProgress } = given;
  const paths = typeof anchor === "string" ? [anchor] : anchor;
  const key = given.key === undefined ? undefined : await checkpointKey(given.key);
  const found = await chainsOf(path);
  // Anchors first: what was kept elsewhere says whose log this is.
  const origins = new OriginCheck(origin);
  const anchors = paths === undefined ? undefined : await readAnchors(paths, key, origins);
  let bytes = 0;
  const totalBytes = onProgress === undefined ? 0 : await bytesOf(path, found);
  const onBlock = (file: string, more: number) => {
    bytes += more;
    onProgress?.({ file, bytes, totalBytes: Math.max(bytes, totalBytes) });
  };
  const chains: ChainFinding[] = [];
  for (const each of found) {
    const roots = anchors?.chains.get(each.chain) ?? noRoots;
    chains.push(
      await verifyChain({ ...each, folder: path, key, origins, anchors: roots, onBlock }),
    );
  }
  const names = new Set(found.map(({ chain }) => chain));
  for (const [chain, roots] of anchors?.chains ?? []) {
    if (!names.has(chain)) chains.push(vanishedChain(chain, roots));
  }
  chains.sort((one, other) => (one.report.chain < other.report.chain ? -1 : 1));
  return reportOf(chains, levelsOf(chains, key !== undefined, anchors), origins.found);
}

function reportOf(
  chains: readonly ChainFinding[],
  levels: FolderReport["levels"],
  origin: string | undefined,
): FolderReport {
  const payloads = { checked: 0, erased: 0, missing: 0 };
  let records = 0;
  let dropped = 0;
  for (const each of chains) {
    records += each.report.records;
    dropped += each.report.dropped;
    payloads.checked += each.payloads.checked;
    payloads.erased += each.payloads.erased;
    payloads.missing += each.payloads.missing;
  }
  const reports = chains.map(({ report }) => report);
  const firstBad = reports.find((report) => report.firstBad !== undefined)?.firstBad;
  return {
    ok:
      reports.length > 0 && reports.every(({ ok }) => ok) && levels.every(({ ok }) => ok !== false),
    records,
    dropped,
    ...(origin !== undefined && { origin }),
    ...(firstBad && { firstBad }),
    levels,
    chains: reports,
    payloads,
  };
}

function isPaths(anchor: unknown): boolean {
  const paths: readonly unknown[] = Array.isArray(anchor) ? anchor : [anchor];
  return paths.length > 0 && paths.every((each) => typeof each === "string" && each !== "");
}

/** An estimate: the log may grow while it is read. */
async function bytesOf(path: string, chains: readonly FoundChain[]): Promise<number> {
  let total = 0;
  for (const { chain, isLink } of chains) {
    if (isLink) continue;
    const segments = await segmentsOf(path, chain).catch(() => []);
    for (const { name, isFile } of segments) {
      if (isFile) total += await sizeOf(join(path, chain, name));
      if (isFile) total += await sizeOf(join(path, chain, payloadsName(name)));
    }
  }
  return total;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
