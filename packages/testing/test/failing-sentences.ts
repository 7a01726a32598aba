import { AssertionError } from "node:assert";
import type { TestFunction } from "../src/index.js";

/** Register with a runner of our own, run everything, and say which sentences failed. */
export async function failingSentences(
  register: (it: TestFunction) => void,
): Promise<Map<string, string>> {
  const tests: [string, () => Promise<void>][] = [];
  register((name, run) => tests.push([name, run]));
  const failed = new Map<string, string>();
  for (const [name, run] of tests) {
    await run().catch((error: unknown) => {
      failed.set(name, error instanceof AssertionError ? error.message : `threw ${String(error)}`);
    });
  }
  return failed;
}
