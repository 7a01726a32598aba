import fc from "fast-check";
import { expect, it } from "vitest";
import { editDistance, nearest, quoted } from "../src/errors/names.js";

const anyText = fc.string({ unit: "binary", maxLength: 100 });

it("P2 quotes any name in printable ASCII, short, with no quote of its own", () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const shown = quoted(name);
      expect(shown).toMatch(/^'(?:[\x20-\x26\x28-\x5b\x5d-\x7e…]|\\['\\]|\\u\{[0-9a-f]+\})*'$/u);
      expect(shown.length).toBeLessThanOrEqual(64 * 9 + 3);
    }),
  );
});

it("P2 quotes different short names differently", () => {
  const short = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(short, short, (one, other) => {
      expect(quoted(one) === quoted(other)).toBe(one === other);
    }),
  );
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 8 });

it("measures a distance: symmetric, and zero only for equals", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

it("P5 finds a name again after one slip, among names that are far from it", () => {
  fc.assert(
    fc.property(fc.nat(3), fc.nat(8), fc.constantFrom("x", "", "xx"), (which, place, put) => {
      const names = ["search_web", "send_mail", "delete_file", "read_calendar"];
      const name = names[which] as string;
      const slip = name.slice(0, place) + put + name.slice(place + 1);
      expect(nearest(slip, names)).toBe(name);
    }),
  );
});
