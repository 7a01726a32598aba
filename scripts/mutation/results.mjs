import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linesOf, reachedIn, readLog } from "./log.mjs";

/** @typedef {import("./mutants.mjs").Mutant & { id: number }} Numbered */
/** @typedef {"killed" | "survived" | "equivalent" | "not reached" | "at load" | "not tried"} State */

/** Mutants that nobody can tell from the source, with the reason. */
const listed = fileURLToPath(new URL("./equivalent.json", import.meta.url));

/** @typedef {{ file: string, original: string, replacement: string, kind: string, why: string }} Equivalent */

/** @param {string} folder */
export function resultsIn(folder) {
  /** @type {Numbered[]} */
  const mutants = JSON.parse(readFileSync(join(folder, "mutants.json"), "utf8"));
  /** @type {Equivalent[]} */
  const equivalents = JSON.parse(readFileSync(listed, "utf8"));
  const log = readLog(folder);
  const tests = reachedIn(folder);
  const reached = new Set(tests.flatMap(({ ids }) => ids));
  const waiting = new Set(tests.flatMap(({ test }) => log.waitingOf(test)));
  const loaded = new Set(linesOf(join(folder, "loaded.jsonl")).flatMap((line) => JSON.parse(line)));
  const all = mutants.map((mutant) => {
    const { id, file, original, replacement, kind } = mutant;
    const why = equivalents.find(
      (each) =>
        each.file === file &&
        each.original === original &&
        each.replacement === replacement &&
        each.kind === kind,
    )?.why;
    return { ...mutant, state: stateOf(id, why), why, hangs: log.hanging.has(id) };
  });

  /** @param {number} id @param {string | undefined} why @returns {State} */
  function stateOf(id, why) {
    if (log.killed.has(id)) return "killed";
    if (why !== undefined) return "equivalent";
    if (!reached.has(id)) return loaded.has(id) ? "at load" : "not reached";
    return waiting.has(id) ? "not tried" : "survived";
  }

  const failOpen = sum(all.filter((each) => each.failOpen));
  const sample = sum(all.filter((each) => !each.failOpen));
  const isGood = failOpen.alive + failOpen.untried === 0 && sample.share >= 0.97;
  return { mutants: all, failOpen, sample, isGood };
}

/** Counts mutants by state. The share is that of the mutants that were tried and could be killed. @param {readonly { state: State }[]} mutants */
function sum(mutants) {
  const count = (/** @type {State} */ state) =>
    mutants.filter((each) => each.state === state).length;
  const [killed, equivalent, atLoad] = [count("killed"), count("equivalent"), count("at load")];
  const untried = count("not tried");
  const counted = mutants.length - equivalent - atLoad - untried;
  return {
    all: mutants.length,
    killed,
    equivalent,
    atLoad,
    untried,
    alive: counted - killed,
    share: counted === 0 ? 1 : killed / counted,
  };
}
