import { quietCpuMs } from "@toolstile/testing/cpu";
import { describe, expect, it } from "vitest";
import { readYaml } from "../src/yaml/read-yaml.js";

/** At most 45 ms were measured. */
const mostMs = 50;
const mebibyte = 1024 * 1024;
const filled = (start: string, piece: string, end = "") =>
  start + piece.repeat(Math.floor((mebibyte - start.length - end.length) / piece.length)) + end;
const numbered = (line: (index: number) => string) =>
  Array.from({ length: 60_000 }, (_, index) => line(index)).join("");

/** Text of a mebibyte that is made to cost: all that the parser makes something of, over and over. */
const costly: readonly (readonly [string, string])[] = [
  ["lines", filled("", "\n")],
  ["comments", filled("", " #a\n")],
  ["opening brackets", filled("", "[")],
  ["braces that open mappings", filled("", "{a: ")],
  ["closing brackets", filled("", "] ")],
  ["commas", filled("[", ",", "]")],
  ["list marks in a row", filled("", "- ")],
  ["marks of keys in a row", filled("", "? ")],
  ["colons in a row", filled("", ": ")],
  ["tags in a row", filled("", "!!str ")],
  ["anchors in a row", filled("", "&a ")],
  [
    "lists in lists by indentation",
    Array.from({ length: 1400 }, (_, at) => `${" ".repeat(at)}-\n`).join(""),
  ],
  ["aliases", filled("a: &a 1\nb: [", "*a,", "]")],
  ["aliases for keys", filled("&a a: 1\n", "*a : 1\n")],
  ["anchors", numbered((at) => `- &a${at} 1\n`)],
  ["keys", numbered((at) => `k${at}: 1\n`)],
  ["one key", filled("", "a: 1\n")],
  ["keys without a value", filled("", "a:\n")],
  ["tags of one's own", filled("", "- !x y\n")],
  ["directives", filled("", "%FOO\n")],
  ["documents", filled("", "---\n")],
  ["signs that begin no text", filled("", "a: @b\n")],
  ["quotes that are not closed", filled("", 'a: "b\n')],
  ["braces that are not closed", filled("", "a: {b\n")],
  ["tabs", filled("", "a:\n\t- b\n")],
  ["long keys", filled("", `${"x".repeat(1100)}: 1\n`)],
  ["one text", filled("a: ", "x")],
  ["one text of many lines", filled("a: x", "\n x")],
  ["one quoted text", filled('a: "', "x\\n\n ", '"')],
  ["one folded text", filled("a: >\n", "  x\n\n")],
  ["one number", filled("a: ", "1")],
  ["escapes", filled('a: "', "\\u0041", '"')],
  ["keys without a value in lists", filled("[", "? ,", "]")],
  ["as many values as a file may have", `[${"{a: 1},".repeat(6_600)}]`],
  ["as many keys as a file may have", numbered((at) => (at < 9_900 ? `k${at}: 1\n` : ""))],
];

describe("a mebibyte of YAML", () => {
  it.each(costly)("P18 costs less than 50 ms of %s", { tags: "long" }, async (_, text) => {
    expect(
      await quietCpuMs(() => readYaml(text), { enoughMs: mostMs, tries: 12 }),
    ).toBeLessThanOrEqual(mostMs);
  });
});

describe("YAML that is nested beyond the stack", () => {
  it.each([
    ["[", 1_000],
    ["{a: ", 15_000],
    ["- ", 30_000],
    [": ", 30_000],
  ])("P18 is refused, and the process goes on: %j, %d times", (piece, times) => {
    const { faults } = readYaml(piece.repeat(times));
    expect(faults).toMatchObject([{ message: "it is nested too deeply", position: { line: 1 } }]);
  });

  it("P18 is refused as often as it comes", () => {
    for (let reading = 0; reading < 500; reading++) {
      expect(readYaml("[".repeat(1_000)).data).toBeUndefined();
    }
  });
});

describe("what is no text", () => {
  it.each([undefined, null, 7, {}])("is told as that: %j", (value) => {
    expect(readYaml(value as never).faults).toMatchObject([
      { message: `it must be text, received ${typeof value}` },
    ]);
  });
});
