import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A test as it was recorded: the mutants whose place it reaches, and how long it takes.
 *
 * @typedef {{ test: string, file: string, name: string, took: number, failed: boolean, ids: number[] }} Reached
 */

/** @param {string} path @returns {string[]} */
export function linesOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

/** @param {string} folder @returns {Reached[]} */
export function reachedIn(folder) {
  return linesOf(join(folder, "reached.jsonl")).map((line) => JSON.parse(line));
}

/** A test that has not ended for so many mutants is run for no more. */
const mostHangs = 1;

/** The results so far. They are read again after a process that had to be ended. */
export class MutationLog {
  /** By mutant, the test that killed it. @type {Map<number, string>} */
  killed = new Map();
  /** Mutants that a test did not end for. @type {Set<number>} */
  hanging = new Set();
  /** By mutant, the milliseconds of tests that did not kill it. @type {Map<number, number>} */
  spent = new Map();
  /** Tests that did not kill a mutant: `id test`. @type {Set<string>} */
  #tried = new Set();
  /** Mutants that a test failed for, and then failed without. @type {Map<number, number>} */
  #unsure = new Map();
  /** By test, the mutants that it did not end for. @type {Map<string, number>} */
  #hangs = new Map();
  /** The mutant and test that were begun and not ended. @type {{ mutant: number, test: string, limit: number } | undefined} */
  begun;
  /** By test, the mutants that it reaches. @type {ReadonlyMap<string, readonly number[]>} */
  #reached;
  #budget;

  /**
   * @param {readonly Reached[]} reached
   * @param {readonly string[]} lines
   * @param {number} [budget] Milliseconds of tests for one mutant.
   * @param {number} [tests] Tests for one mutant, those that are quick and reach little else.
   */
  constructor(reached, lines, budget = Number.POSITIVE_INFINITY, tests = Number.POSITIVE_INFINITY) {
    this.#reached = likeliest(reached, tests);
    this.#budget = budget;
    for (const line of lines) this.#read(line);
  }

  /** @param {string} line */
  #read(line) {
    const [sign, number, test = "", last] = line.split(" ");
    const mutant = Number(number);
    if (sign === "s") this.begun = { mutant, test, limit: Number(last) };
    else this.begun = undefined;
    if (sign === "k") this.kill(mutant, test);
    if (sign === "a") {
      this.#tried.add(`${mutant} ${test}`);
      this.spend(mutant, Number(last));
    }
    if (sign === "h") {
      this.hanging.add(mutant);
      this.#hangs.set(test, (this.#hangs.get(test) ?? 0) + 1);
      this.kill(mutant, test);
    }
    if (sign === "u") {
      const times = (this.#unsure.get(mutant) ?? 0) + 1;
      this.#unsure.set(mutant, times);
      // In a process of its own, too, the test fails for it: it breaks more than its own run.
      if (times === 2) this.kill(mutant, test);
    }
  }

  /** @param {number} mutant @param {string} [test] */
  kill(mutant, test = "") {
    this.killed.set(mutant, test);
  }

  /** @param {number} mutant @param {number} took */
  spend(mutant, took) {
    this.spent.set(mutant, (this.spent.get(mutant) ?? 0) + took);
  }

  /** True if nothing more is to be tried with a mutant. @param {number} mutant */
  isSettled(mutant) {
    return this.killed.has(mutant) || (this.spent.get(mutant) ?? 0) > this.#budget;
  }

  /** The mutants that a test is still to be run for. @param {string} test */
  waitingOf(test) {
    // Each hang costs a process: other tests will have to do.
    if ((this.#hangs.get(test) ?? 0) >= mostHangs) return [];
    const ids = this.#reached.get(test) ?? [];
    return ids.filter((id) => !this.isSettled(id) && !this.#tried.has(`${id} ${test}`));
  }

  /** True if a test has been run for its mutants. @param {string} test */
  isDone(test) {
    return this.waitingOf(test).length === 0;
  }
}

/**
 * By test, the mutants that it is run for: of the tests that reach a mutant, so many are the likeliest to tell of it soon.
 *
 * @param {readonly Reached[]} reached
 * @param {number} most
 */
function likeliest(reached, most) {
  const cost = (/** @type {Reached} */ { took, ids }) => ids.length * (1 + took / 50);
  const order = reached.toSorted((one, other) => cost(one) - cost(other));
  /** @type {Map<number, number>} */
  const counts = new Map();
  const chosen = order.map(({ test, ids }) => {
    const own = ids.filter((id) => (counts.get(id) ?? 0) < most);
    for (const id of own) counts.set(id, (counts.get(id) ?? 0) + 1);
    return /** @type {const} */ ([test, own]);
  });
  return new Map(chosen);
}

/** The environment says how much is to be tried: the processes that run tests have the same. @param {string} folder */
export function readLog(folder) {
  const given = (/** @type {string} */ name) =>
    Number(process.env[name] ?? Number.POSITIVE_INFINITY);
  const [budget, tests] = [given("TOOLSTILE_MUTATION_BUDGET"), given("TOOLSTILE_MUTATION_TESTS")];
  return new MutationLog(reachedIn(folder), linesOf(join(folder, "log")), budget, tests);
}
