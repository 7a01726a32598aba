import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";
import { Ranges } from "../src/scan/findings.js";

const { find } = redactor();

/** What is found, as it stands in the text. */
function foundIn(text: string): readonly string[] {
  return find(text).map(({ start, end }) => text.slice(start, end));
}

const word = "password=Xk29kdLs7q;";

describe("a row of pairs", () => {
  it.each([20, 21, 40])(
    "has its password up to 20 pairs behind the name of a server, of %i names in a row",
    (count) => {
      const row = "server=a;".repeat(count);
      expect(foundIn(row + word)).toEqual(["server=a;".repeat(20) + word]);
    },
  );

  it("is judged by its own pairs, and not by those that a text before it had at the same places", () => {
    expect(foundIn(`server=a;${word}`)).toEqual([`server=a;${word}`]);
    expect(foundIn("server=a;passwart=Xk29kdLs7q;")).toEqual([]);
    expect(foundIn("server=a;pwd=Xk29kdLs7q12345;")).toEqual(["server=a;pwd=Xk29kdLs7q12345;"]);
  });

  it("is none from the name of a server whose first password is a placeholder", () => {
    const text = "server=a;b=c;pwd=<none>;server=b;pwd=Xk29kdLs7q;";
    expect(foundIn(text)).toEqual(["server=b;pwd=Xk29kdLs7q;"]);
  });
});

describe("a row of numbers behind a word for phones", () => {
  it.each([
    ["tel 12 34 56 7 8 9 1 2 3 4 5 6 7", ["12 34 56 7 8 9 1 2 3 4 5 6 7"]],
    [`tel ${"12 ".repeat(12)}345678.`, ["12 12 12 12 12 12", "12 12 12 345678"]],
    ["tel 123456789012345 030 123456", ["030 123456"]],
    ["tel 1234567 12345678901234567890 0301234567", ["0301234567"]],
    ["tel 2024 01 02, 2024-01-0212", ["2024-01-0212"]],
  ])("has the numbers that 7 to 12 digits of up to eight groups make: %s", (text, numbers) => {
    expect(foundIn(text)).toEqual(numbers);
  });
});

describe("a row of parts", () => {
  const header = "eyJhbGciOiJIUzI1NiJ9";
  const claims = "eyJzdWIiOiJFUlh2eXM3OSJ9";

  it.each([
    ["three, the second of which is JSON", `${header}.${claims}.A1b2`, true],
    ["three, the second of which is none", `${header}.A1b2A1b2.A1b2`, false],
    ["two and a dot", `${header}.${claims}.`, true],
    ["two", `${header}.${claims}`, false],
    ["five", `${header}.A1b2A1b2.A1.b2.A1`, true],
    ["five, the fourth of which is empty", `${header}.A1b2A1b2.A1..A1`, false],
    ["five headers", Array.from({ length: 5 }, () => header).join("."), true],
    ["seven headers", Array.from({ length: 7 }, () => header).join("."), true],
    ["a signature of 2,048 digits", `${header}.${claims}.${"A1b2".repeat(512)}`, true],
    ["a signature of more", `${header}.${claims}.${"A1b2".repeat(512)}A`, false],
  ])("is found as a token if it is one, whatever stood at its places before: %s", (_, row, is) => {
    expect(foundIn(row)).toEqual(is ? [row] : []);
  });
});

describe("mail at a domain", () => {
  it("is found as far as the domain goes, whatever domain was read before it", () => {
    const text = "a@brawyn.de b@brawyn.dev c@brawyn.de.qqzz d@brawyn.qqzz e@brawyn.de-x f@brawyn.d";
    expect(foundIn(`${text} g@brawyn.de`)).toEqual([
      ...["a@brawyn.de", "b@brawyn.dev", "c@brawyn.de", "e@brawyn.de", "g@brawyn.de"],
    ]);
  });

  it("is found at the same places however often a text of many unknown names is read", () => {
    const names = Array.from({ length: 3_000 }, (_, name) =>
      name.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? ""),
    );
    const text = names.map((name) => `a@b.qx${name}qx `).join("");
    const found = find(text);
    expect(found.length).toBeGreaterThan(0);
    expect(find(text)).toEqual(found);
  });
});

const bits = fc.constantFrom(
  ...["tel ", "1 ", "12-", "(030) ", "0049 ", "3569133 ", "99999999999999999999", "+49 30 123456"],
  ...["server=a;", "Data Source=", " Pwd=", word, "x=1,", "host=", "v", ";", "\n", "\\u0031"],
  ...["a@", "brawyn.de", ".com", "brawyn.", "@brawyn.de ", "%40", "é", " "],
);
const row = fc.array(bits, { maxLength: 40 }).map((parts) => parts.join(""));

describe("what is kept of a text that was read", () => {
  it.each([
    ["tel 030-1234-567", "abc tel 12 x"],
    ["a@brawyn.de", "a@brawyn.qq"],
  ])("is not taken for what stands at the same place in the next one: %s, %s", (first, second) => {
    find(first);
    expect(foundIn(second)).toEqual([]);
  });

  it("changes nothing that is found in the next one", () => {
    fc.assert(
      fc.property(row, row, fc.nat({ max: 40 }), (first, second, from) => {
        find("");
        const found = find(second);
        // Much of it stands at the same places.
        find(second.slice(0, from) + first);
        expect(find(second)).toEqual(found);
      }),
      { numRuns: 400 },
    );
  });
});

describe("ranges", () => {
  const range = fc
    .tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 9 }), fc.nat({ max: 3 }))
    .map(([start, size, kind]) => ({ start, end: start + size, kind }));
  type Row = { start: number; end: number; kind: number };
  const rowsOf = (ranges: Ranges): Row[] =>
    Array.from({ length: ranges.length }, (_, index) => ({
      start: ranges.start(index),
      end: ranges.end(index),
      kind: ranges.kind(index),
    }));
  const rangesOf = (rows: readonly Row[]) => {
    const ranges = new Ranges();
    for (const { start, end, kind } of rows) ranges.add(start, end, kind);
    return ranges.disjoint();
  };
  /** Joins one with another that it overlaps until none is left. */
  const joined = (rows: readonly Row[]): Row[] => {
    const left = [...rows].sort((a, b) => a.start - b.start);
    for (let index = 1; index < left.length; ) {
      const [one, next] = left.slice(index - 1) as [Row, Row];
      if (next.start >= one.end) index += 1;
      else {
        const [end, kind] = [Math.max(one.end, next.end), Math.min(one.kind, next.kind)];
        left.splice(index - 1, 2, { start: one.start, end, kind });
      }
    }
    return left;
  };

  it("are one where they overlap, of the lowest kind, in whatever order and by whatever way they come", () => {
    fc.assert(
      fc.property(fc.array(range), fc.array(range), (some, others) => {
        expect(rowsOf(rangesOf(some))).toEqual(joined(some));
        const all = joined([...some, ...others]);
        expect(rowsOf(rangesOf(some).with(rangesOf(others)))).toEqual(all);
        const grown = rangesOf(some);
        const rest = new Ranges();
        for (const { start, end, kind } of others)
          if (!grown.grow(grown.firstBehind(start), start, end, kind)) rest.add(start, end, kind);
        expect(rowsOf(grown)).toEqual(joined(rowsOf(grown)));
        expect(rowsOf(grown.with(rest.disjoint()))).toEqual(all);
      }),
    );
  });
});
