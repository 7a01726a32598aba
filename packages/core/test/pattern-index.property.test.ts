import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PatternIndex } from "../src/guard/pattern-index.js";
import { patternAllows, patternDenies, ToolNames } from "../src/guard/tool-names.js";

const unit = fc.constantFrom("a", "b", "_", "é", "\u{1f4a3}", "\ud83d", "\udca3");
const pattern = fc.string({ unit: fc.oneof(unit, fc.constantFrom("*", "?")), maxLength: 6 });
const name = fc.string({ unit: fc.oneof(unit, fc.constantFrom("*", "?")), maxLength: 8 });
const longName = fc.tuple(name, name).map(([start, end]) => start + "ab_".repeat(90) + end);
const patterns = fc.array(pattern, { maxLength: 30 });

describe("names and patterns", () => {
  it.each([
    ["allow", patternAllows],
    ["deny", patternDenies],
  ])("that %s cover what a look at each of them says", (_, matches) => {
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 3 }),
        patterns,
        fc.oneof(name, longName),
        (names, all, each) => {
          const scanned = names.includes(each) || all.some((one) => matches(one, each));
          expect(new ToolNames(new Set(names), all, matches).covers(each)).toBe(scanned);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("are compared from the first wildcard on with the same answer as from the beginning", () => {
    fc.assert(
      fc.property(pattern, fc.nat(6), name, (of, known, end) => {
        const literal = of.slice(0, known);
        fc.pre(!/[*?]/.test(literal));
        const each = literal + end;
        for (const matches of [patternAllows, patternDenies]) {
          expect(matches(of, each, literal.length)).toBe(matches(of, each));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an index of patterns", () => {
  /** The entries that are compared with a name. */
  function candidates(index: PatternIndex<string>, each: string): string[] {
    const found: string[] = [];
    for (let group = index.at(each); group !== undefined; group = group.outer) {
      found.push(...group.entries);
    }
    return found;
  }

  it("gives the patterns that begin as a name does, and no others", () => {
    fc.assert(
      fc.property(patterns, name, (all, each) => {
        const index = new PatternIndex(all.map((one) => [one, one]));
        const begin = all.filter((one) => each.startsWith(one.split(/[*?]/)[0] as string));
        expect(candidates(index, each).toSorted()).toEqual(begin.toSorted());
      }),
      { numRuns: 5_000 },
    );
  });

  it("P18 compares a name that nobody has listed with no pattern, however many there are", () => {
    const all = Array.from({ length: 10_000 }, (_, number) => `server_${number}_*`);
    const index = new PatternIndex(all.map((one) => [one, one]));
    expect(candidates(index, "server_4711_read")).toEqual(["server_4711_*"]);
    for (const each of ["server_", "server_x", "zzz", "", "server_99999_read"]) {
      expect(candidates(index, each)).toEqual([]);
    }
  });
});
