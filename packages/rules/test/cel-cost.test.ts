import { describe, expect, it } from "vitest";
import { compileExpression } from "../src/cel.js";

const list = Array.from({ length: 20_000 }, (_, index) => index);
const text = "a".repeat(1_000_000);
const a = {
  list,
  other: [...list],
  text,
  long: `b${text.slice(0, 500_000)}`,
  lists: list.map(() => list),
  map: Object.fromEntries(list.map((each) => [`k${each}`, { each }])),
  same: Object.fromEntries(list.map((each) => [`k${each}`, { each }])),
};

const evaluate = (source: string, values: object) =>
  compileExpression(source, { variables: { a: true } }).evaluate({ a: values });

describe("an expression over hostile arguments", () => {
  it.each([
    "a.list.exists(x, a.list.exists(y, x + y == -1))",
    "a.list.map(x, x).size() == 1",
    "a.list.all(x, x.absent == 1) || true",
    "true || a.list.exists(x, false) ? a.list.all(x, x.absent == 1) : true",
    "a.list.exists(x, x in a.list && false)",
    "[a.list].exists(l, l.exists(x, l.exists(y, true) && false))",
    "a.list.exists(x, (a.list + a.list).size() == 1)",
    "a.list.exists(x, a.list == a.other && false)",
    "a.map == a.same && a.map == a.same && a.map == a.same",
    "a.map.exists(k, a.map.size() == 0)",
    "a.list.exists(x, string(x) + a.text == 'q')",
    "sets.equivalent(a.list, a.other)",
    "a.text.contains(a.long)",
    "a.text.indexOf(a.long) == 1",
    "a.text.split('').size() == 2",
    "a.text.replace('a', a.long) == ''",
    "a.text.reverse() == '' || a.text.upperAscii().trim().lowerAscii() == '' || a.text.size() == 1",
    "a.text.matches('(a|b)*a(a|b){14}$')",
    "a.list.map(x, a.text).join('') == ''",
    "a.lists.exists(l, l.size() == 0)",
    "lists.range(10000).exists(x, lists.range(10000).exists(y, false))",
  ])("is ended when it costs too much: %s", (source) => {
    expect(evaluate(source, a)).toMatchObject({ kind: "too_costly" });
  });

  it.each([
    ["a.list == a.other", true],
    ["a.text.contains('b')", false],
    ["a.text.startsWith('aaa') && a.text.endsWith('aaa')", true],
    ["int(a.text) == 1 || true", true],
    ["timestamp(a.text) == timestamp(a.text) || true", true],
  ])("is answered where it costs little: %s", (source, answer) => {
    expect(evaluate(source, a)).toBe(answer);
  });

  it("reads no more of them the longer they are", () => {
    const reads = (length: number) => {
      let count = 0;
      const each = Object.defineProperty({}, "x", { enumerable: true, get: () => ++count });
      evaluate("a.exists(i, a.exists(j, i.x + j.x == -1))", new Array(length).fill(each));
      return count;
    };
    expect(reads(30)).toBe(30 * 30 * 2);
    expect(reads(10_000)).toBeLessThan(20_000);
    expect(reads(100_000)).toBeLessThan(20_000);
  });
});
