import { basename } from "node:path";
import { type Column, type Row, table } from "../terminal/table.js";
import { counted, type Palette, printable, printableJson } from "../terminal/terminal.js";
import type { Tally } from "./tally.js";

export interface FileTally {
  readonly file: string;
  readonly tally: Tally;
}

const columns: readonly Column[] = [
  { title: "file", align: "left" },
  { title: "conversations", align: "right" },
  { title: "calls", align: "right" },
  { title: "results", align: "right" },
  { title: "findings", align: "right" },
  { title: "calls/s", align: "right" },
];

/** The table that a person reads: a line for each file, and under it one for each code found. */
export function inWords(files: readonly FileTally[], total: Tally, colours: Palette): string {
  if (files.length === 0) return "";
  const names = shortNames(files.map(({ file }) => file));
  const rows = files.flatMap(({ tally }, index) => rowsOf(names[index] ?? "", tally, colours));
  const sum = files.length > 1 ? rowsOf("all files", total, colours) : [];
  return table(columns, [...rows, ...sum]);
}

/** The text of `--json`. */
export function inJson(files: readonly FileTally[], total: Tally): string {
  return printableJson({
    files: files.map(({ file, tally }) => ({ file, ...tally.toJSON() })),
    total,
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
