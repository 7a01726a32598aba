// How long a test may take for a mutant, told without a look at the clock alone: a machine that is
// busy with other things makes a test late, and not endless.
import { readFileSync } from "node:fs";

const { setTimeout, clearTimeout } = globalThis;
/** Milliseconds between two looks. */
const step = 20;

/** The turns of a minute, at least: what other processes and the system do for a test takes long on a busy machine. */
const turnsOutside = 60_000 / step;

/**
 * Waits for what a function begins until the process has had so many turns.
 *
 * All that is due is done in each turn of the event loop. What is not over after that many is waiting for
 * something that will not come, unless that comes from outside of the process.
 *
 * @template Value
 * @param {() => PromiseLike<Value> | Value} begin
 * @param {number} turns
 * @returns {Promise<Value>}
 */
export function withinTurns(begin, turns) {
  const before = heldOutside();
  /** @type {Promise<Value>} */
  const pending = new Promise((resolve) => resolve(begin()));
  return new Promise((resolve, reject) => {
    let passed = 0;
    /** @type {NodeJS.Timeout} */
    let timer;
    const look = () => {
      const most = heldOutside() > before ? Math.max(turns, turnsOutside) : turns;
      if (passed >= most) reject(new Endless());
      else timer = setTimeout(look, step);
      passed++;
    };
    look();
    pending.then(resolve, reject);
    const stop = () => clearTimeout(timer);
    pending.then(stop, stop);
  });
}

/** The number of files, processes and connections that the process waits for. */
function heldOutside() {
  const ownTimers = ["Timeout", "Immediate"];
  return process.getActiveResourcesInfo().filter((kind) => !ownTimers.includes(kind)).length;
}

/** The turns for a test that takes so many milliseconds as it is. @param {number} took */
export function turnsFor(took) {
  return Math.ceil((2_000 + 10 * took) / step);
}

/** A test does not end. */
export class Endless extends Error {
  constructor() {
    super("the test does not end");
  }
}

/** Counts how often code passes, and throws where a loop does not end. */
export class Turnstile {
  #passed = 0;
  #most = Number.POSITIVE_INFINITY;
  /** True if it has thrown. */
  isShut = false;

  /** Begins to count. @param {number} [most] */
  open(most = Number.POSITIVE_INFINITY) {
    this.#passed = 0;
    this.#most = most;
    this.isShut = false;
  }

  get passed() {
    return this.#passed;
  }

  pass() {
    this.#passed++;
    if (this.#passed <= this.#most) return;
    this.isShut = true;
    throw new Endless();
  }
}

/**
 * The processor time of a process in milliseconds; none where the system does not tell.
 *
 * @param {number} pid
 * @returns {number | undefined}
 */
export function processorTimeOf(pid) {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may have spaces.
    const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
    // Of the user and of the system, in hundredths of a second.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}
