import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reachedIn, readLog } from "./log.mjs";
import { mutantsIn } from "./results.mjs";
import { namesOf } from "./sample.mjs";

/** @typedef {import("./log.mjs").Reached} Reached */

// A later run begins with what killed a mutant in this one. It is tried again: nothing is taken over.

/** By the name of a mutant, that of the test which killed it. @param {string} cache @returns {Map<string, string>} */
function memoryIn(cache) {
  const path = join(cache, "killers.json");
  return new Map(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []);
}

/** Vitest's ids of tests change with their places. @param {Reached} test */
const lastingName = ({ file, name }) => `${file.slice(file.lastIndexOf("/test/"))}: ${name}`;

/** Notes in a run's folder which test killed which of its mutants before. @param {string} cache @param {string} folder */
export function useKillers(cache, folder) {
  const memory = memoryIn(cache);
  const tests = new Map(reachedIn(folder).map((each) => [lastingName(each), each.test]));
  const mutants = mutantsIn(folder);
  const killers = namesOf(mutants).flatMap((name, at) => {
    const test = tests.get(memory.get(name) ?? "");
    return test === undefined ? [] : [[mutants[at]?.id, test]];
  });
  writeFileSync(join(folder, "killers.json"), JSON.stringify(killers));
}

/** @param {string} cache @param {string} folder */
export function rememberKillers(cache, folder) {
  const memory = memoryIn(cache);
  const tests = new Map(reachedIn(folder).map((each) => [each.test, lastingName(each)]));
  const mutants = mutantsIn(folder);
  const names = namesOf(mutants);
  const { killed } = readLog(folder);
  for (const [at, { id }] of mutants.entries()) {
    const test = tests.get(killed.get(id) ?? "");
    if (test !== undefined) memory.set(names[at] ?? "", test);
  }
  writeFileSync(join(cache, "killers.json"), JSON.stringify([...memory]));
}
