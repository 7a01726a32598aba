#!/usr/bin/env node
/**
 * Measure every row in fresh processes, and print a table of ratios.
 *
 *   npm run bench                       all rows
 *   npm run bench -- --row parse        rows whose name has the word
 *   npm run bench -- --json             one JSON object
 *   npm run bench -- --write            also write docs/benchmarks.md
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { rows } from "./rows.mjs";

const { values } = parseArgs({
  options: {
    row: { type: "string" },
    processes: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const execute = promisify(execFile);
const measure = fileURLToPath(new URL("measure.mjs", import.meta.url));
const processes = Number(values.processes);

const measured = [];
for (const [index, row] of rows.entries()) {
  if (values.row !== undefined && !row.name.includes(values.row)) continue;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${row.name} …`);
  const runs = [];
  for (let run = 0; run < processes; run++) {
    const { stdout } = await execute(process.execPath, [measure, String(index)]);
    runs.push(JSON.parse(stdout));
  }
  runs.sort((a, b) => a.ratio - b.ratio);
  measured.push({
    name: row.name,
    unit: row.reference.unit,
    goal: row.goal,
    median: runs[processes >> 1].ratio,
    lowest: runs[0].ratio,
    highest: runs[processes - 1].ratio,
    subjectNs: runs[processes >> 1].subject,
    referenceNs: runs[processes >> 1].reference,
  });
}
const streams = fileURLToPath(new URL("engine-streams.mjs", import.meta.url));
/** What the engine costs a stream: all of it is measured in one process, side by side with the bare one. */
const ofStreams = [
  ["time to the first text of an answer", 1.2, ({ firstChunkMs }) => firstChunkMs],
  ["2,000 deltas, read to the end", 1.2, ({ twoThousandDeltasMs }) => twoThousandDeltasMs],
  ["200 streams of 200 deltas at once", 1.2, ({ twoHundredAtOnceMs }) => twoHundredAtOnceMs],
]
  .map(([what, goal, read]) => ({ name: `engine's stream, ${what}`, goal, read }))
  .filter(({ name }) => values.row === undefined || name.includes(values.row));
if (ofStreams.length > 0) {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[Kengine's streams …");
  const runs = [];
  for (let run = 0; run < processes; run++) {
    const { stdout } = await execute(process.execPath, [streams, "--json"]);
    runs.push(JSON.parse(stdout));
  }
  for (const { name, goal, read } of ofStreams) {
    const sorted = runs.map(read).sort((a, b) => a.ofMedians - b.ofMedians);
    const middle = sorted[processes >> 1];
    measured.push({
      name,
      unit: "of a bare fetch",
      goal,
      median: middle.ofMedians,
      lowest: sorted[0].ofMedians,
      highest: sorted[processes - 1].ofMedians,
      subjectNs: middle.guarded[1] * 1e6,
      referenceNs: middle.bare[1] * 1e6,
    });
  }
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");

const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.version}`;
const date = new Date().toISOString().slice(0, 10);
if (values.json) console.log(JSON.stringify({ date, machine, processes, rows: measured }));
else console.log(table(measured));
if (values.write) {
  writeFileSync(new URL("../docs/benchmarks.md", import.meta.url), page(measured));
}

function table(lines) {
  const cells = [
    ["what", "median", "lowest to highest", "goal", "ns", "reference ns"],
    ...lines.map((line) => [
      line.name,
      `${shown(line.median)} ${line.unit}`,
      `${shown(line.lowest)} to ${shown(line.highest)}`,
      line.goal === undefined ? "none" : `${line.goal}`,
      String(Math.round(line.subjectNs)),
      String(Math.round(line.referenceNs)),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`)
    .toSpliced(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`)
    .join("\n");
}

function shown(value) {
  return value.toFixed(Math.abs(value) < 1 ? 3 : 2);
}

function page(lines) {
  return `# Benchmarks

Written by \`npm run bench -- --write\` on ${date}: ${machine}.

Each row is a ratio to a reference taken in the same process, side by side in ${15} rounds (the
engine's streams: in 300 pairs, 30 and 5). The median of a process is its middle round; the table
gives the middle of ${processes} fresh processes, and the lowest and highest. C is \`structuredClone\` of the same arguments, P is \`JSON.parse\` of the same text.
A goal that is missed is shown as it is. Compare ratios, not nanoseconds: the machine is shared.

${table(lines)}
`;
}
