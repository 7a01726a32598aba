import type { ChainReport, FolderFirstBad, FolderReport, LevelReport } from "@toolstile/audit-log";
import { shownTime } from "../audit/moment.js";
import { type Column, table } from "../terminal/table.js";
import { counted, type Palette, printable } from "../terminal/terminal.js";

const levelColumns: readonly Column[] = ["level", "of evidence", "found", "what"].map((title) => ({
  title,
  align: "left",
}));

/**
 * The findings in a log's folder as text for a person, chain by chain.
 *
 * @param keyBeside The public key that stands beside the folder, if one does.
 */
export function folderInWords(
  path: string,
  report: FolderReport,
  colours: Palette,
  keyBeside?: string,
): string {
  const { chains, payloads, origin } = report;
  const lines = [`${colours.bold(printable(path))}: ${verdict(report, colours)}`];
  if (origin !== undefined)
    lines.push(`  its checkpoints say that it is the log ${printable(origin)}`);
  for (const chain of chains) lines.push("", ...chainLines(chain, colours));
  lines.push("", levelTable(report.levels, colours).trimEnd());
  const unchecked = report.levels.filter(({ checked }) => !checked).map(({ name }) => name);
  if (unchecked.includes("signed")) lines.push("", howToCheckSignatures(keyBeside));
  if (unchecked.includes("anchored"))
    lines.push("Checkpoints that were kept elsewhere: --anchor PATH.");
  if (report.dropped > 0) {
    lines.push("", `The writers dropped ${counted(report.dropped)} records, and say so.`);
  }
  if (payloads.checked + payloads.erased + payloads.missing > 0) {
    lines.push(
      "",
      `Payloads beside the log: ${counted(payloads.checked)} compared, ${counted(payloads.erased)} erased, ${counted(payloads.missing)} missing.`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** The key is named and not used by itself: who can write the log can exchange what stands beside it. */
function howToCheckSignatures(keyBeside: string | undefined): string {
  const file =
    keyBeside === undefined
      ? "FILE"
      : `${printable(keyBeside)}, which stands beside the log and is worth as much as its folder`;
  return `Signatures were not checked: pass --key ${file}.`;
}

/** Whoever reads nothing but the first line reads that a part of the log is not signed. */
function signedPart(levels: readonly LevelReport[]): string {
  const { covered, uncovered = 0 } = levels.find(({ name }) => name === "signed") ?? {};
  return covered === undefined || uncovered === 0 ? "" : `, ${counted(covered)} of them signed`;
}

function verdict(
  { ok, records, chains, firstBad, levels }: FolderReport,
  colours: Palette,
): string {
  const counts = `${amount(records, "record")} in ${amount(chains.length, "chain")}`;
  if (ok) return colours.green(`ok, ${counts}${signedPart(levels)}`);
  const kind =
    firstBad !== undefined
      ? "broken"
      : chains.some(({ tail }) => tail.cut !== undefined)
        ? "cut"
        : chains.some(({ tail }) => tail.torn !== undefined)
          ? "torn"
          : "not as it should be";
  const doubtful = sum(chains.map(({ head, good }) => head.seq - good.seq));
  const good =
    doubtful === 0
      ? `${counts} are good`
      : `${counted(records - doubtful)} of the ${counts} are good`;
  return colours.red(`${kind}, ${good}`);
}

function chainLines(report: ChainReport, colours: Palette): readonly string[] {
  const { chain, ok, segments, records, kinds, firstBad, tail } = report;
  const word = ok ? colours.green("whole") : colours.red("not whole");
  const lines = [
    `${colours.bold(printable(chain))}: ${word}, ${amount(records, "record")} in ${amount(segments, "segment")}`,
  ];
  if (firstBad !== undefined) lines.push(colours.red(`  ${badInWords(firstBad)}`));
  for (const each of tailTrouble(report).map((each) => colours.red(`  ${each}`))) lines.push(each);
  lines.push(
    `  ${amount(kinds.outcome, "outcome")}, ${amount(kinds.intent, "intent")}, ${amount(kinds.checkpoint, "checkpoint")}, ${amount(kinds.head, "opening")}`,
  );
  if (kinds.repair > 0) lines.push(`  repaired ${amount(kinds.repair, "time")} after a torn end`);
  for (const each of removalLines(report)) lines.push(each);
  if (records > 0) {
    const time = shownTime(tail.time);
    const at = time === "" ? "" : `, ${time} UTC`;
    const end = tail.closed ? "closed" : "open: its writer lives, or died, or the end was cut";
    lines.push(
      firstBad === undefined ? `  ends ${end}${at}` : readTo(report, at),
      `  ${protection(report)}`,
      ...lastLines(report).map((each) => colours.dim(`  ${each}`)),
    );
  }
  return lines;
}

function readTo({ head, good }: ChainReport, at: string): string {
  const word = head.seq === good.seq ? "good" : "read";
  return `  ${word} up to record ${counted(head.seq)}${at}`;
}

/** Where a record is bad, those before it may be false too: only the good ones are called so. */
function lastLines({ records, firstBad, head, good }: ChainReport): readonly string[] {
  const last = (word: string, { seq, hash }: ChainReport["head"]) =>
    `${word}: ${seq}:${printable(hash)}`;
  if (good.seq === head.seq) return [last(firstBad === undefined ? "last" : "last good", head)];
  // Older records may have been removed.
  return good.seq === head.seq - records
    ? ["no record is known to be good: no signature or anchor that fits covers one"]
    : [
        `known to be good up to record ${counted(good.seq)}: no signature or anchor that fits covers the rest`,
        last("last good", good),
      ];
}

const holders = {
  anchor: "an anchored checkpoint covers its record",
  signature: "a signed checkpoint covers its record",
  record: "nothing but its record says so, which anybody could have appended",
};

function removalLines({
  removedThrough,
  removalHeldBy = "record",
}: ChainReport): readonly string[] {
  if (removedThrough === undefined) return [];
  const what = `records up to ${counted(removedThrough)} were removed by a recorded act`;
  return [`  ${what}: ${holders[removalHeldBy]}`];
}

function badInWords({ file, line, seq, reason }: FolderFirstBad): string {
  const place = line === undefined ? "" : ` line ${line}`;
  const number = seq === undefined ? "" : `, record ${counted(seq)}`;
  return `${printable(file)}${place}${number}: ${printable(reason)}`;
}

const witnesses = {
  anchor: "an anchored checkpoint says so",
  checkpoint: "the checkpoint beside it says so",
  manifest: "the manifest says so",
};

function tailTrouble({ tail: { cut, torn } }: ChainReport): readonly string[] {
  const lines: string[] = [];
  if (cut !== undefined) {
    lines.push(
      `cut after record ${counted(cut.after)}: ${counted(cut.expected)} were there (${witnesses[cut.seenBy]})`,
    );
  }
  if (torn !== undefined) {
    lines.push(
      `${printable(torn.file)} line ${torn.line}: torn, ${counted(torn.bytes)} bytes without an end of line`,
    );
  }
  return lines;
}

function protection({ records, tail: { signed, anchored, unprotected } }: ChainReport): string {
  const held = [
    signed === undefined ? undefined : `signed up to record ${counted(signed)}`,
    anchored === undefined ? undefined : `anchored up to record ${counted(anchored)}`,
  ].filter((each) => each !== undefined);
  const last = unprotected === 1 ? "last one is" : `last ${counted(unprotected)} are`;
  const rest =
    unprotected === 0
      ? "none after it"
      : `the ${last} covered by none, and a cut or a recomputed edit there would not show`;
  if (held.length > 0) return `${held.join(", ")}; ${rest}`;
  return records === 0 ? "nothing held" : "no checkpoint was checked: its end may be cut unseen";
}

function levelTable(levels: readonly LevelReport[], colours: Palette): string {
  const rows = levels.map(({ level, name, checked, ok, covered, uncovered = 0, note }) => ({
    cells: [level, name, found({ checked, ok, covered, uncovered }), printable(note)],
    paint: checked ? (ok ? colours.green : colours.red) : colours.dim,
  }));
  return table(levelColumns, rows);
}

function found({ checked, ok, covered = 0, uncovered = 0 }: Partial<LevelReport>): string {
  if (checked !== true) return "not checked";
  if (ok !== true) return "fails";
  return uncovered === 0
    ? "holds"
    : `holds for ${counted(covered)} of ${counted(covered + uncovered)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function amount(count: number, one: string): string {
  return `${counted(count)} ${one}${count === 1 ? "" : "s"}`;
}
