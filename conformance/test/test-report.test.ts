import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { conclude } from "../../scripts/test-conclusion.mjs";
import type { Report } from "../../scripts/test-report.mjs";
import {
  filesWithLongTests,
  filters,
  isIn,
  type Run,
  testFilesIn,
} from "../../scripts/test-runs.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The report on real test files. */
function reportOf(files: Record<string, string>, run?: Run): Report {
  const folder = mkdtempSync(join(tmpdir(), "toolstile-report-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const report = join(folder, "report.json");
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const reporter = join(root, "scripts", "test-report.mjs");
    spawnSync(
      process.execPath,
      [vitest, "run", "--globals", "--root", folder, `--reporter=${reporter}`],
      {
        cwd: folder,
        env: { ...process.env, TOOLSTILE_TESTS: run, TOOLSTILE_TEST_REPORT: report },
      },
    );
    return JSON.parse(readFileSync(report, "utf8").replaceAll(/"[^"]*?([^/"]+\.test\.ts)/g, '"$1'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the test report", () => {
  let report: Report;
  beforeAll(() => {
    report = reportOf(outcomes);
  });
  const outcomes = {
    "counts.test.ts": `
      it("passes", () => {});
      it("fails", () => { throw new Error("as it should"); });
      it.fails("fails, as expected", () => { throw new Error("x"); });
      it("needs a server", (context) => context.skip("no server answers"));
      it.todo("is to come");
      describe("a group", () => {
        it.skip("one", () => {});
        it.skip("two", () => {});
      });
      describe.skip("another group (needs a database)", () => {
        it("one", () => {});
        it("two", () => {});
      });
    `,
    "hook.test.ts": `
      describe("a group", () => {
        beforeAll(() => { throw new Error("x"); });
        it("is not asked", () => {});
      });
    `,
    "load.test.ts": `throw new Error("x");`,
    "stray.test.ts": `it("passes", () => { Promise.reject(new Error("stray")); });`,
  };

  it("counts what passed and what was skipped", () => {
    expect(report).toMatchObject({ passed: 3, skipped: 7 });
  });

  it.each([
    ["a test that fails", "counts.test.ts: fails"],
    ["a file that does not load", "load.test.ts: does not load"],
    ["a hook that fails", "hook.test.ts: a group"],
    ["an error that nobody handled", "an error that nobody handled: stray"],
  ])("counts as a failure %s", (_, failure) => {
    expect(report.failures).toContain(failure);
    expect(report.failures).toHaveLength(4);
  });

  it.each([
    ["with the reason it gave", "counts.test.ts: needs a server: no server answers"],
    ["as still to be written", "counts.test.ts: is to come: to do"],
    [
      "with what its name says it needs",
      "counts.test.ts: another group (needs a database) (2 tests): needs a database",
    ],
    ["as a group", "counts.test.ts: a group (2 tests): no reason given; its name should say"],
  ])("lists a skipped test %s", (_, line) => {
    expect(report.skips).toContain(line);
  });
});

describe.each<Run>(["short", "long"])("the %s run", (run) => {
  const tags = [[], ["long"], ["longer"], ["long", "longer"]];
  const taken = tags.filter((each) => isIn(run, each));
  const files = {
    "vitest.config.mjs": `
      const tags = [{ name: "long" }, { name: "longer" }];
      export default { test: { tags, tagsFilter: ["${filters[run]}"] } };
    `,
    "tagged.test.ts": `
      ${tags.map((each) => `it("has tags", { tags: ${JSON.stringify(each)} }, () => {});`).join("\n")}
    `,
    "tagged.mjs": `export const far = { tags: ["lo" + "ng"] };`,
    "elsewhere.test.ts": `
      import { far } from "./tagged.mjs";
      it("is far", far, () => {});
    `,
  };
  let report: Report;
  beforeAll(() => {
    report = reportOf(files, run);
  });

  it("is the tests that its filter takes, and no other", () => {
    const far = run === "long" ? 1 : 0;
    expect(report).toMatchObject({
      passed: taken.length + far,
      skipped: 0,
      left: tags.length - taken.length + (1 - far),
      skips: [],
    });
  });

  it("counts as a failure a file whose long tests are tagged elsewhere, as no run would load it, and nothing else", () => {
    const failure = expect.stringContaining("its long tests are in no run");
    expect(report.failures).toEqual(run === "short" ? [failure] : []);
  });

  it("leaves no test out that the other does not have", () => {
    const other = run === "short" ? "long" : "short";
    expect(tags.filter((each) => !isIn(run, each) && !isIn(other, each))).toEqual([]);
  });
});

describe("the long run", () => {
  const loaded = filesWithLongTests(["packages", "conformance"]);

  it("loads every file with a test that is tagged, or that asks which run it is in", () => {
    const all = testFilesIn(["packages", "conformance"]);
    const words = ['tags: "long', 'tags: ["long', 'inject("long")'];
    const tagged = all.filter((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return words.some((word) => text.includes(word));
    });
    expect(all.length).toBeGreaterThan(500);
    expect(tagged.length).toBeGreaterThan(50);
    expect(tagged.filter((file) => !loaded.includes(file))).toEqual([]);
  });

  it("loads no file whose tests are all in the other", () => {
    expect(loaded).not.toContain("conformance/test/package-readmes.test.ts");
  });
});

describe("the end of a test run", () => {
  const good: Report = { passed: 2, skipped: 0, left: 0, failures: [], skips: [] };
  const fine = { built: true, status: 0, run: "short" } as const;

  it("is the counts, alone on the last line", () => {
    expect(conclude(good, fine)).toEqual({ lines: ["2 passed, 0 failed"], succeeded: true });
  });

  it("names what was skipped before the last line", () => {
    expect(conclude({ ...good, skipped: 1, skips: ["a: no server"] }, fine)).toEqual({
      lines: ["Skipped:", "  a: no server", "2 passed, 0 failed, 1 skipped"],
      succeeded: true,
    });
  });

  it.each<[Run, string]>([
    ["short", "Left to npm run test:long: 3"],
    ["long", "Left to npm test: 3, and the files without a long test"],
  ])("says how many tests the %s run leaves to the other", (run, line) => {
    const { lines } = conclude({ ...good, left: 3 }, { ...fine, run });
    expect(lines).toEqual([line, "2 passed, 0 failed"]);
  });

  it.each<[string, Report | undefined, { built: boolean; status: number }, string]>([
    [
      "a test failed",
      { ...good, failures: ["a"] },
      { built: true, status: 1 },
      "2 passed, 1 failed",
    ],
    ["the build failed", good, { built: false, status: 0 }, "2 passed, 1 failed"],
    ["the runner alone says so", good, { built: true, status: 1 }, "2 passed, 1 failed"],
    ["no test was found", { ...good, passed: 0 }, { built: true, status: 1 }, "0 passed, 1 failed"],
    ["the runner left no report", undefined, { built: true, status: 1 }, "0 passed, 1 failed"],
    [
      "every test was skipped",
      { ...good, passed: 0, skipped: 3 },
      fine,
      "0 passed, 1 failed, 3 skipped",
    ],
  ])("is a failure when %s", (_, report, ended, last) => {
    const { lines, succeeded } = conclude(report, { ...fine, ...ended });
    expect(succeeded).toBe(false);
    expect(lines.at(-1)).toBe(last);
  });
});
