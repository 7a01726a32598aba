import { spawn } from "node:child_process";
import { appendFileSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../processes.mjs";
import { environmentOf, failedIn, linesOf, reachedIn, readLog } from "./log.mjs";
import { processorTimeOf } from "./patience.mjs";

/** @typedef {import("./log.mjs").Effort} Effort */

const config = fileURLToPath(new URL("./vitest.config.mjs", import.meta.url));
/** A process that sleeps for so long is not waiting for anything that comes. */
const longestSleep = 60_000;
/** So many tests may fail, and then take no part. */
const mostFailures = 5;
/** All tests take a minute, and several where the machine has other work. */
const longestLoad = 1_200_000;

/** Ends a process and those that it started. @param {import("node:child_process").ChildProcess} child */
function end(child) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is over already.
  }
}

/**
 * Runs core's tests, and looks every second whether they are to be ended.
 *
 * @param {string} folder
 * @param {() => boolean} isEnough
 * @param {Record<string, string>} [environment]
 * @returns {Promise<number | null>} The exit code; null if they were ended.
 */
async function runTests(folder, isEnough, environment = {}) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--config", config], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...environment, TOOLSTILE_MUTATION: folder, NO_COLOR: "1" },
  });
  child.stderr?.resume();
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = () => end(child);
  process.once("exit", stop);
  const leave = () => {
    stop();
    process.exit(143);
  };
  process.once("SIGTERM", leave);
  const timer = setInterval(() => {
    if (isEnough()) end(child);
  }, 1_000);
  const code = await ended;
  clearInterval(timer);
  process.off("exit", stop);
  process.off("SIGTERM", leave);
  return code;
}

/**
 * Runs each test once as it is, and notes which mutants it reaches.
 *
 * @param {string} folder
 * @param {number} until
 * @param {(text: string) => void} say
 * @returns {Promise<boolean>} False if there was not enough time.
 */
export async function record(folder, until, say) {
  const recorded = join(folder, "recorded");
  if (existsSync(recorded)) return true;
  for (const name of ["reached.jsonl", "loaded.jsonl", "log"])
    rmSync(join(folder, name), { force: true });
  say("running all tests once");
  await runTests(folder, () => Date.now() > until);
  if (Date.now() > until) return false;
  const [reached, failed] = [reachedIn(folder), failedIn(folder)];
  if (reached.length === 0 || failed.length > mostFailures) {
    throw new Error(`The tests must pass first: ${failed.join("; ") || "none ran"}`);
  }
  if (failed.length > 0) say(`these fail, and take no part: ${failed.join("; ")}`);
  writeFileSync(recorded, "");
  say(`${reached.length} tests reach mutants`);
  return true;
}

/** The mutant and test that were begun last, if they were not ended. @param {string} path */
function begunIn(path) {
  const [sign, mutant, test, limit] = linesOf(path).at(-1)?.split(" ") ?? [];
  return sign === "s" ? { mutant, test, limit: Number(limit) } : undefined;
}

/** The process that runs the tests. @param {string} path */
function workerIn(path) {
  const line = linesOf(path).findLast((each) => each.startsWith("p "));
  return Number(line?.slice(2));
}

/**
 * Tells whether a test keeps its process busy, or asleep, for longer than it may.
 *
 * A busy machine makes a test late, so what counts is the time of the processor that the process has had.
 *
 * @param {string} path
 */
function hangWatch(path) {
  let [size, since, spent] = [-1, 0, 0];
  return () => {
    const now = existsSync(path) ? statSync(path).size : 0;
    const used = processorTimeOf(workerIn(path));
    if (now !== size) {
      [size, since, spent] = [now, Date.now(), used ?? 0];
      return undefined;
    }
    const begun = begunIn(path);
    if (begun === undefined) return undefined;
    const slept = Date.now() - since > begun.limit + longestSleep;
    return slept || (used !== undefined && used - spent > begun.limit) ? begun : undefined;
  };
}

/** Runs tests for mutants in one process, until time is up or a test does not end. @param {string} folder @param {Effort} effort @param {number} until */
async function runForMutants(folder, effort, until) {
  const path = join(folder, "log");
  const hanging = hangWatch(path);
  const note = (/** @type {ReturnType<typeof begunIn>} */ begun) => {
    if (begun !== undefined) appendFileSync(path, `h ${begun.mutant} ${begun.test}\n`);
    return begun !== undefined;
  };
  const isEnough = () => note(hanging()) || Date.now() > until;
  const code = await runTests(folder, isEnough, environmentOf(effort));
  // A mutant may also end the process, as one that sends a signal does.
  if (code !== null) note(begunIn(path));
}

/**
 * Runs each test again for each mutant that it reaches and nothing has killed.
 *
 * @param {string} folder
 * @param {Effort} effort
 * @param {number} until
 * @param {(text: string) => void} say
 * @returns {Promise<boolean>} False if there was not enough time.
 */
export async function kill(folder, effort, until, say) {
  const waiting = () => {
    const log = readLog(folder, effort);
    return reachedIn(folder).reduce((sum, { test }) => sum + log.waitingOf(test).length, 0);
  };
  let left = waiting();
  for (let idle = 0; left > 0 && idle < 2 && Date.now() < until; ) {
    say(`${left} runs of tests are left, ${readLog(folder, effort).killed.size} mutants killed`);
    await runForMutants(folder, effort, until);
    const now = waiting();
    idle = now === left ? idle + 1 : 0;
    left = now;
  }
  return left === 0;
}

/**
 * Tries again each mutant that is killed because a test did not end: that test alone, in a new process, in which no
 * other mutant can have left anything behind. Where the test ends then, the mutant is not killed by it.
 *
 * @param {string} folder
 * @param {Effort} effort
 * @param {number} until
 * @param {(text: string) => void} say
 * @returns {Promise<number | undefined>} How many of them are not killed; undefined if there was not enough time.
 */
export async function repeatEndless(folder, effort, until, say) {
  const path = join(folder, "log");
  for (let ended = 0; ; ) {
    const { endless, repeated, killed } = readLog(folder, effort);
    const waiting = [...endless].filter((id) => !repeated.has(id) && killed.get(id) !== "alone");
    const [again] = waiting;
    if (again === undefined) return ended;
    if (Date.now() > until) return undefined;
    say(`${waiting.length} mutants for which a test did not end are tried again`);
    const before = linesOf(path).length;
    await runForMutants(folder, { ...effort, again }, until);
    if (Date.now() > until) return undefined;
    const lines = linesOf(path).slice(before);
    const isKilled = lines.some(
      (line) => /^[kh] /.test(line) && Number(line.split(" ")[1]) === again,
    );
    if (!isKilled) ended++;
    appendFileSync(path, isKilled ? `e ${again}\n` : `r ${again} ${killed.get(again)}\n`);
  }
}

/**
 * Tries mutants that have a process each, in which they are on from the start: those that run while
 * modules load, and those that a test reaches which can be run only once in a process.
 *
 * @param {string} folder
 * @param {ReadonlyMap<number, readonly string[] | undefined>} mutants With the files of their tests; all files, if there are none.
 * @param {number} until
 * @param {(text: string) => void} say
 * @returns {Promise<boolean>} False if there was not enough time.
 */
export async function killAlone(folder, mutants, until, say) {
  let left = mutants.size;
  /** The files whose tests pass as they are: looked at once, for all of their mutants. @type {Set<string>} */
  const passing = new Set();
  for (const [id, files] of mutants) {
    if (Date.now() > until) return false;
    say(`${left--} mutants with a process of their own are left`);
    const late = Date.now() + longestLoad;
    const isEnough = () => Date.now() > Math.min(until, late);
    const run = (/** @type {number} */ mutant) =>
      runTests(folder, isEnough, {
        TOOLSTILE_MUTANT_ALONE: String(mutant),
        ...(files && { TOOLSTILE_MUTATION_FILES: JSON.stringify(files) }),
      });
    const code = await run(id);
    if (code === null && Date.now() < late) return false;
    const own = JSON.stringify(files ?? "all");
    if (code !== 0 && !passing.has(own) && (await run(-1)) === 0) passing.add(own);
    // It must fail twice: what fails once may do so because the machine is busy.
    const isKilled = code !== 0 && passing.has(own) && (code === null || (await run(id)) !== 0);
    if (Date.now() > until) return false;
    const line = isKilled ? `k ${id} alone${code === null ? " endless" : ""}` : `l ${id}`;
    appendFileSync(join(folder, "log"), `${line}\n`);
  }
  return true;
}
