import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const source = (path: string): string =>
  readFileSync(new URL(`../src/${path}.ts`, import.meta.url), "utf8");
const linesOf = (path: string): number => source(path).trimEnd().split("\n").length;

describe("core stays small enough to read", () => {
  it("has the whole protocol of a guard in one file of at most 120 lines that imports nothing", () => {
    expect(linesOf("protocol/guardrail")).toBeLessThanOrEqual(120);
    expect(source("protocol/guardrail")).not.toMatch(/\bimport\b|\bfrom "/);
  });

  it("has a decision kernel of ten files and at most 1,300 lines", () => {
    const kernel = [
      "guard/read-decision",
      "guard/ask",
      "guard/guard",
      "guard/deliberation",
      "run/steps",
      "run/decide",
      "run/execute",
      "run/settle",
      "run/stop",
      "call/permit",
    ];
    const lines = kernel.map(linesOf).reduce((sum, each) => sum + each);
    expect(lines).toBeLessThanOrEqual(1_300);
  });
});
