import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression } from "../src/cel.js";

const secret = "hunter2-secret";
const args = {
  amount: 2_000,
  cents: 5,
  rate: 0.5,
  note: "Straße 😀",
  secret,
  empty: null,
  nothing: undefined,
  flags: ["--force", "-v"],
  items: [
    { sku: "a", count: 1 },
    { sku: "b", count: 2 },
  ],
  big: 2 ** 63,
  bigger: 2 ** 64,
  least: -(2 ** 63),
  on: true,
};

const evaluate = (text: string, values: object = { args, tool: "pay" }) =>
  compileExpression(text, { variables: { args: true, tool: true, result: true } }).evaluate(
    values as Record<string, unknown>,
  );

describe("an expression", () => {
  it.each([
    "args.amount == 2000 && args.amount == 2000.0 && args.amount == 2000u",
    "type(args.amount) == int && type(args.rate) == double",
    "type(args.big) == uint && type(args.bigger) == double && type(args.least) == int",
    "args.amount > 3.5 && args.rate < 1",
    "has(args.empty) && !has(args.nothing) && !has(args.constructor) && !has(args.absent)",
    "'empty' in args && !('toString' in args)",
    "args.absent == 1 || true",
    "!(args.absent == 1 && false)",
    "args.note.size() == 8 && size(args.note) == 8",
    "args.note != args.amount",
    "args.flags.exists(f, f == '--force') && args.flags.all(f, f.startsWith('-'))",
    "args.items.map(i, i.sku) == ['a', 'b'] && args.items.filter(i, i.count > 1).size() == 1",
    "args.items.map(i, i.count > 1, i.sku) == ['b']",
    "args.items.exists_one(i, i.sku == 'a') && args.items.map(i, args.items.map(j, j.count)) == [[1, 2], [1, 2]]",
    "args.note.matches('(?i)^STRA') && !args.note.matches('^tra')",
    "args.note.substring(7) == '😀' && args.note.charAt(7) == '😀' && args.note.indexOf('😀') == 7",
    "'a😀b'.reverse() == 'b😀a' && [1, 2].reverse() == [2, 1]",
    "'😀a😀'.lastIndexOf('😀') == 2 && '😀a😀'.lastIndexOf('😀', 1) == 0",
    "'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'ab'.split('') == ['a', 'b'] && 'a'.split(',', 0) == []",
    "['a', 'b'].join('-') == 'a-b' && 'aXbX'.replace('X', '-', 1) == 'a-bX' && 'ab'.replace('', '-') == '-a-b-'",
    "' \\u00a0x '.trim() == 'x' && 'ÀB'.lowerAscii() == 'Àb' && 'àb'.upperAscii() == 'àB'",
    "lists.range(3) == [0, 1, 2] && math.greatest(1, 2.5, 2u) == 2.5 && math.least([3, 1]) == 1",
    "math.round(-1.5) == -2.0 && math.abs(-3) == 3 && math.bitShiftRight(-1, 1) == 9223372036854775807",
    "sets.contains([1, 2], [2.0]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 1], [1])",
    "base64.encode(b'hi') == 'aGk=' && base64.decode('aGk=') == b'hi' && strings.quote('a\"') == '\"a\\\\\"\"'",
    "timestamp('2026-03-29T02:30:00Z').getHours() == 2",
    "timestamp('2026-03-29T02:30:00Z').getHours('Europe/Berlin') == 4",
    "timestamp('2024-12-31T23:30:00Z').getDayOfYear('+01:00') == 0",
    "timestamp('2024-12-31T23:30:00Z').getDayOfWeek() == 2",
    "{'a': args.cents}.a == 5 && {'a': 1} == {'a': 1.0}",
    "double('1e3') == 1000.0 && int('-7') == -7",
    "tool == 'pay'",
  ])("holds: %s", (text) => {
    expect(evaluate(text)).toBe(true);
  });

  it.each([
    "args.items.all(args, .args.amount == 2000)",
    "args.flags.exists(f, args.flags.all(tool, .tool == 'pay'))",
    "args.flags.all(tool, . // the variable\n tool == 'pay')",
  ])("is refused where a name with a dot would be taken for a macro's value: %s", (text) => {
    expect(() => evaluate(text)).toThrow("must not stand beside a macro");
    const unchecked = { variables: { args: true, tool: true }, check: false };
    expect(() => compileExpression(text, unchecked)).toThrow("must not stand beside a macro");
  });

  it("reads a name with a dot beside macros over other names", () => {
    expect(evaluate("args.flags.exists(f, .tool == 'pay') && .args.amount == 2000")).toBe(true);
    expect(evaluate("args.items.exists(sku, sku.sku == 'a')")).toBe(true);
  });

  it.each([
    ["args.absent == 1", "no_such_member"],
    ["args.flags[9] == ''", "no_such_index"],
    ["tol == 1 || args.absent == 2", "no_such_variable"],
    ["result == 1", "no_such_variable"],
    ["args.note.nope()", "no_such_function"],
    ["args.flags.contains('-v')", "wrong_type"],
    ["args.note > 3", "wrong_type"],
    ["args.amount + args.rate > 0.0", "wrong_type"],
    ["args.note ? true : false", "wrong_type"],
    ["args.note", "not_boolean"],
    ["args.amount / (args.cents - 5) == 1", "division_by_zero"],
    ["9223372036854775807 + args.amount > 0", "overflow"],
    ["int(args.secret) == 1", "invalid_argument"],
    ["int('') == 0", "invalid_argument"],
    ["int('0x10') == 16", "invalid_argument"],
    ["double('') == 0.0", "invalid_argument"],
    ["double(args.secret) == 0.0", "invalid_argument"],
    ["bool(args.secret)", "invalid_argument"],
    ["timestamp(args.secret) == timestamp(args.secret)", "invalid_argument"],
    ["base64.decode('!') == b''", "invalid_argument"],
    ["args.note.substring(9) == ''", "no_such_index"],
    ["args.note.matches(args.secret)", "invalid_argument"],
    ["args.note.matches('(?=x)')", "invalid_argument"],
    ["args[args.secret] == 1", "no_such_member"],
  ])("fails with a kind and a place, and no value: %s", (text, kind) => {
    const { evaluate } = compileExpression(text, {
      variables: { args: true, tool: true, result: true },
      check: false,
    });
    const answer = evaluate({ args });
    expect(answer).toMatchObject({ kind, place: { line: 1 } });
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it("says where it failed", () => {
    expect(evaluate("true &&\n  args.note > 3")).toEqual({
      kind: "wrong_type",
      place: { line: 2, column: 13 },
    });
  });

  it("has no variable but its own", () => {
    const { evaluate } = compileExpression("constructor == 1", { variables: {}, check: false });
    expect(evaluate({ constructor: 1 })).toMatchObject({ kind: "no_such_variable" });
  });

  it("finds two JSON values equal exactly if they are", () => {
    const value = fc.jsonValue({ depthSize: "small", noUnicodeString: false });
    const { evaluate } = compileExpression("a == b", { variables: { a: true, b: true } });
    const same = ([a, b]: [unknown, unknown]) => evaluate({ a, b });
    const plain = (json: unknown) => JSON.parse(JSON.stringify(json));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(same([a, plain(a)])).toBe(true);
        expect(same([a, b])).toBe(isDeepStrictEqual(plain(a), plain(b)));
      }),
    );
  });

  it("leaves the stacks of errors as they were", () => {
    const limit = Error.stackTraceLimit;
    evaluate("args.absent == 1");
    expect(Error.stackTraceLimit).toBe(limit);
  });
});
