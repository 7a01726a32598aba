import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.js";

/** A call that takes each entry of a list as an argument. Some 120,000 of them overflow the stack. */
const spread =
  /\.(?:push|unshift)\(\s*\.\.\.|\bMath\.(?:max|min)\([^;()]*\.\.\.|\.fromC\w+\(\.\.\./;

describe("a list of any length", () => {
  it("is never put on the stack entry by entry in the source of a package", () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(500);
    const found = files.filter((path) => spread.test(readFileSync(path, "utf8")));
    expect(found).toEqual([]);
  });

  it.each([
    "found.push(...all);",
    "found.push(\n  ...all,\n);",
    "Math.max(0, ...all.map((each) => each.length))",
    "String.fromCodePoint(...all)",
  ])("would be found in %s", (text) => {
    expect(text).toMatch(spread);
  });

  it("may be spread into a list, which is no call", () => {
    expect("const both = [...some, ...others]; both.push(one);").not.toMatch(spread);
  });
});
