import { quoted } from "@toolstile/core/provider";
import type { Anchors } from "./anchors.js";
import type { ChainFinding } from "./chain-finding.js";
import type { LevelReport } from "./findings.js";

/** Reports how far each of the four levels holds, L0 first. */
export function levelsOf(
  chains: readonly ChainFinding[],
  hasKey: boolean,
  anchors: Anchors | undefined,
): readonly LevelReport[] {
  return [
    chainLevel(chains),
    signedLevel(chains, hasKey),
    anchoredLevel(chains, anchors),
    {
      level: "L3",
      name: "timestamped",
      checked: false,
      note: "RFC 3161 timestamps are not read by this version.",
    },
  ];
}

function chainLevel(chains: readonly ChainFinding[]): LevelReport {
  const ok = chains.every(({ isDamaged }) => !isDamaged);
  const records = sum(chains.map(({ report }) => report.records));
  const bare = chains.some(({ report }) => report.removalHeldBy === "record");
  const removal = bare
    ? "; that earlier ones were removed rests on nothing but the record that says so"
    : "";
  const note = ok
    ? `All ${records} records are whole and in their places; a chain that was recomputed whole is not seen${removal}.`
    : "A chain is damaged, torn or cut.";
  return { level: "L0", name: "chain", checked: true, ok, note };
}

function signedLevel(chains: readonly ChainFinding[], hasKey: boolean): LevelReport {
  const level = { level: "L1", name: "signed" } as const;
  if (chains.some(({ isOfOtherOrigin }) => isOfOtherOrigin)) {
    const note =
      "A checkpoint is of another origin than this folder's: it, or its chain, may be another log's.";
    return { ...level, checked: true, ok: false, note };
  }
  if (!hasKey) return { ...level, checked: false, note: "It needs the checkpoints' public key." };
  const against = chains.filter(({ isNotAsSigned }) => isNotAsSigned);
  if (against.length > 0) return { ...level, checked: true, ok: false, note: notAsSigned(against) };
  const filled = chains.filter(({ report }) => report.records > 0);
  if (filled.length === 0) {
    return { ...level, checked: false, note: "There is no record that could be signed." };
  }
  const signed = filled.filter(({ report }) => report.tail.signed !== undefined);
  if (filled.some(({ isUnsigned }) => isUnsigned)) {
    const note = "A checkpoint is not signed with the key, or its signature does not fit it.";
    return { ...level, checked: true, ok: false, note };
  }
  if (chains.some(({ isRemovalUnsigned }) => isRemovalUnsigned)) {
    const note =
      "Records are gone, and no signed checkpoint covers a record that says that they were removed: anybody may have removed them.";
    return { ...level, checked: true, ok: false, note };
  }
  if (signed.length === 0) {
    const note =
      "No chain has a checkpoint that is signed with the key: anybody may have written them.";
    return { ...level, checked: true, ok: false, note };
  }
  const unsigned = filled.filter(({ report }) => report.tail.signed === undefined);
  if (unsigned.some(({ report }) => report.kinds.intent + report.kinds.outcome > 0)) {
    const note = `${unsigned.length} of ${filled.length} chains have calls and no signed checkpoint: anybody may have written them.`;
    return { ...level, checked: true, ok: false, note };
  }
  const rest =
    unsigned.length === 0
      ? ""
      : `; ${unsigned.length} of ${filled.length} chains have neither a call nor a checkpoint yet`;
  const coverage = coverageOf(filled, "signed");
  const note = `${coverage.inWords}${rest}.`;
  return { ...level, checked: true, ok: true, ...coverage.counts, note };
}

/** Says up to where the first of these chains is as it was signed. */
function notAsSigned([first, ...others]: readonly ChainFinding[]): string {
  const { chain = "", tail } = first?.report ?? {};
  const name = quoted(chain).replaceAll("\u2026", "...");
  const upTo =
    tail?.signed === undefined
      ? `No record of the chain ${name} is known to be as it was signed`
      : `The chain ${name} is known to be as it was signed up to record ${tail.signed}, and not after it`;
  const more = others.length === 0 ? "" : `; so it is with ${others.length} more`;
  return `${upTo}${more}.`;
}

/** Counts the records up to the last checkpoint of each chain, and those after it. */
function coverageOf(chains: readonly ChainFinding[], by: "signed" | "anchored") {
  const covered = sum(chains.map(({ report }) => presentUpTo(report.tail[by], report)));
  const uncovered = sum(chains.map(({ report }) => report.records)) - covered;
  const [only, ...others] = chains;
  const are = uncovered === 1 ? "is" : "are";
  const inWords =
    uncovered === 0
      ? `All ${covered} records are ${by}`
      : only !== undefined && others.length === 0
        ? `It holds up to record ${only.report.tail[by] ?? 0}; ${uncovered} after it ${are} not ${by}`
        : `It holds for ${covered} of ${covered + uncovered} records; ${uncovered} at the ends of the chains ${are} not ${by}`;
  return { counts: { covered, uncovered }, inWords };
}

function anchoredLevel(chains: readonly ChainFinding[], anchors: Anchors | undefined): LevelReport {
  const level = { level: "L2", name: "anchored" } as const;
  if (anchors === undefined) {
    return { ...level, checked: false, note: "It needs checkpoints that were kept elsewhere." };
  }
  const fault = anchors.fault?.replaceAll("…", "...");
  if (fault !== undefined) {
    return { ...level, checked: true, ok: false, note: `Not every anchor holds: ${fault}.` };
  }
  if (anchors.checkpoints === 0) {
    return {
      ...level,
      checked: true,
      ok: false,
      note: "There is no checkpoint in what was kept elsewhere.",
    };
  }
  if (chains.some(({ isRewritten }) => isRewritten)) {
    const note = "What was anchored is not there any more, or not as it was.";
    return { ...level, checked: true, ok: false, note };
  }
  const unread = chains.filter(
    ({ report, isDamaged }) =>
      isDamaged && anchors.chains.has(report.chain) && !reaches(report, anchors),
  );
  if (unread.length > 0) {
    const note = "A chain is damaged before what was anchored of it could be found.";
    return { ...level, checked: true, ok: false, note };
  }
  if (chains.some(({ isRemovalUnanchored }) => isRemovalUnanchored)) {
    const note =
      "Anchored records are gone, and no anchored checkpoint covers a record that says that they were removed: anchor one made since, or ask who removed them.";
    return { ...level, checked: true, ok: false, note };
  }
  const coverage = coverageOf(chains, "anchored");
  const bare = chains.filter(({ report }) => !anchors.chains.has(report.chain)).length;
  const rest = bare === 0 ? "" : `; ${bare} of ${chains.length} chains have no anchor`;
  const note = `${coverage.inWords}${rest}.`;
  return { ...level, checked: true, ok: true, ...coverage.counts, note };
}

function reaches({ chain, head }: ChainFinding["report"], anchors: Anchors): boolean {
  for (const size of anchors.chains.get(chain)?.keys() ?? []) if (size > head.seq) return false;
  return true;
}

/** A checkpoint's size counts records that were removed as well. */
function presentUpTo(size: number | undefined, { head, records }: ChainFinding["report"]): number {
  return Math.max(0, (size ?? 0) - (head.seq - records));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
