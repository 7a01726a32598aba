import { defineConfig } from "vitest/config";

const conditions = ["@toolstile/source", "node", "import", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "conformance/**/*.test.ts"],
    pool: "threads",
  },
});
