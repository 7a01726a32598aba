import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.js";

/** Takes what a text ends with, and begins anew at each sign of a row that ends elsewhere: its time is quadratic. */
const quadraticTrim =
  /\.(?:replace|replaceAll|match|split|search)\(\s*\/(?:[^/\n]*\|)?(?:\[[^\]\n]+\]|\\.)\+\$/;

describe("a pattern that takes off the end of a text", () => {
  it("looks behind itself in every package, so that it is tried once for each row", () => {
    const found = sourceFiles().filter((file) => quadraticTrim.test(readFileSync(file, "utf8")));
    expect(found).toEqual([]);
  });

  it.each([
    ['text.replace(/[. ]+$/, "")', true],
    ['text.replace(/^[ \\t]+|[ \\t]+$/g, "")', true],
    ['text.replace(/\\s+$/, "")', true],
    ['text.replace(/(?<![. ])[. ]+$/, "")', false],
    ['text.replace(/^[ \\t]+|(?<![ \\t])[ \\t]+$/g, "")', false],
  ])("is told from others: %s", (source, expected) => {
    expect(quadraticTrim.test(source)).toBe(expected);
  });
});
