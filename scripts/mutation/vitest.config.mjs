// The tests of a package as `npm test` runs them, in one process, with mutants behind switches.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { filters } from "../test-runs.mjs";
import { reachedIn, readLog } from "./log.mjs";
import { packageOf, withSwitches } from "./switches.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = process.env["TOOLSTILE_MUTATION"] ?? "";
/** @type {(import("./mutants.mjs").Mutant & { id: number })[]} */
const mutants = JSON.parse(readFileSync(join(folder, "mutants.json"), "utf8"));
/** @type {Map<string, typeof mutants>} */
const byFile = new Map();
for (const mutant of mutants) {
  const own = byFile.get(mutant.file) ?? [];
  own.push(mutant);
  byFile.set(mutant.file, own);
}
const reached = reachedIn(folder);
const log = readLog(folder);

// A mutant that has a process of its own is on from the start, for all tests of these files.
const { TOOLSTILE_MUTANT_ALONE: alone, TOOLSTILE_MUTATION_FILES: chosen } = process.env;
/** The mutants of the same source as the one that is alone. */
const beside = new Set((byFile.get(mutants[Number(alone)]?.file ?? "") ?? []).map(({ id }) => id));

/** The time of a file's tests, whether one of them still has mutants to kill, and whether one reaches the source of the mutant that is alone. */
const files = new Map();
for (const { test, file, took, ids } of reached) {
  const { time = 0, isDone = true, isNear = false } = files.get(file) ?? {};
  files.set(file, {
    time: time + took,
    isDone: isDone && log.isDone(test),
    isNear: isNear || ids.some((id) => beside.has(id)),
  });
}

/** Runs near and quick files first: what they kill is not tried with the others. */
class LikeliestFirst extends BaseSequencer {
  /** @override @param {import("vitest/node").TestSpecification[]} specifications */
  async sort(specifications) {
    const rank = (/** @type {{ moduleId: string }} */ { moduleId }) => {
      const { time = 0, isNear = false } = files.get(moduleId) ?? {};
      return isNear ? time : time + 1e9;
    };
    return [...specifications].sort((one, other) => rank(one) - rank(other));
  }
}

const conditions = ["@toolstile/source", "node", "default"];
const done = [...files].filter(([, { isDone }]) => isDone).map(([file]) => relative(root, file));

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform: (text, id) => {
        const found = byFile.get(relative(root, id));
        return found === undefined ? undefined : { code: withSwitches(text, found), map: null };
      },
    },
  ],
  test: {
    setupFiles: ["./vitest.setup.ts", "./scripts/mutation/setup.mjs"],
    include:
      chosen === undefined
        ? mutants.slice(0, 1).map((each) => `${packageOf(each)}/test/**/*.test.ts`)
        : JSON.parse(chosen),
    exclude: alone === undefined ? done : [],
    bail: alone === undefined ? 0 : 1,
    runner: fileURLToPath(new URL("./runner.mjs", import.meta.url)),
    reporters: ["dot"],
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    isolate: false,
    // A process that hangs is ended, and the next one begins sooner.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(folder, "modules") },
    sequence: { sequencer: LikeliestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    tags: [{ name: "long" }, { name: "longer" }],
    // Vitest's types do not know it yet, as in the configuration of the other tests.
    ...{ tagsFilter: [filters.short] },
    provide: { long: false },
  },
});
