import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filesWithLongTests, filters, namedRun } from "./scripts/test-runs.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** False in `npm test`, where a test tagged `longer` does only some of its runs. */
    readonly long: boolean;
  }
}

const conditions = ["@toolstile/source", "node", "default"];

/** No test waits for time to pass: this is only there to end one that hangs, on the slowest machine too. */
const hanging = 120_000;

const run = namedRun();

/** Parts of the paths of the files that take longest. */
const longest = [
  "/conformance/test/",
  "/growth.test.ts",
  "/mcp-workbench.test.ts",
  "/loaded-modules.test.ts",
  "/kill.test.ts",
  "/at-terminal.test.ts",
];

/** The words of files that collect all garbage, which walks through whatever the worker has loaded by then. */
const collecting = /@toolstile\/testing\/heap|--expose-gc/;

/**
 * Starts with the files that collect garbage, as long as little is loaded, and goes on with those that take longest:
 * Vitest knows files only by their size, and would leave one core waiting for a short one that takes long at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      if (collecting.test(readFileSync(moduleId, "utf8"))) return 0;
      return longest.some((part) => moduleId.includes(part)) ? 1 : 2;
    };
    const ranked = sorted.map((file) => ({ file, rank: rankOf(file) }));
    return ranked.sort((one, other) => one.rank - other.rank).map(({ file }) => file);
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    setupFiles: ["./vitest.setup.ts"],
    include:
      run === "long"
        ? filesWithLongTests(["packages", "conformance"])
        : ["packages/*/test/**/*.test.ts", "conformance/**/*.test.ts"],
    // A process each: what a test measures of its process (memory, processor time, handles) is its own.
    pool: "forks",
    // Vitest leaves one core free, which on two cores is half of the machine.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    isolate: false,
    testTimeout: hanging,
    hookTimeout: hanging,
    tags: [
      { name: "long", description: "only in npm run test:long" },
      { name: "longer", description: "in npm test with some of its runs, in test:long with all" },
    ],
    ...(run && { tagsFilter: [filters[run]] }),
    provide: { long: run !== "short" },
  },
});
