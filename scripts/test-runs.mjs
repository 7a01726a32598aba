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
