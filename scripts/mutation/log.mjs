import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A test as it was recorded: the mutants whose place it reaches, and how long it takes.
 *
 * @typedef {{ test: string, file: string, name: string, took: number, failed: boolean, ids: number[] }} Reached
 */

/**
 * How much is tried.
 *
 * @typedef {object} Effort
 * @property {number} budget Milliseconds of tests for one mutant.
 * @property {number} tests Tests for one mutant, the likeliest first.
 * @property {number} [again] The one mutant that is tried again with the test that did not end for it.
 */

/** @param {string} path @returns {string[]} */
export function linesOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

/** @param {string} folder @returns {Reached[]} */
function recordedIn(folder) {
  return linesOf(join(folder, "reached.jsonl")).map((line) => JSON.parse(line));
}

/** The tests that pass as they are. @param {string} folder */
export function reachedIn(folder) {
  return recordedIn(folder).filter(({ failed }) => !failed);
}

/** The names of the tests that fail as they are. @param {string} folder */
export function failedIn(folder) {
  return recordedIn(folder).flatMap(({ failed, name }) => (failed ? [name] : []));
}

/** By mutant, the test that killed it in an earlier run, of another source it may be. @param {string} folder @returns {Map<number, string>} */
function killersIn(folder) {
  const path = join(folder, "killers.json");
  return new Map(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []);
}

/** The mutants that are listed as equivalent. @param {string} folder @returns {number[]} */
function listedIn(folder) {
  const path = join(folder, "listed.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

/** A test that had to be ended with its process for so many mutants is run for no more. */
const mostHangs = 3;

/** The results so far. They are read again after a process that had to be ended. */
export class MutationLog {
  /** By mutant, the test that killed it. @type {Map<number, string>} */
  killed = new Map();
  /** Mutants that are killed because a test did not end. @type {Set<number>} */
  endless = new Set();
  /** Those of them for which the test did not end again, alone in a new process. @type {Set<number>} */
  repeated = new Set();
  /** Mutants that the compiler refuses. @type {Set<number>} */
  refused = new Set();
  /** Mutants that the compiler takes. @type {Set<number>} */
  compiled = new Set();
  /** Mutants that no test killed in a process of their own. @type {Set<number>} */
  harmlessAlone = new Set();
  /** Tests that can be run only once in a process. @type {Set<string>} */
  once = new Set();
  /** By mutant, the milliseconds of tests that did not kill it. @type {Map<number, number>} */
  spent = new Map();
  /** Tests that did not kill a mutant: `id test`. @type {Set<string>} */
  #tried = new Set();
  /** Mutants that a test failed for, and then failed without. @type {Map<number, number>} */
  #unsure = new Map();
  /** By test, the mutants for which its process had to be ended. @type {Map<string, number>} */
  #hangs = new Map();
  /** By test, the mutants that it reaches. @type {ReadonlyMap<string, readonly number[]>} */
  #reached;
  #budget;
  #again;
  /** Mutants that are listed as equivalent, and were tried with the likeliest tests. @type {ReadonlySet<number>} */
  #listed;
  /** The test that did not end for the mutant which is tried again. @type {string | undefined} */
  #testAgain;

  /**
   * @param {readonly Reached[]} reached
   * @param {readonly string[]} lines
   * @param {Effort} effort
   * @param {ReadonlyMap<number, string>} [killers]
   * @param {readonly number[]} [listed]
   */
  constructor(reached, lines, { budget, tests, again }, killers = new Map(), listed = []) {
    this.#reached = likeliest(reached, tests, killers);
    this.#budget = budget;
    this.#again = again;
    this.#listed = new Set(listed);
    for (const line of lines) this.#read(line);
  }

  /** @param {string} line */
  #read(line) {
    const [sign, number, test = "", last] = line.split(" ");
    const mutant = Number(number);
    if (sign === "k" || sign === "h") {
      if (mutant === this.#again) this.#testAgain = test;
      else this.kill(mutant, test);
      if (sign === "h" || last === "endless") this.endless.add(mutant);
    }
    if (sign === "e") this.repeated.add(mutant);
    if (sign === "r") {
      // It was not the mutant that kept the test from ending.
      for (const ids of [this.killed, this.endless, this.repeated]) ids.delete(mutant);
      this.#tried.add(`${mutant} ${test}`);
    }
    if (sign === "h") this.#hangs.set(test, (this.#hangs.get(test) ?? 0) + 1);
    if (sign === "a") {
      this.#tried.add(`${mutant} ${test}`);
      this.spend(mutant, Number(last));
    }
    if (sign === "c") this.refused.add(mutant);
    if (sign === "v") this.compiled.add(mutant);
    if (sign === "l") this.harmlessAlone.add(mutant);
    if (sign === "o") this.once.add(test);
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
    if (this.killed.has(mutant) || this.refused.has(mutant)) return true;
    if (mutant === this.#again) return false;
    if (this.#listed.has(mutant)) return true;
    return (this.spent.get(mutant) ?? 0) > this.#budget;
  }

  /** The mutants that a test is still to be run for. @param {string} test */
  waitingOf(test) {
    if (this.#again !== undefined) return test === this.#testAgain ? [this.#again] : [];
    if (this.once.has(test)) return [];
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
 * @param {ReadonlyMap<number, string>} killers
 */
function likeliest(reached, most, killers) {
  const cost = (/** @type {Reached} */ { took, ids }) => ids.length * (1 + took / 50);
  const order = reached.toSorted((one, other) => cost(one) - cost(other));
  /** @type {Map<number, number>} */
  const counts = new Map();
  const count = (/** @type {number} */ id) => counts.set(id, (counts.get(id) ?? 0) + 1);
  const isKiller = (/** @type {Reached} */ { test }, /** @type {number} */ id) =>
    killers.get(id) === test;
  for (const each of order) for (const id of each.ids) if (isKiller(each, id)) count(id);
  const chosen = order.map((each) => {
    const own = each.ids.filter((id) => {
      if (isKiller(each, id)) return true;
      if ((counts.get(id) ?? 0) >= most) return false;
      count(id);
      return true;
    });
    return /** @type {const} */ ([each.test, own]);
  });
  return new Map(chosen);
}

/** The environment says how much is to be tried: the processes that run tests have the same. @param {string} folder @param {Effort} [effort] */
export function readLog(folder, effort = effortOf(process.env)) {
  return new MutationLog(
    reachedIn(folder),
    linesOf(join(folder, "log")),
    effort,
    killersIn(folder),
    listedIn(folder),
  );
}

/** @param {NodeJS.ProcessEnv} environment @returns {Effort} */
function effortOf(environment) {
  const given = (/** @type {string} */ name) =>
    Number(environment[name] ?? Number.POSITIVE_INFINITY);
  const again = environment["TOOLSTILE_MUTATION_AGAIN"];
  return {
    budget: given("TOOLSTILE_MUTATION_BUDGET"),
    tests: given("TOOLSTILE_MUTATION_TESTS"),
    ...(again !== undefined && { again: Number(again) }),
  };
}

/** @param {Effort} effort @returns {Record<string, string>} */
export function environmentOf({ budget, tests, again }) {
  return {
    TOOLSTILE_MUTATION_BUDGET: String(budget),
    TOOLSTILE_MUTATION_TESTS: String(tests),
    ...(again !== undefined && { TOOLSTILE_MUTATION_AGAIN: String(again) }),
  };
}
