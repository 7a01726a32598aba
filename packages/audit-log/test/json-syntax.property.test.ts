import fc from "fast-check";
import { expect, it } from "vitest";
import { isJsonMembers } from "../src/json-syntax.js";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it("agrees with JSON.parse about JSON and about JSON with a piece replaced", () => {
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
    .map((object) => JSON.stringify(object).slice(1, -1));
  let broken = 0;
  fc.assert(
    fc.property(members, fc.nat(), fc.nat(4), piece, (text, at, length, replacement) => {
      expect(isJsonMembers(text)).toBe(true);
      const start = at % (text.length + 1);
      const mutated = text.slice(0, start) + replacement + text.slice(start + length);
      if (!parses(`{${mutated}}`)) broken++;
      expect(isJsonMembers(mutated)).toBe(parses(`{${mutated}}`));
    }),
    { numRuns: 5_000 },
  );
  expect(broken).toBeGreaterThan(100);
});

it("answers at once about a long text that is JSON but for its end", () => {
  const almost = `"a":[${'"x",'.repeat(3_000)}"x"`;
  expect(isJsonMembers(almost)).toBe(false);
  expect(isJsonMembers(`${almost}]`)).toBe(true);
});
