import { AssertionError } from "node:assert";
import type { TestFunction } from "../src/index.js";

/** Register with a runner of our own, run everything or one sentence alone, and say which sentences failed. */
export async function failingSentences(
  register: (it: TestFunction) => void,
  only?: string,
): Promise<Map<string, string>> {
  const tests: [string, () => Promise<void>][] = [];
  register((name, run) => {
    if (only === undefined || name === only) tests.push([name, run]);
  });
  const failed = new Map<string, string>();
  for (const [name, run] of tests) {
    await run().catch((error: unknown) => {
      failed.set(name, error instanceof AssertionError ? error.message : `threw ${String(error)}`);
    });
  }
  return failed;
}
