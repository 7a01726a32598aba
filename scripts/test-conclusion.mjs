import { commands } from "./test-runs.mjs";

/** @typedef {import("./test-report.mjs").Report} Report */
/** @typedef {import("./test-runs.mjs").Run} Run */

/**
 * Makes the lines that are printed after the tests: what was skipped and why, how many tests are left to the other run,
 * what failed, and last the counts.
 *
 * A build that fails, a test run that fails without a failed test, and a run of no test at all count
 * as a failure.
 *
 * @param {Report | undefined} report Missing when the test runner did not get as far as writing one.
 * @param {{ built: boolean, status: number, run: Run }} ended
 * @returns {{ lines: string[], succeeded: boolean }}
 */
export function conclude(report, { built, status, run }) {
  const { passed, skipped, left, failures, skips } = report ?? {
    passed: 0,
    skipped: 0,
    left: 0,
    failures: [],
    skips: [],
  };
  const failed = [...failures];
  if (!built) failed.push("the build");
  if (passed + failures.length === 0) failed.push("no test ran");
  else if (status !== 0 && failures.length === 0) {
    failed.push(`the test runner ended with status ${status}`);
  }
  const counts = `${passed} passed, ${failed.length} failed`;
  const others =
    run === "short"
      ? `Left to ${commands.long}: ${left}`
      : `Left to ${commands.short}: ${left}, and the files without a long test`;
  return {
    lines: [
      ...(skips.length > 0 ? ["Skipped:", ...skips.map((line) => `  ${line}`)] : []),
      ...(left > 0 ? [others] : []),
      ...(failed.length > 0 ? ["Failed:", ...failed.map((line) => `  ${line}`)] : []),
      skipped > 0 ? `${counts}, ${skipped} skipped` : counts,
    ],
    succeeded: failed.length === 0,
  };
}
