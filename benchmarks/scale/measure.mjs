// One curve in one fresh process: measure.mjs <file> <index> <size>... Prints its points as JSON.
// Times are the processor's, in nanoseconds an operation, so that other work on the machine counts little.
import { curveOf } from "./curves.mjs";

const [file, index, ...sizes] = process.argv.slice(2);
const curve = await curveOf(file, Number(index));

const rounds = 7;
const roundNs = 20e6;
const longNs = 400e6;

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** @param {Extract<import("./curves.mjs").Prepared, { run: unknown }>} subject @param {number} turns */
async function timeOf({ run, before }, turns) {
  if (before === undefined) {
    const start = processorTime();
    for (let turn = 0; turn < turns; turn++) await run();
    return (processorTime() - start) / turns;
  }
  let taken = 0;
  for (let turn = 0; turn < turns; turn++) {
    await before();
    const start = processorTime();
    await run();
    taken += processorTime() - start;
  }
  return taken / turns;
}

/** The middle of some rounds of many turns; of fewer where one turn takes long. */
async function measured(subject) {
  if (subject.turns !== undefined) return middleOf(subject, subject.turns, 3);
  let turns = 1;
  let each = await timeOf(subject, 1);
  for (; each * turns < roundNs && turns < 1 << 20; turns *= 2) each = await timeOf(subject, turns);
  return middleOf(subject, turns, each > longNs ? 1 : rounds);
}

async function middleOf(subject, turns, count) {
  const values = [];
  for (let round = 0; round < count; round++) values.push(await timeOf(subject, turns));
  const sorted = values.toSorted((one, other) => one - other);
  return { value: sorted[count >> 1], lowest: sorted[0], highest: sorted[count - 1] };
}

// The first figure has code in it that was not optimised yet: it is taken and thrown away.
const first = await curve.at(Number(sizes[0]));
if (!("value" in first)) await measured(first);
await first.close?.();

const points = [];
for (const n of sizes.map(Number)) {
  const subject = await curve.at(n);
  points.push({ n, ...("value" in subject ? { value: subject.value } : await measured(subject)) });
  await subject.close?.();
}
process.stdout.write(JSON.stringify(points));
