import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  func,
  nonEmptyText,
  type OptionTable,
  readOptions,
  required,
  text,
} from "@toolstile/core/provider";
import type { ConformanceReport, ConformanceResult } from "./conformance-report.js";
import { asHtml, asMarkdown } from "./conformance-text.js";
import type { TestFunction } from "./register.js";

/** The package or guard that a page is about. */
export interface ConformanceSubject {
  readonly name: string;
  readonly version?: string | undefined;
  /** Milliseconds since 1970, for the date of the page. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Collects the results of the kit, for a page that a package can show. */
export interface ConformancePage {
  /** Wraps the `it` of a test runner, so that what becomes of each test is on the page under the name of a guard. */
  readonly record: (it: TestFunction, guard: string) => TestFunction;
  readonly report: () => ConformanceReport;
  /** Writes `conformance.json`, `conformance.md` and `conformance.html` to a folder, which it makes if need be. Call it after the tests. */
  readonly write: (folder: string) => void;
}

const table = {
  name: required(nonEmptyText()),
  version: text(),
  now: func<() => number>("a function that returns milliseconds since 1970"),
} satisfies OptionTable<ConformanceSubject>;

/** Makes a page for the results of the kit. @throws ToolstileError for an unknown option, and for a subject without a name. */
export function conformancePage(subject: ConformanceSubject): ConformancePage {
  const { name, version, now = Date.now } = readOptions("conformancePage()", subject, table);
  const guards = new Map<string, ConformanceResult[]>();

  const record = (it: TestFunction, guard: string): TestFunction => {
    const results = guards.get(guard) ?? [];
    guards.set(guard, results);
    const recorded = (sentence: string, run: () => Promise<void>): unknown => {
      const index = results.push({ sentence, status: "not run" }) - 1;
      return it(sentence, async () => {
        try {
          await run();
          results[index] = { sentence, status: "held" };
        } catch (error) {
          results[index] = { sentence, status: "failed", problem: problemOf(error) };
          throw error;
        }
      });
    };
    const skip = (sentence: string, run: () => Promise<void>): unknown => {
      results.push({ sentence, status: "skipped" });
      return it.skip?.(sentence, run);
    };
    return Object.assign(recorded, { skip });
  };

  const report = (): ConformanceReport => {
    const all = [...guards].map(([guard, results]) => ({ name: guard, results: [...results] }));
    const statuses = all.flatMap(({ results }) => results.map(({ status }) => status));
    return {
      subject: { name, version },
      kit: kit(),
      node: process.versions.node,
      date: new Date(now()).toISOString(),
      conforms:
        statuses.includes("held") && !statuses.includes("failed") && !statuses.includes("not run"),
      guards: all,
    };
  };

  const write = (folder: string): void => {
    const told = report();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "conformance.json"), `${JSON.stringify(told, undefined, 2)}\n`);
    writeFileSync(join(folder, "conformance.md"), asMarkdown(told));
    writeFileSync(join(folder, "conformance.html"), asHtml(told));
  };

  return Object.freeze({ record, report, write });
}

function problemOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

function kit(): ConformanceReport["kit"] {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { name, version } = JSON.parse(manifest) as ConformanceReport["kit"];
  return { name, version };
}
