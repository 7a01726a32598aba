// npm run bench -- --scale: measures how costs grow, and says where one grows faster than it may.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { allCurves } from "./curves.mjs";
import { exponents, growthOf, tooSteep } from "./fit.mjs";
import { page, table } from "./page.mjs";
import { plot } from "./plot.mjs";

const execute = promisify(execFile);
const docs = new URL("../../docs/", import.meta.url);

/** A curve that is measured too steep is measured again: another program may have had the processor's caches. */
const tries = 3;

/**
 * @param {{ only: RegExp, json: boolean, write: boolean, check: boolean }} options
 * @param {(text: string) => void} progress
 * @returns {Promise<boolean>} Whether each curve grows as it may.
 */
export async function runScale(options, progress) {
  const files = await allCurves();
  const planned = files.flatMap(({ file, curves }) =>
    curves.flatMap((curve, index) =>
      options.only.test(curve.name) && (!options.check || curve.checked !== undefined)
        ? [{ file, index, curve, sizes: (options.check && curve.checked) || curve.sizes }]
        : [],
    ),
  );
  const measured = [];
  // Those that seem too steep are measured again once nothing else is.
  const early = options.check ? await Promise.all(inPairs(planned)) : [];
  for (const [position, plan] of planned.entries()) {
    progress(`${position + 1}/${planned.length} ${plan.curve.name} …`);
    measured.push(await measuredCurve(plan, early[position]));
  }
  progress("");
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.version}`,
    curves: measured,
  };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `${table(measured)}\n`);
  const steep = measured.filter(({ problem }) => problem !== undefined);
  for (const { name, problem } of steep) process.stderr.write(`${name}: ${problem}\n`);
  if (options.write) write(report);
  return steep.length === 0;
}

/** Measures two curves at a time, which is enough to say of most that they are not too steep. */
function inPairs(planned) {
  const lanes = [Promise.resolve(), Promise.resolve()];
  return planned.map(({ file, index, sizes }, position) => {
    const measured = lanes[position % 2].then(() => pointsOf(file, index, sizes));
    lanes[position % 2] = measured;
    return measured;
  });
}

async function measuredCurve({ file, index, curve, sizes }, early) {
  let points = early ?? (await pointsOf(file, index, sizes));
  let problem = tooSteep(points, curve.growth);
  for (let turn = early ? 0 : 1; problem !== undefined && turn < tries; turn++) {
    points = await pointsOf(file, index, sizes);
    problem = tooSteep(points, curve.growth);
  }
  const { name, against, growth, unit } = curve;
  return {
    file,
    name,
    against,
    growth,
    unit,
    points,
    fitted: growthOf(points),
    exponents: exponents(points),
    problem,
  };
}

/** In a process of its own, which has the heap and the optimised code of this curve alone. */
async function pointsOf(file, index, sizes) {
  const program = fileURLToPath(new URL("measure.mjs", import.meta.url));
  const words = ["--no-warnings", program, file, String(index), ...sizes.map(String)];
  const { stdout } = await execute(process.execPath, words, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n") + 1));
}

function write(report) {
  const plots = new URL("scale/", docs);
  mkdirSync(plots, { recursive: true });
  const areas = grouped(report.curves);
  for (const [file, curves] of areas) {
    writeFileSync(new URL(file.replace(/\.mjs$/, ".svg"), plots), plot(curves));
  }
  writeFileSync(new URL("scale.md", docs), page(report, [...areas]));
}

function grouped(curves) {
  const areas = new Map();
  for (const curve of curves) areas.set(curve.file, [...(areas.get(curve.file) ?? []), curve]);
  return areas;
}
