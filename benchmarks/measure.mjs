// One row in one fresh process: measure.mjs <file of rows> <index>. Prints { ratio, reference, subject } as JSON.
// Times are in nanoseconds. A row that measures itself says what its figures are.
// With "cpu", the processor's time of this process counts in place of the clock's: for a machine with other work.
const [file, index, clock] = process.argv.slice(2);
const { rows } = await import(new URL(file, import.meta.url).href);
const row = rows[Number(index)];

// Turns of many calls vary more than calls in a loop, and their row has warmed them.
const [rounds, roundMs, warmMs] = row.callsPerTurn === undefined ? [15, 25, 120] : [21, 20, 20];

const { hrtime, cpuUsage } = process;
const now = clock === "cpu" ? processorTime : () => Number(hrtime.bigint());

function processorTime() {
  const { user, system } = cpuUsage();
  return (user + system) * 1_000;
}

// What is not used may be optimised away.
let used = 0;

/** Nanoseconds a turn, over so many turns. */
async function time(run, turns) {
  if (row.before !== undefined) return timeAfterEach(run, turns);
  const awaited = run() instanceof Promise;
  const start = now();
  if (awaited) for (let turn = 0; turn < turns; turn++) used += (await run()) === undefined ? 0 : 1;
  else for (let turn = 0; turn < turns; turn++) used += run() === undefined ? 0 : 1;
  return (now() - start) / turns;
}

/** The same where something goes before each turn, whose own time is not counted. */
async function timeAfterEach(run, turns) {
  let taken = 0;
  for (let turn = 0; turn < turns; turn++) {
    await row.before();
    const start = now();
    used += (await run()) === undefined ? 0 : 1;
    taken += now() - start;
  }
  return taken / turns;
}

/** As many turns as fill a round, after enough of them to be warm. */
async function turnsOf(run) {
  if (row.turns !== undefined) return row.turns;
  const least = row.callsPerTurn === undefined ? 64 : 2;
  let turns = least;
  for (let taken = 0; taken < warmMs * 1e6; turns *= 2) taken = (await time(run, turns)) * turns;
  const each = await time(run, turns);
  return Math.max(least, Math.round((roundMs * 1e6) / each));
}

const middle = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];

/** Side by side, so that a machine that slows down slows both; the middle round counts. */
async function sideBySide() {
  const subject = await row.setup();
  const { run: reference } = row.reference;
  const turns = { reference: await turnsOf(reference), subject: await turnsOf(subject) };
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const before = await time(reference, turns.reference >> 1);
    const taken = await time(subject, turns.subject);
    const after = await time(reference, turns.reference >> 1);
    const base = (before + after) / 2;
    results.push({
      ratio: row.difference === true ? taken - base : taken / base,
      reference: base,
      subject: taken,
    });
  }
  return results.toSorted((one, other) => one.ratio - other.ratio)[rounds >> 1];
}

/**
 * Compares what the subject adds to the bare thing with what the reference adds to it.
 *
 * A difference of two times that are nearly equal is unsteady: the middle of
 * each difference is taken over all rounds, and the ratio of these.
 */
async function added() {
  const subject = await row.setup();
  const { bare, reference } = row;
  const given = [bare, reference.run, subject, reference.bare];
  const runs = [...new Set(given)].filter((run) => run !== undefined);
  const turns = new Map();
  for (const run of runs) turns.set(run, await turnsOf(run));
  const differences = { reference: [], subject: [] };
  for (let round = 0; round < rounds; round++) {
    const taken = new Map();
    for (const run of round % 2 === 0 ? runs : runs.toReversed())
      taken.set(run, await time(run, turns.get(run)));
    const base = taken.get(bare);
    differences.subject.push(taken.get(subject) - base);
    // Where the reference has nothing to be compared with, it is the bare thing itself.
    const less = reference.run === bare ? 0 : taken.get(reference.bare ?? bare);
    differences.reference.push(taken.get(reference.run) - less);
  }
  const calls = row.callsPerTurn ?? 1;
  const [one, other] = [middle(differences.subject) / calls, middle(differences.reference) / calls];
  return { ratio: one / other, subject: one, reference: other };
}

const way = row.measure ?? (row.bare === undefined ? sideBySide : added);
process.stdout.write(JSON.stringify({ ...(await way()), used: used > 0 }));
await row.close?.();
