import { defineConfig } from "vitest/config";

const conditions = ["@toolstile/source", "node", "default"];

/** No test waits for time to pass: this is only there to end one that hangs, on the slowest machine too. */
const hanging = 120_000;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    setupFiles: ["./vitest.setup.ts"],
    include: ["packages/*/test/**/*.test.ts", "conformance/**/*.test.ts"],
    pool: "threads",
    testTimeout: hanging,
    hookTimeout: hanging,
  },
});
