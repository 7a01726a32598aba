import { spawn } from "node:child_process";
import { appendFileSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../processes.mjs";
import { reachedIn, readLog } from "./log.mjs";

const config = fileURLToPath(new URL("./vitest.config.mjs", import.meta.url));

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
 */
async function runTests(folder, isEnough) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--config", config], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TOOLSTILE_MUTATION: folder, NO_COLOR: "1" },
  });
  child.stderr?.resume();
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
  await ended;
  clearInterval(timer);
  process.off("exit", stop);
  process.off("SIGTERM", leave);
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
  const reached = reachedIn(folder);
  const failed = reached.filter((each) => each.failed);
  if (reached.length === 0 || failed.length > 0) {
    throw new Error(
      `The tests must pass first: ${failed.map(({ name }) => name).join("; ") || "none ran"}`,
    );
  }
  writeFileSync(recorded, "");
  say(`${reached.length} tests reach mutants`);
  return true;
}

/**
 * Runs each test again for each mutant that it reaches and nothing has killed.
 *
 * @param {string} folder
 * @param {number} until
 * @param {(text: string) => void} say
 * @returns {Promise<boolean>} False if there was not enough time.
 */
export async function kill(folder, until, say) {
  const path = join(folder, "log");
  const waiting = () => {
    const log = readLog(folder);
    return reachedIn(folder).reduce((sum, { test }) => sum + log.waitingOf(test).length, 0);
  };
  let left = waiting();
  for (let idle = 0; left > 0 && idle < 2 && Date.now() < until; ) {
    say(`${left} runs of tests are left, ${readLog(folder).killed.size} mutants killed`);
    let [size, since] = [0, Date.now()];
    await runTests(folder, () => {
      const now = existsSync(path) ? statSync(path).size : 0;
      if (now !== size) [size, since] = [now, Date.now()];
      const { begun } = readLog(folder);
      const hangs = begun !== undefined && Date.now() - since > begun.limit;
      if (hangs) appendFileSync(path, `h ${begun.mutant} ${begun.test}\n`);
      return hangs || Date.now() > until;
    });
    const now = waiting();
    idle = now === left ? idle + 1 : 0;
    left = now;
  }
  return left === 0;
}
