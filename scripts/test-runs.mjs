import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./processes.mjs";

/** @typedef {"short" | "long"} Run */

/**
 * The two runs, of which every test is in one at least: `npm test` and `npm run test:long`.
 *
 * Each is a filter for vitest's tags. A test tagged `long` is left out of `npm test`; one tagged
 * `longer` is in both, and does all that it can in the second only.
 */
export const filters = Object.freeze({ short: "!long", long: "long or longer" });

/** The command that starts each. */
export const commands = Object.freeze({ short: "npm test", long: "npm run test:long" });

/**
 * The run that the environment names; none where vitest is started by hand, which runs every test in full.
 *
 * @returns {Run | undefined}
 */
export function namedRun() {
  const { TOOLSTILE_TESTS: named } = process.env;
  return named === "short" || named === "long" ? named : undefined;
}

/**
 * True if a test with these tags is in a run.
 *
 * @param {readonly string[]} tags
 * @param {Run | undefined} run
 */
export function isIn(run, tags) {
  if (run === "short") return !tags.includes("long");
  return run === undefined || tags.includes("long") || tags.includes("longer");
}

/**
 * Lists the test files below folders of the repository that name a tag of the long run. The others need not be loaded
 * for it, which would take longer than many of its tests.
 *
 * @param {readonly string[]} folders
 */
export function filesWithLongTests(folders) {
  return testFilesIn(folders).filter((file) => namesLongRun(join(root, file)));
}

/**
 * Says if a file names a tag of the long run itself. A file whose tests are tagged elsewhere would be in neither run.
 *
 * @param {string} file its absolute path
 */
export function namesLongRun(file) {
  return /["'`]long(?:er)?["'`]/.test(readFileSync(file, "utf8"));
}

/**
 * Lists all test files below folders of the repository.
 *
 * @param {readonly string[]} folders
 * @returns {string[]}
 */
export function testFilesIn(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        return ["node_modules", "dist"].includes(entry.name) ? [] : testFilesIn([path]);
      }
      return entry.name.endsWith(".test.ts") ? [path] : [];
    }),
  );
}
