// One row in one fresh process: prints { ratio, reference, subject } as JSON, times in nanoseconds.
import { rows } from "./rows.mjs";

const roundMs = 60;
const rounds = 15;

const row = rows[Number(process.argv[2])];
const subject = await row.setup();
const reference = row.reference.run;

// What is not used may be optimised away.
let used = 0;

/** Nanoseconds a turn, over so many turns. */
async function time(run, turns) {
  const awaited = run() instanceof Promise;
  const start = process.hrtime.bigint();
  if (awaited) for (let turn = 0; turn < turns; turn++) used += (await run()) === undefined ? 0 : 1;
  else for (let turn = 0; turn < turns; turn++) used += run() === undefined ? 0 : 1;
  return Number(process.hrtime.bigint() - start) / turns;
}

/** As many turns as fill a round, after enough of them to be warm. */
async function turnsOf(run) {
  let turns = 64;
  for (let taken = 0; taken < (roundMs * 1e6) / 2; turns *= 2)
    taken = (await time(run, turns)) * turns;
  const each = await time(run, turns);
  return Math.max(64, Math.round((roundMs * 1e6) / each));
}

const turns = { reference: await turnsOf(reference), subject: await turnsOf(subject) };
const results = [];
for (let round = 0; round < rounds; round++) {
  // Side by side, so that a machine that slows down slows both.
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
results.sort((a, b) => a.ratio - b.ratio);
process.stdout.write(JSON.stringify({ ...results[rounds >> 1], used: used > 0 }));
row.close?.();
