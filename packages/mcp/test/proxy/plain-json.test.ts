import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainJson, isSameData } from "../../src/message/plain-json.js";

/** JSON text of any value, in which each token may be written in one of several ways. */
const anyText = fc.letrec((tie) => {
  const gap = fc.constantFrom("", "", "", "", " ", "\n", "\t");
  const char = fc.oneof(
    fc.constantFrom("a", "1", "\\", '"', "/", "\0", "\n", "\u2028", "é", "\u{1f600}"),
    fc.string({ maxLength: 1 }),
  );
  const spelt = (each: string): fc.Arbitrary<string> => {
    const usual = JSON.stringify(each).slice(1, -1);
    const coded = `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return each.length === 1 && each !== '"' && each !== "\\" && each >= " "
      ? fc.constantFrom(usual, usual, usual, usual, coded, each === "/" ? "\\/" : usual)
      : fc.constant(usual);
  };
  const joined = (parts: readonly string[]): string => parts.join("");
  const string = fc.array(char.chain(spelt), { maxLength: 4 }).map((parts) => `"${joined(parts)}"`);
  const number = fc.oneof(
    fc.constantFrom("0", "-0", "1.0", "1e2", "1E2", "1e21", "1e+21", "0.10", "12", "-7", "9e-7"),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  );
  const between = (parts: fc.Arbitrary<string>, [open, close]: readonly [string, string]) =>
    fc
      .tuple(fc.array(fc.tuple(gap, parts, gap).map(joined), { maxLength: 4 }), gap)
      .map(([each, empty]) => `${open}${each.length === 0 ? empty : each.join(",")}${close}`);
  const member = fc.tuple(string, gap, fc.constant(":"), gap, tie("value") as typeof string);
  return {
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: "json" },
      fc.constantFrom("true", "false", "null"),
      number,
      string,
      between(tie("value") as typeof string, ["[", "]"]),
      between(member.map(joined), ["{", "}"]),
    ),
  };
}).value as fc.Arbitrary<string>;

describe("plain JSON", () => {
  it("P6 is only what JSON.stringify writes of the value, whatever way the text is written", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(isPlainJson(text));
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("is what JSON.stringify writes, but for odd characters and for keys that are numbers", () => {
    const object = fc.dictionary(fc.stringMatching(/^[a-z "\\\n]*$/), fc.jsonValue());
    fc.assert(
      fc.property(object, (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u|"\d/.test(text));
        expect(isPlainJson(text)).toBe(true);
        expect(isPlainJson(`${text}\n`)).toBe(true);
        expect(isSameData(value, structuredClone(value))).toBe(true);
      }),
    );
  });

  it.each([
    ["another member", { a: 1 }, { a: 1, b: 2 }],
    ["another name", { a: 1 }, { b: 1 }],
    ["another value, deep inside", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
    ["a list in place of an object", {}, []],
    ["an object in place of a list", [], {}],
    ["a shorter list", [1, 2], [1]],
    ["null in place of an object", {}, null],
    ["text in place of a number", 1, "1"],
  ])("is not the same with %s", (_, one, other) => {
    expect(isSameData(one, other)).toBe(false);
    expect(isSameData(other, one)).toBe(false);
  });
});
