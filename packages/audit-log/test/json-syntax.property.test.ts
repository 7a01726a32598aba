import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { ascii } from "../src/format/line.js";
import { faultOfMembers } from "../src/verify/json-syntax.js";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Control characters are no JSON inside a string, and no part of a line outside of one. */
const printable = /^[ -~]*$/;

it("agrees with JSON.parse about printable JSON, and about such JSON with a piece replaced", {
  tags: "longer",
}, () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "",
      ",",
      ":",
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      "\\u00e",
      "0",
      "01",
      "-",
      "1e",
      ".",
      "null",
      " ",
      "\n",
    ),
    fc.string({ maxLength: 3 }),
  );
  const members = fc
    .dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    .map((object) => ascii(JSON.stringify(object)).slice(1, -1));
  let broken = 0;
  fc.assert(
    fc.property(members, fc.nat(), fc.nat(4), piece, (text, at, length, replacement) => {
      expect(faultOfMembers(text)).toBeUndefined();
      const start = at % (text.length + 1);
      const mutated = text.slice(0, start) + replacement + text.slice(start + length);
      const isRight = printable.test(mutated) && parses(`{${mutated}}`);
      if (!isRight) broken++;
      expect(faultOfMembers(mutated) === undefined).toBe(isRight);
    }),
    { numRuns: inject("long") ? 5_000 : 500 },
  );
  expect(broken).toBeGreaterThan(100);
});

it("answers at once about a long text that is JSON but for its end", () => {
  const almost = `"a":[${'"x",'.repeat(3_000)}"x"`;
  expect(faultOfMembers(almost)).toBe("the record is not valid JSON");
  expect(faultOfMembers(`${almost}]`)).toBeUndefined();
});
