import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./processes.mjs";
import { isIn, namedRun, namesLongRun } from "./test-runs.mjs";

/** @typedef {import("vitest/node").TestModule} TestModule */
/** @typedef {import("vitest/node").TestSuite} TestSuite */
/** @typedef {import("vitest/node").TestCase} TestCase */
/** @typedef {{ passed: number, skipped: number, left: number, failures: string[], skips: string[] }} Report */

/** Counts tests for the closing line, and everything that vitest's own report counts as no test. */
export default class TestReport {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly { message?: string }[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const report = summarise(modules, unhandledErrors);
    writeFileSync(String(process.env.TOOLSTILE_TEST_REPORT), JSON.stringify(report));
  }
}

/**
 * A test that is left to the other run is counted by itself, and is not a skip.
 * A file that does not load, a suite whose hooks fail, a test that never ended and an error that
 * nobody handled are failures.
 *
 * @param {readonly TestModule[]} modules
 * @param {readonly { message?: string }[]} unhandledErrors
 * @returns {Report}
 */
export function summarise(modules, unhandledErrors) {
  /** @type {Report} */
  const report = { passed: 0, skipped: 0, left: 0, failures: [], skips: [] };
  for (const module of modules) {
    const file = relative(root, module.moduleId);
    if (module.errors().length > 0) report.failures.push(`${file}: does not load`);
    const leaves = namedRun() === "short" && [...module.children.allTests()].some(isLeft);
    if (leaves && !namesLongRun(module.moduleId)) {
      report.failures.push(
        `${file}: its long tests are in no run, as the file does not name their tag`,
      );
    }
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) report.failures.push(`${file}: ${suite.fullName}`);
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (isLeft(test)) report.left += 1;
      else if (state === "passed") report.passed += 1;
      else if (state === "skipped") report.skipped += 1;
      else report.failures.push(`${file}: ${test.fullName}`);
    }
    report.skips.push(...listSkips(module).map((line) => `${file}: ${line}`));
  }
  for (const error of unhandledErrors) {
    report.failures.push(`an error that nobody handled: ${firstLine(error.message)}`);
  }
  return report;
}

/**
 * Every skipped test by name and why; a group skipped for one reason is one line.
 *
 * @param {TestModule | TestSuite} group
 * @returns {string[]}
 */
function listSkips(group) {
  const tests = [...group.children.allTests()].filter((test) => !isLeft(test));
  const reasons = new Set(tests.map((test) => reasonOfSkip(test)));
  const [only] = reasons;
  if (tests.length > 1 && reasons.size === 1 && only !== undefined) {
    const name = group.type === "module" ? "the whole file" : group.fullName;
    return [`${name} (${tests.length} tests): ${only}`];
  }
  return [...group.children].flatMap((child) => {
    if (child.type === "suite") return listSkips(child);
    const reason = reasonOfSkip(child);
    return reason === undefined ? [] : [`${child.fullName}: ${reason}`];
  });
}

/**
 * @param {TestCase} test
 * @returns {string | undefined}
 */
function reasonOfSkip(test) {
  const result = test.result();
  if (isLeft(test)) return undefined;
  if (result.state !== "skipped") return undefined;
  if (result.note !== undefined) return result.note;
  if (test.options.mode === "todo") return "to do";
  const [, need] = /\((needs [^()]+)\)/.exec(test.fullName) ?? [];
  return need ?? "no reason given; its name should say";
}

/**
 * True of a test that is left to the other run.
 *
 * @param {TestCase} test
 */
function isLeft(test) {
  return test.result().state === "skipped" && !isIn(namedRun(), test.tags);
}

/** @param {string | undefined} message */
function firstLine(message) {
  return (message ?? "unknown").split("\n", 1)[0];
}
