import { type Column, type Row, table } from "../terminal/table.js";
import { type Paint, type Palette, printable } from "../terminal/terminal.js";
import { type CallFacts, type CallRecord, callFacts, noOutcome } from "./call-facts.js";
import { shownTime } from "./moment.js";

const columns: readonly (Column & { readonly longest: number })[] = [
  { title: "time (UTC)", align: "left", longest: 23 },
  { title: "session", align: "left", longest: 20 },
  { title: "tool", align: "left", longest: 28 },
  { title: "status", align: "left", longest: 12 },
  { title: "decided by", align: "left", longest: 24 },
  { title: "code", align: "left", longest: 24 },
  { title: "reason", align: "left", longest: 60 },
];

const longestApproval = 120;

/** Calls as a table, one a line. */
export function callTable(calls: readonly CallRecord[], colours: Palette): string {
  return table(
    columns,
    calls.map((call) => rowOf(call, colours)),
  );
}

/** Lines that go on a table for as long as calls come: its columns grow as they must. */
export class GrowingTable {
  readonly #colours: Palette;
  readonly #widths: number[];

  constructor(calls: readonly CallRecord[], colours: Palette) {
    this.#colours = colours;
    this.#widths = columns.map(({ title }) => title.length);
    for (const call of calls) this.#fit(rowOf(call, colours));
  }

  line(call: CallRecord): string {
    const row = rowOf(call, this.#colours);
    this.#fit(row);
    const padded = row.cells.map((cell, index) => cell.padEnd(this.#widths[index] ?? 0));
    const text = padded.join("  ").trimEnd();
    return `${row.paint === undefined ? text : row.paint(text)}\n`;
  }

  #fit({ cells }: Row): void {
    for (const [index, cell] of cells.entries()) {
      this.#widths[index] = Math.max(this.#widths[index] ?? 0, cell.length);
    }
  }
}

/** The colour of what became of a call. */
export function paintOf(status: string, colours: Palette): Paint | undefined {
  if (status === "executed") return undefined;
  if (status === "denied") return colours.red;
  if (status === "withheld") return colours.magenta;
  if (status === noOutcome || status === "released") return colours.dim;
  return colours.yellow;
}

/** Text of the log, for a cell: nothing that a terminal would obey, and not too long. */
export function shown(text: string, longest: number): string {
  // A name of a million letters is not to be gone through for its first twenty.
  const safe = printable(text.slice(0, longest + 1));
  return safe.length > longest ? `${safe.slice(0, longest - 1)}…` : safe;
}

function rowOf(call: CallRecord, colours: Palette): Row {
  const facts = callFacts(call);
  const texts = [
    shownTime(facts.time),
    ...(["session", "tool", "status", "decidedBy", "code", "reason"] as const).map(
      (key: keyof CallFacts) => String(facts[key]),
    ),
  ];
  const cells = texts.map((text, index) => shown(text, columns[index]?.longest ?? 0));
  const [reason = ""] = cells.splice(-1);
  // First, and whole: its id is what a reader wants to copy.
  const approval = shown(facts.approval, longestApproval);
  return {
    cells: [...cells, [approval, reason].filter((text) => text !== "").join("; ")],
    paint: paintOf(facts.status, colours),
  };
}
