import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allow, deny } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import {
  type ConformancePage,
  call,
  conformancePage,
  type TestFunction,
  testProvider,
} from "../src/index.js";
import { cases, denying, good, to } from "./providers.js";

const subject = { name: "@acme/read-only", version: "1.2.0", now: () => Date.UTC(2026, 10, 29) };

type Tests = [string, () => Promise<void>][];

/** An `it` that keeps its tests until they are run. */
function keeping(tests: Tests): TestFunction {
  const keep = (name: string, run: () => Promise<void>): unknown => tests.push([name, run]);
  return Object.assign(keep, { skip: (): unknown => undefined });
}

async function pageOf(make: () => object, more: object = {}): Promise<ConformancePage> {
  const page = conformancePage(subject);
  const tests: Tests = [];
  const recorded = page.record(keeping(tests), "read-only");
  testProvider(recorded, make as typeof good, { ...cases, ...more });
  for (const [, run] of tests) await run().catch(() => undefined);
  return page;
}

describe("a conformance page", () => {
  it("says of a good guard that it conforms, with the versions and the date", async () => {
    const report = (await pageOf(good)).report();
    expect(report).toMatchObject({
      subject: { name: "@acme/read-only", version: "1.2.0" },
      kit: { name: "@toolstile/testing" },
      node: process.versions.node,
      date: "2026-11-29T00:00:00.000Z",
      conforms: true,
    });
    expect(new Set(report.guards[0]?.results.map(({ status }) => status))).toEqual(
      new Set(["held"]),
    );
  });

  it("says which test failed and why, and that the guard does not conform", async () => {
    const page = await pageOf(() => denying(deny(`not to ${to}`)));
    const { conforms, guards } = page.report();
    expect(conforms).toBe(false);
    expect(guards[0]?.results).toContainEqual({
      sentence: "says no value of the arguments or the result",
      status: "failed",
      problem: "denied[0]: reason quotes a value of the call or its result.",
    });
    expect(JSON.stringify(page.report())).not.toContain(to);
  });

  it("passes a failure on to the test runner", async () => {
    const tests: Tests = [];
    const recorded = conformancePage(subject).record(keeping(tests), "all");
    testProvider(recorded, () => ({ name: "all", evaluate: () => allow() }), cases);
    const failures = await Promise.allSettled(tests.map(([, run]) => run()));
    expect(failures.some(({ status }) => status === "rejected")).toBe(true);
  });

  it("shows a limit with its reason, and conforms with it", async () => {
    const { conforms, guards } = (
      await pageOf(good, { cannot: { offline: "it asks <OPA>" } })
    ).report();
    expect(conforms).toBe(true);
    const skipped = guards[0]?.results.filter(({ status }) => status === "skipped");
    expect(skipped).toHaveLength(1);
    expect(skipped?.[0]?.sentence).toContain("(cannot be offline: it asks <OPA>)");
  });

  it("does not conform where a test was left out, or none was registered", () => {
    const page = conformancePage(subject);
    expect(page.report().conforms).toBe(false);
    testProvider(page.record(keeping([]), "read-only"), good, cases);
    expect(page.report().conforms).toBe(false);
    expect(page.report().guards[0]?.results[0]?.status).toBe("not run");
  });

  it("is written as JSON, as Markdown, and as HTML that loads nothing and shows text as text", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolstile-page-"));
    try {
      const page = await pageOf(good, { cannot: { offline: "it asks <OPA> | *now*" } });
      page.write(join(folder, "deep", "down"));
      const read = (end: string) =>
        readFileSync(join(folder, "deep", "down", `conformance.${end}`), "utf8");
      expect(JSON.parse(read("json"))).toEqual(JSON.parse(JSON.stringify(page.report())));
      expect(read("md")).toContain("# Conformance of @acme/read-only 1.2.0\n");
      expect(read("md")).toContain("It conforms. ");
      expect(read("md")).toContain("it asks \\<OPA\\> \\| \\*now\\*");
      expect(read("html")).toContain("it asks &#60;OPA&#62;");
      expect(read("html")).not.toMatch(/src=|href=|<script|<OPA/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ["a subject without a name", { name: "" }],
    ["an option that is not known", { ...subject, title: "x" }],
  ])("is not made for %s", (_, given) => {
    expect(() => conformancePage(given)).toThrow("conformancePage()");
  });

  it("keeps the results of several guards apart", async () => {
    const page = conformancePage(subject);
    for (const name of ["one", "two"]) {
      testProvider(page.record(keeping([]), name), good, { allowed: call({ query: "tea" }) });
    }
    expect(page.report().guards.map(({ name }) => name)).toEqual(["one", "two"]);
  });
});
