// Vitest's runner, which runs each test again for each mutant that it reaches. Modules stay loaded.
import { appendFileSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { TestRunner } from "vitest";
import { readLog } from "./log.mjs";

const folder = process.env["TOOLSTILE_MUTATION"] ?? "";
const isRecording = !existsSync(join(folder, "recorded"));
/** Milliseconds that a mutant may take where the test takes none. */
const shortest = 2_000;

/** @type {Set<number> | undefined} */
let reached;
let active = -1;
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
    : (/** @type {number} */ id) => id === active,
});

const state = isRecording ? undefined : readLog(folder);
const log = openSync(join(folder, "log"), "a");
/** @param {...(string | number)} words */
const note = (...words) => void writeSync(log, `${words.join(" ")}\n`);

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
    this.isOver = false;
    this.baseline = 0;
    this.turn = -1;
    this.began = 0;
  }

  begin() {
    this.turn++;
    this.began = performance.now();
    this.mutant = undefined;
    if (this.isOver || this.turn === 0 || this.suspect !== undefined) return;
    let next = this.waiting.shift();
    while (next !== undefined && state?.isSettled(next)) next = this.waiting.shift();
    if (next === undefined) this.isOver = true;
    else {
      this.mutant = next;
      note("s", next, this.id, Math.round(Math.max(4_000, 10 * this.baseline)));
    }
    active = next ?? -1;
  }

  /** @param {boolean} failed */
  end(failed) {
    active = -1;
    if (this.isOver) return;
    const took = Math.round(performance.now() - this.began);
    const { mutant, suspect } = this;
    if (mutant !== undefined) {
      if (failed) this.suspect = mutant;
      else {
        note("a", mutant, this.id, took);
        state?.spend(mutant, took);
      }
      return;
    }
    if (suspect !== undefined) note(failed ? "u" : "k", suspect, this.id);
    if (suspect !== undefined && !failed) state?.kill(suspect);
    this.suspect = undefined;
    this.baseline = Math.max(this.baseline, took);
    // A mutant, or this process, has left something behind that the test fails for.
    if (failed) {
      note("f", -1, this.id);
      this.isOver = true;
    }
  }
}

export default class MutationRunner extends TestRunner {
  /** @type {Trial | undefined} */
  #trial;
  #began = 0;

  /** @override @param {any} test The type that Vitest declares here differs from that of its other hooks. */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    if (test.mode !== "run" && test.mode !== "queued") return;
    if (isRecording) return;
    this.#trial = new Trial(test);
    const { waiting } = this.#trial;
    if (waiting.length === 0) test.mode = "skip";
    // A kill is followed by a turn without a mutant.
    else test.repeats = 2 * waiting.length + 1;
  }

  /** @override @param {any} test */
  onBeforeTryTask(test) {
    super.onBeforeTryTask(test);
    test.result.state = "run";
    test.result.errors = undefined;
    if (isRecording) reached = new Set();
    else this.#trial?.begin();
    this.#began = performance.now();
  }

  /** @param {any} test */
  async runTask(test) {
    const act = TestRunner.getTestFn(test);
    const trial = this.#trial;
    if (trial === undefined || trial.mutant === undefined) {
      if (trial?.isOver !== true) await act();
      return;
    }
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const limit = Math.max(shortest, 10 * trial.baseline);
    const late = new Promise((_, reject) => {
      timer = realTimeout(() => reject(new Error("the test does not end")), limit);
    });
    try {
      await Promise.race([act(), late]);
    } finally {
      clearRealTimeout(timer);
    }
  }

  /** @override @param {any} test */
  onAfterTryTask(test) {
    if (this.#trial?.isOver !== true) super.onAfterTryTask(test);
  }

  /** @param {any} test */
  onAfterRetryTask(test) {
    const failed = test.result.state === "fail";
    if (!isRecording) {
      this.#trial?.end(failed);
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

const { setTimeout: realTimeout, clearTimeout: clearRealTimeout } = globalThis;
