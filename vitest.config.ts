import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filters, namedRun } from "./scripts/test-runs.mjs";

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

/** Starts with the files that take longest: they are short, and Vitest would leave one core waiting for them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/conformance/test/");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    setupFiles: ["./vitest.setup.ts"],
    include: ["packages/*/test/**/*.test.ts", "conformance/**/*.test.ts"],
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
