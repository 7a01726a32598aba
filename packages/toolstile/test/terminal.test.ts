import { describe, expect, it } from "vitest";
import { counted, palette, printable, printableJson } from "../src/terminal/terminal.js";

const write = () => {};

describe("colours", () => {
  it.each([
    ["no terminal", false, {}],
    ["NO_COLOR", true, { NO_COLOR: "1" }],
    ["a dumb terminal", true, { TERM: "dumb" }],
  ])("are left out with %s", (_, isTTY, environment) => {
    expect(palette({ write, isTTY }, environment).red("x")).toBe("x");
  });

  it.each([{}, { NO_COLOR: "" }])("are there on a terminal with %j", (environment) => {
    expect(palette({ write, isTTY: true }, environment).red("x")).toBe("\u001b[31mx\u001b[39m");
  });
});

describe("text from outside", () => {
  it("gives a terminal nothing to obey", () => {
    expect(printable("a\u001b[2Jb\n\u202ec\u009b")).toBe("a\\u{1b}[2Jb\\u{a}\\u{202e}c\\u{9b}");
  });

  it.each([
    ["a letter that shows nothing", "a\u3164b", "a\\u{3164}b"],
    ["a sign without dots", "a\u2800b", "a\\u{2800}b"],
    ["a sign that only joins", "a\u034fb", "a\\u{34f}b"],
    ["an accent of its own", "e\u0301", "e\\u{301}"],
    ["a stroke through a letter", "n\u0336o\u20e0", "n\\u{336}o\\u{20e0}"],
    ["a tone of Thai on a Latin letter", "x\u0e49", "x\\u{e49}"],
    [
      "the fourth mark in a row",
      "\u0627\u064e\u0651\u0650\u064f",
      "\u0627\u064e\u0651\u0650\\u{64f}",
    ],
    ["no vowel of Hindi or tone of Thai", "हिन्दी ที่นี่", "हिन्दी ที่นี่"],
    ["no letter with its accent", "é Żółć 日本 😀", "é Żółć 日本 😀"],
  ])("has what hides or changes letters written out: %s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(JSON.parse(printableJson(text))).toBe(text);
  });

  it("gives a terminal nothing to obey in JSON, and means the same", () => {
    const value = { "\u009b2J": ["\u202e\u{e0041}\ud800\u001b", "ä é"] };
    const text = printableJson(value);
    expect(text).toBe('{"\\u009b2J":["\\u202e\\udb40\\udc41\\ud800\\u001b","ä é"]}\n');
    expect(JSON.parse(text)).toEqual(value);
  });

  it("has thousands told apart", () => {
    expect([6026, 7, 1234567.8].map(counted)).toEqual(["6,026", "7", "1,234,568"]);
  });
});
