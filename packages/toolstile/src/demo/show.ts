import { type Column, table } from "../terminal/table.js";
import { type Paint, type Palette, printable } from "../terminal/terminal.js";
import type { Act } from "./agent.js";
import { type Ruling, rulingOf } from "./ruling.js";
import type { Verdict } from "./script.js";

/** Columns that fit a terminal of the usual size. */
const width = 80;
const labelWidth = 10;
const margin = " ".repeat(4);

function paintOf(verdict: Verdict, colours: Palette): Paint {
  const { green, yellow, red, magenta } = colours;
  return { ALLOW: green, MODIFY: yellow, DENY: red, WITHHOLD: magenta }[verdict];
}

/** A call in a few lines: what was asked, what the guards said, what ran, what the model reads. */
export function showAct(name: string, asked: string, act: Act, colours: Palette): string {
  const { outcome, deed } = act;
  const { verdict, by, reason } = rulingOf(outcome);
  const { dim, bold } = colours;
  const why = reason === undefined ? "" : `: ${reason}`;
  const lines = [
    entry("model", cut(`${printable(name)} ${printable(asked)}`), dim),
    entry(verdict, wrapped(`by ${by}${why}`), (label) => bold(paintOf(verdict, colours)(label))),
    entry(
      "tool",
      deed === undefined ? dim("not run") : cut(`${deed.name} ${JSON.stringify(deed.args)}`),
      dim,
    ),
  ];
  if (deed !== undefined) {
    const { content } = outcome.result;
    const read = typeof content === "string" ? content : JSON.stringify(content);
    lines.push(entry("reads", dim(cut(read)), dim));
  }
  return lines.join("");
}

function entry(label: string, text: string, paint: Paint): string {
  return `${margin}${paint(label)}${" ".repeat(labelWidth - label.length)}${text}\n`;
}

const room = width - margin.length - labelWidth;

function cut(text: string): string {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

/** Text in lines that fit, under each other. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(margin.length + labelWidth)}`);
}

const columns: readonly Column[] = [
  { title: "verdict", align: "left" },
  { title: "whose word", align: "left" },
  { title: "calls", align: "right" },
];

/** The decisions of each guard, counted. */
export function summary(rulings: readonly Ruling[], colours: Palette): string {
  const counts = new Map<string, { verdict: Verdict; by: string; calls: number }>();
  for (const { verdict, by } of rulings) {
    const key = `${verdict} ${by}`;
    const count = counts.get(key) ?? { verdict, by, calls: 0 };
    count.calls++;
    counts.set(key, count);
  }
  const order: readonly Verdict[] = ["ALLOW", "MODIFY", "DENY", "WITHHOLD"];
  const rows = [...counts.values()]
    .sort((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict))
    .map(({ verdict, by, calls }) => ({
      cells: [verdict, by, String(calls)],
      paint: paintOf(verdict, colours),
    }));
  return table(columns, rows);
}
