#!/usr/bin/env node
// Measures every row in fresh processes, and prints a table of ratios. See options.mjs, or --help.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { barsOf } from "./bars.mjs";
import { runDay } from "./day/run.mjs";
import { readOptions, UsageError, usage } from "./options.mjs";
import { page, peerTable, table } from "./page.mjs";
import { ourFiles, peerFiles } from "./rows.mjs";
import { runScale } from "./scale/run.mjs";

const execute = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

async function run(options) {
  const started = Date.now();
  const planned = await planOf(options);
  if (planned.length === 0) throw new UsageError("No row has a name that --only fits.");
  const measured = [];
  for (const [index, plan] of planned.entries()) {
    progress(`${index + 1}/${planned.length} ${plan.title} …`);
    measured.push(...(await plan.measure()));
  }
  progress("");

  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.version}`,
    processes: options.processes,
    clock: options.cpu ? "processor" : "wall",
    minutes: Number(((Date.now() - started) / 60_000).toFixed(1)),
    rows: measured.filter(({ isPeer }) => !isPeer),
    peers: measured.filter(({ isPeer }) => isPeer),
  };
  if (options.json) console.log(JSON.stringify(report));
  else console.log(tablesOf(report).join("\n\n"));
  if (options.write) {
    const written = page(report);
    writeFileSync(here("../docs/benchmarks.md"), written);
    writeFileSync(here("../docs/benchmarks.svg"), barsOf(written));
  }
}

function tablesOf({ rows, peers }) {
  const tables = [rows.length > 0 && table(rows), peers.length > 0 && peerTable(peers)];
  return tables.filter((made) => made !== false);
}

/** Lists the measurements, one step after the other. */
async function planOf(options) {
  const files = [...ourFiles, ...(options.peers ? peerFiles : [])];
  const plans = [];
  for (const file of files) {
    const { rows } = await import(new URL(file, import.meta.url).href);
    for (const [index, row] of rows.entries()) {
      if (!options.only.test(row.name)) continue;
      plans.push({ title: row.name, measure: () => measureRow(file, index, row, options) });
    }
  }
  const streams = ofStreams.filter(({ name }) => options.only.test(name));
  if (streams.length > 0) {
    plans.push({ title: "engine's streams", measure: () => measureStreams(streams, options) });
  }
  return plans;
}

async function measureRow(file, index, row, { processes, cpu }) {
  const runs = await inFreshProcesses(processes, "measure.mjs", [
    file,
    String(index),
    ...(cpu ? ["cpu"] : []),
  ]);
  const sorted = runs.toSorted((one, other) => one.ratio - other.ratio);
  const middle = sorted[processes >> 1];
  return [
    {
      name: row.name,
      ...(peerFiles.includes(file) ? { isPeer: true } : {}),
      ...(row.version === undefined ? {} : { version: row.version }),
      unit: row.reference.unit,
      ...(row.measures === undefined ? {} : { measures: row.measures }),
      goal: row.goal,
      median: middle.ratio,
      lowest: sorted[0].ratio,
      highest: sorted[processes - 1].ratio,
      subject: middle.subject,
      reference: middle.reference,
    },
  ];
}

/** The cost of the engine for a stream: all of it is measured in one process, side by side with the bare one. */
const ofStreams = [
  ["time to the first text of an answer", 1.2, ({ firstChunkMs }) => firstChunkMs],
  ["2,000 deltas, read to the end", 1.2, ({ twoThousandDeltasMs }) => twoThousandDeltasMs],
  ["200 streams of 200 deltas at once", 1.2, ({ twoHundredAtOnceMs }) => twoHundredAtOnceMs],
].map(([what, goal, read]) => ({ name: `engine's stream, ${what}`, goal, read }));

async function measureStreams(streams, { processes }) {
  const runs = await inFreshProcesses(processes, "engine-streams.mjs", ["--json"]);
  return streams.map(({ name, goal, read }) => {
    const sorted = runs.map(read).toSorted((one, other) => one.ofMedians - other.ofMedians);
    const middle = sorted[processes >> 1];
    return {
      name,
      unit: "of a bare fetch",
      goal,
      median: middle.ofMedians,
      lowest: sorted[0].ofMedians,
      highest: sorted[processes - 1].ofMedians,
      subject: middle.guarded[1] * 1e6,
      reference: middle.bare[1] * 1e6,
    };
  });
}

/** One after the other, so that none has less of the machine. A framework's warnings are not what is measured. */
async function inFreshProcesses(count, program, words) {
  const runs = [];
  for (let run = 0; run < count; run++) {
    const { stdout } = await execute(process.execPath, ["--no-warnings", here(program), ...words], {
      maxBuffer: 1 << 26,
    });
    runs.push(JSON.parse(stdout));
  }
  return runs;
}

function progress(text) {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\x1b[K${text.slice(0, process.stderr.columns)}`);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else if (!options.scale && !options.day) await run(options);
  else if (!(await (options.day ? runDay : runScale)(options, progress))) process.exitCode = 1;
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${error.message}\nTry --help.\n` : `${error.stack ?? error}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
