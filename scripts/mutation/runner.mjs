// Vitest's runner, which runs each test again for each mutant that it reaches. Modules stay loaded.
import { appendFileSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { TestRunner } from "vitest";
import { readLog } from "./log.mjs";
import { Endless, Turnstile, turnsFor, withinTurns } from "./patience.mjs";

const { TOOLSTILE_MUTATION: folder = "", TOOLSTILE_MUTANT_ALONE: given } = process.env;
/** The mutant that is on from the start, while modules load. Each test then runs once, and nothing is noted. */
const alone = given === undefined ? undefined : Number(given);
const isRecording = !existsSync(join(folder, "recorded"));
const isKilling = !isRecording && alone === undefined;

/** @type {Set<number> | undefined} */
let reached;
let active = alone ?? -1;
const turnstile = new Turnstile();
/** Mutants that are reached while modules load. @type {Set<number>} */
const whileLoading = new Set();
/** The files that the runner has told of those. */
let toldOfLoading = 0;

Object.assign(globalThis, {
  mutantIsOn: isRecording
    ? (/** @type {number} */ id) => {
        (reached ?? whileLoading).add(id);
        return false;
      }
    : (/** @type {number} */ id) => {
        turnstile.pass();
        return id === active;
      },
});

const state = isKilling ? readLog(folder) : undefined;
const log = openSync(join(folder, "log"), "a");
/** @param {...(string | number)} words */
const note = (...words) => void writeSync(log, `${words.join(" ")}\n`);
if (isKilling) note("p", process.pid);

/** One test that is being run for its mutants. */
class Trial {
  /** @param {{ id: string }} test */
  constructor(test) {
    this.id = test.id;
    this.waiting = state?.waitingOf(this.id) ?? [];
    /** The mutant of this turn; none where the test runs as it is, or is over. @type {number | undefined} */
    this.mutant = undefined;
    /** The mutant that the last turn killed, unless the test fails without it too. @type {number | undefined} */
    this.suspect = undefined;
    /** True if the test did not end for the suspect. */
    this.isEndless = false;
    this.isOver = false;
    /** The longest that the test took as it is, and how often it then passed a place. */
    this.baseline = 0;
    this.passed = 0;
    this.turn = -1;
    this.began = 0;
  }

  begin() {
    this.turn++;
    this.began = performance.now();
    this.mutant = undefined;
    turnstile.open();
    // Twice as it is: a test may be one that can be run only once in a process.
    if (this.isOver || this.turn < 2 || this.suspect !== undefined) return;
    let next = this.waiting.shift();
    while (next !== undefined && state?.isSettled(next)) next = this.waiting.shift();
    if (next === undefined) this.isOver = true;
    else {
      this.mutant = next;
      note("s", next, this.id, Math.round(Math.max(4_000, 10 * this.baseline)));
    }
    active = next ?? -1;
    turnstile.open(100_000 + 100 * this.passed);
  }

  /** @param {boolean} hasFailed @param {boolean} isLate */
  end(hasFailed, isLate) {
    active = -1;
    const isEndless = isLate || turnstile.isShut;
    const { passed } = turnstile;
    turnstile.open();
    if (this.isOver) return;
    const failed = hasFailed || isEndless;
    const took = Math.round(performance.now() - this.began);
    const { mutant, suspect } = this;
    if (mutant !== undefined) {
      if (failed) {
        this.suspect = mutant;
        this.isEndless = isEndless;
      } else {
        note("a", mutant, this.id, took);
        state?.spend(mutant, took);
      }
      return;
    }
    if (suspect !== undefined) {
      note(failed ? "u" : "k", suspect, this.id, this.isEndless ? "endless" : "");
    }
    if (suspect !== undefined && !failed) state?.kill(suspect);
    this.suspect = undefined;
    this.baseline = Math.max(this.baseline, took);
    this.passed = Math.max(this.passed, passed);
    if (failed) {
      // A mutant, or what the test itself has left behind, makes it fail.
      note(suspect === undefined ? "o" : "f", -1, this.id);
      this.isOver = true;
    }
  }
}

export default class MutationRunner extends TestRunner {
  /** @type {Trial | undefined} */
  #trial;
  #began = 0;
  /** True if the test did not end for the mutant of this turn. */
  #isLate = false;

  /** @override @param {any} test The type that Vitest declares here differs from that of its other hooks. */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    if (test.mode !== "run" && test.mode !== "queued") return;
    if (!isKilling) return;
    this.#trial = new Trial(test);
    const { waiting } = this.#trial;
    if (waiting.length === 0) test.mode = "skip";
    // A kill is followed by a turn without a mutant.
    else test.repeats = 2 * waiting.length + 2;
  }

  /** @override @param {any} test */
  onBeforeTryTask(test) {
    super.onBeforeTryTask(test);
    if (alone !== undefined) return;
    test.result.state = "run";
    test.result.errors = undefined;
    if (isRecording) reached = new Set();
    this.#isLate = false;
    this.#trial?.begin();
    this.#began = performance.now();
  }

  /** @param {any} test */
  async runTask(test) {
    const act = TestRunner.getTestFn(test);
    const trial = this.#trial;
    if (trial?.isOver === true) return;
    const turns = trial?.mutant === undefined ? Infinity : turnsFor(trial.baseline);
    try {
      await withinTurns(act, turns);
    } catch (error) {
      this.#isLate = error instanceof Endless;
      throw error;
    }
  }

  /** @override @param {any} test */
  onAfterTryTask(test) {
    if (this.#trial?.isOver !== true) super.onAfterTryTask(test);
  }

  /** @param {any} test */
  onAfterRetryTask(test) {
    if (alone !== undefined) return;
    const failed = test.result.state === "fail";
    if (!isRecording) {
      this.#trial?.end(failed, this.#isLate);
      test.result.state = "pass";
      return;
    }
    const ids = [...(reached ?? [])];
    reached = undefined;
    const took = Math.round((performance.now() - this.#began) * 10) / 10;
    const { id, file } = test;
    const line = { test: id, file: file.filepath, name: test.fullName, took, failed, ids };
    appendFileSync(join(folder, "reached.jsonl"), `${JSON.stringify(line)}\n`);
  }

  /** @override */
  onAfterRunFiles() {
    super.onAfterRunFiles();
    if (!isRecording || whileLoading.size === toldOfLoading) return;
    toldOfLoading = whileLoading.size;
    appendFileSync(join(folder, "loaded.jsonl"), `${JSON.stringify([...whileLoading])}\n`);
  }
}
