import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../processes.mjs";
import { refusedByCompiler } from "./compiler.mjs";
import { failedIn, linesOf, reachedIn, readLog } from "./log.mjs";

/** @typedef {import("./mutants.mjs").Mutant & { id: number }} Numbered */
/** @typedef {"killed" | "refused" | "equivalent" | "survived" | "not reached" | "not tried"} State */

/** @typedef {Pick<import("./mutants.mjs").Mutant, "file" | "within" | "kind" | "original" | "replacement">} Change */
/** @typedef {Change & { at?: string, why: string }} Explained `at` is on the line, where a function has several such changes. */

/**
 * Returns what gives the reason that a list has for a mutant: `equivalent.json` why nobody can tell it from the
 * source, `alive.json` why no test tells it.
 *
 * @param {"equivalent.json" | "alive.json"} list
 */
function whysIn(list) {
  const path = fileURLToPath(new URL(list, import.meta.url));
  /** @type {Explained[]} */
  const explained = JSON.parse(readFileSync(path, "utf8"));
  const keyed = explained.map((each) => ({ ...each, change: changeOf(each) }));
  return (/** @type {import("./mutants.mjs").Mutant} */ mutant) => {
    const change = changeOf(mutant);
    const isIt = (/** @type {typeof keyed[number]} */ each) =>
      each.change === change && (each.at === undefined || lineOf(mutant).includes(each.at));
    return keyed.find(isIt)?.why;
  };
}

/** @param {import("./mutants.mjs").Mutant} mutant */
function lineOf({ file, line }) {
  return readFileSync(join(root, file), "utf8").split("\n")[line - 1] ?? "";
}

/** What a mutant changes, and in which function. @param {Change} mutant */
const changeOf = ({ file, within, kind, original, replacement }) =>
  JSON.stringify([file, within, kind, original, replacement]);

/** @param {string} folder @returns {Numbered[]} */
export function mutantsIn(folder) {
  return JSON.parse(readFileSync(join(folder, "mutants.json"), "utf8"));
}

/**
 * Sets aside, of the mutants that live so far, what the compiler refuses and what is listed as equivalent: the tests
 * that are left would be run for them in vain.
 *
 * @param {string} folder
 * @param {import("./log.mjs").Effort} effort
 */
export function setAside(folder, effort) {
  const reasons = whysIn("equivalent.json");
  const listed = mutantsIn(folder).filter((mutant) => reasons(mutant) !== undefined);
  writeFileSync(join(folder, "listed.json"), JSON.stringify(listed.map(({ id }) => id)));
  const log = readLog(folder, effort);
  const known = [log.killed, log.refused, log.compiled];
  const live = mutantsIn(folder).filter(({ id }) => known.every((ids) => !ids.has(id)));
  const refused = refusedByCompiler(live);
  const lines = live.map((each) => `${refused.has(each) ? "c" : "v"} ${each.id}\n`);
  appendFileSync(join(folder, "log"), lines.join(""));
}

/**
 * The mutants that are to be tried in a process of their own, with the files of the tests; with all, if there are
 * none. Those are of places that run while modules load, where no switch can be turned later.
 *
 * @param {string} folder
 * @param {import("./log.mjs").Effort} effort
 * @returns {Map<number, readonly string[] | undefined>}
 */
export function waitingAlone(folder, effort) {
  const log = readLog(folder, effort);
  /** @type {Map<number, string[] | undefined>} */
  const found = new Map();
  const tests = reachedIn(folder);
  for (const { file, ids } of tests.filter(({ test }) => log.once.has(test))) {
    for (const id of ids) found.set(id, [...new Set([...(found.get(id) ?? []), file])]);
  }
  /** @type {number[]} */
  const loaded = linesOf(join(folder, "loaded.jsonl")).flatMap((line) => JSON.parse(line));
  for (const id of loaded) found.set(id, undefined);
  for (const id of [...log.killed.keys(), ...log.harmlessAlone, ...log.refused]) found.delete(id);
  const reasons = whysIn("equivalent.json");
  const mutants = mutantsIn(folder).filter(({ id }) => found.has(id));
  // First those that could let a call pass: the time may not be enough for all.
  const order = mutants.toSorted((one, other) => Number(other.failOpen) - Number(one.failOpen));
  const waiting = order.filter((mutant) => reasons(mutant) === undefined);
  return new Map(waiting.map(({ id }) => [id, found.get(id)]));
}

/**
 * @param {string} folder
 * @param {import("./log.mjs").Effort} effort
 */
export function resultsIn(folder, effort) {
  const mutants = mutantsIn(folder);
  const reasons = whysIn("equivalent.json");
  const excuses = whysIn("alive.json");
  const log = readLog(folder, effort);
  const tests = reachedIn(folder);
  const reached = new Set(tests.flatMap(({ ids }) => ids));
  const waiting = new Set(tests.flatMap(({ test }) => log.waitingOf(test)));
  const alone = waitingAlone(folder, effort);
  const found = mutants.map((mutant) => {
    const why = reasons(mutant);
    const { id } = mutant;
    const isEndless = log.endless.has(id);
    const [state, killer] = [stateOf(id, why), log.killed.get(id)];
    return { ...mutant, state, why: why ?? excuses(mutant), isEndless, killer };
  });
  const lives = found.filter(({ state }) => state === "survived" || state === "not reached");
  const refused = refusedByCompiler(lives);
  const all = found.map((each) => {
    const says = refused.get(each);
    return says === undefined
      ? each
      : { ...each, state: /** @type {State} */ ("refused"), why: says };
  });

  /** @param {number} id @param {string | undefined} why @returns {State} */
  function stateOf(id, why) {
    if (log.killed.has(id)) return "killed";
    if (why !== undefined) return "equivalent";
    if (waiting.has(id) || alone.has(id)) return "not tried";
    return reached.has(id) || log.harmlessAlone.has(id) ? "survived" : "not reached";
  }

  const stale = all.filter(({ state, why }) => state === "killed" && why !== undefined);
  const failOpen = sum(all.filter((each) => each.failOpen));
  const sample = sum(all.filter((each) => !each.failOpen));
  const isGood = failOpen.alive + failOpen.untried + stale.length === 0 && sample.share >= 0.97;
  return { mutants: all, failOpen, sample, stale, isGood, failed: failedIn(folder) };
}

/** Counts mutants by state. The share is that of the mutants that were tried and could be killed. @param {readonly { state: State, isEndless: boolean }[]} mutants */
function sum(mutants) {
  const count = (/** @type {State} */ state) =>
    mutants.filter((each) => each.state === state).length;
  const [killed, refused, equivalent] = [count("killed"), count("refused"), count("equivalent")];
  const untried = count("not tried");
  const counted = mutants.length - refused - equivalent - untried;
  const endless = mutants.filter((each) => each.state === "killed" && each.isEndless).length;
  return {
    all: mutants.length,
    killed,
    endless,
    refused,
    equivalent,
    untried,
    alive: counted - killed,
    share: counted === 0 ? 1 : killed / counted,
    /** The share if all live that were not tried in full. */
    least: counted + untried === 0 ? 1 : killed / (counted + untried),
    interval: interval(killed, counted),
  };
}

/**
 * The bounds between which the share of all lies, in 95 of 100 samples (Wilson).
 *
 * @param {number} hits
 * @param {number} size
 * @returns {readonly [number, number]}
 */
export function interval(hits, size) {
  if (size === 0) return [0, 1];
  const z = 1.96;
  const share = hits / size;
  const scale = 1 + z ** 2 / size;
  const middle = (share + z ** 2 / (2 * size)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))) / scale;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
