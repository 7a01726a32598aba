import { basename } from "node:path";
import { type Column, leftColumn, type Row, table } from "../terminal/table.js";
import { counted, type Palette, printable, printableJson } from "../terminal/terminal.js";
import type { ReplayedPolicy } from "./policy-guard.js";
import type { PolicyTally } from "./policy-tally.js";
import type { Tally } from "./tally.js";

export interface FileTally {
  readonly file: string;
  readonly tally: Tally;
}

/** A policy, and the tools whose results it was not asked about with their `outputSchema`. */
export interface ReportedPolicy extends ReplayedPolicy {
  readonly withoutOutputSchema: readonly string[];
}

const columns: readonly Column[] = [
  { title: "file", align: "left" },
  { title: "conversations", align: "right" },
  { title: "calls", align: "right" },
  { title: "results", align: "right" },
  { title: "findings", align: "right" },
  { title: "calls/s", align: "right" },
];

/**
 * The tables that a person reads: a line for each file, and under it one for each code found; then,
 * with a policy, a line for each rule that did something.
 */
export function inWords(
  files: readonly FileTally[],
  total: Tally,
  policy: ReportedPolicy | undefined,
  colours: Palette,
): string {
  if (files.length === 0) return "";
  const names = shortNames(files.map(({ file }) => file));
  const rows = files.flatMap(({ tally }, index) => rowsOf(names[index] ?? "", tally, colours));
  const sum = files.length > 1 ? rowsOf("all files", total, colours) : [];
  const counts = table(columns, [...rows, ...sum]);
  return policy === undefined ? counts : `${counts}\n${policyInWords(policy, total.policy)}`;
}

function policyInWords(
  { path, file, withoutOutputSchema }: ReportedPolicy,
  { verdicts, counts }: PolicyTally,
): string {
  const sums = verdicts.map(([verdict, calls]) => `${verdict} ${counted(calls)}`);
  const rows = counts.map(({ guard, rule, code, tool, verdict, shadow, calls }) => ({
    cells: [
      printable(rule ?? code ?? ""),
      printable(guard),
      printable(tool),
      shadow ? `${verdict} (shadow)` : verdict,
      counted(calls),
    ],
  }));
  const leftOut =
    withoutOutputSchema.length === 0
      ? ""
      : `Results were not held against an outputSchema, since recorded ones have no structured content: ${withoutOutputSchema.map(printable).join(", ")}\n`;
  const heading = `${printable(path)}, ${printable(file.policyVersion)}\ncalls: ${sums.join(", ") || "none"}\n${leftOut}`;
  return rows.length === 0 ? heading : `${heading}\n${table(policyColumns, rows)}`;
}

const policyColumns: readonly Column[] = [
  ...["rule", "guard", "tool", "verdict"].map(leftColumn),
  { title: "calls", align: "right" },
];

/** The text of `--json`. */
export function inJson(
  files: readonly FileTally[],
  total: Tally,
  policy: ReportedPolicy | undefined,
): string {
  const ofTally = (tally: Tally): object =>
    policy === undefined ? tally.toJSON() : { ...tally.toJSON(), policy: tally.policy };
  return printableJson({
    ...(policy !== undefined && {
      policy: {
        file: policy.path,
        policyVersion: policy.file.policyVersion,
        mode: policy.file.mode,
        withoutOutputSchema: policy.withoutOutputSchema,
      },
    }),
    files: files.map(({ file, tally }) => ({ file, ...ofTally(tally) })),
    total: ofTally(total),
  });
}

/** Without their folders, as long as that tells them apart. */
function shortNames(files: readonly string[]): readonly string[] {
  const short = files.map((file) => basename(file));
  return (new Set(short).size === short.length ? short : files).map(printable);
}

function rowsOf(name: string, tally: Tally, { bold, yellow }: Palette): readonly Row[] {
  const { conversations, calls, results, elapsed, findings } = tally;
  const rate = elapsed > 0 ? counted((calls * 1000) / elapsed) : "";
  const counts = [conversations, calls, results, findings].map(counted);
  return [
    { cells: [name, ...counts, rate], paint: bold },
    ...tally.codes.map(([code, found]) => ({
      cells: [`  ${code}`, "", "", "", counted(found)],
      paint: yellow,
    })),
  ];
}
