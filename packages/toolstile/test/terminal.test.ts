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
