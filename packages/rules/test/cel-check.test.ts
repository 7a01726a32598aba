import { describe, expect, it } from "vitest";
import { compileExpression } from "../src/cel.js";

const args = {
  type: "object",
  properties: {
    amount: { type: "number" },
    cents: { type: "integer" },
    note: { type: "string" },
    status: { enum: ["open", "closed"] },
    flags: { type: "array", items: { type: "string" } },
    items: { type: "array", items: { $ref: "#/$defs/item" } },
    free: { type: "object" },
    open: { type: "object", properties: { a: {} }, additionalProperties: true },
    exact: { type: "object", properties: { a: {} }, additionalProperties: false },
    to: { anyOf: [{ type: "string" }, { type: "null" }] },
    either: {
      oneOf: [
        { type: "object", properties: { id: { type: "string" } } },
        { type: "object", properties: { name: { type: "string" } } },
      ],
    },
    both: { allOf: [{ properties: { x: { type: "integer" } } }, { properties: { y: {} } }] },
    tree: { $ref: "#/$defs/tree" },
  },
  $defs: {
    item: { type: "object", properties: { sku: { type: "string" }, count: { type: "integer" } } },
    tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" }, leaf: {} } },
  },
};
const variables = { args, tool: { type: "string" }, result: true };
const compile = (text: string) => compileExpression(text, { variables, where: "rules[0].cel" });

describe("the check of an expression against a schema", () => {
  it.each([
    ["args.amont > 1", "line 1, column 5: there is no member 'amont'. Did you mean 'amount'?"],
    ["true &&\n tol == ''", "line 2, column 2: there is no variable 'tol'. Did you mean 'tool'?"],
    ["has(args.nots)", "there is no member 'nots'. Did you mean 'note'?"],
    ["args.items.all(i, i.skuu == '')", "there is no member 'skuu'. Did you mean 'sku'?"],
    ["args.items[0].cont == 1", "there is no member 'cont'. Did you mean 'count'?"],
    ["args.items.map(i, i.count).exists(c, c == 'x')", "an int is never equal to a string"],
    ["args.tree.next.next.lef == 1", "Did you mean 'leaf'?"],
    ["args.either.nam == ''", "Did you mean 'name'?"],
    ["args.both.z == 1", "there is no member 'z'. Did you mean 'x'? There are: x, y."],
    ["args.exact['b'] == 1", "there is no member 'b'. Did you mean 'a'? There are: a."],
    ["args.note.a == 1", "'a' cannot be a member of a string"],
    ["args.note > 3", "'>' does not take a string with an int"],
    ["args.note == 3", "a string is never equal to an int"],
    ["args.status == 1", "a string is never equal to an int"],
    ["3 in args.flags", "an int is never in a list of values that are each a string"],
    ["args.flags.contains('x')", "there is no 'contains' of a list that takes (a string)"],
    ["args.note.contais('x')", "there is no function 'contais'. Did you mean 'contains'?"],
    ["math.greates(1, 2) == 2", "no function 'math.greates'. Did you mean 'math.greatest'?"],
    ["args.amount * 2 > 3", "write double(…) around it"],
    ["args.note", "the expression must be true or false, and is a string"],
    ["args.note && true", "what '&&' takes must be true or false, and is a string"],
    ["args.cents.exists(c, true)", "'exists' goes over a list or a map, and not an int"],
    ["args.cents[0] == 1", "'[…]' takes a value out of a list or a map, and not out of an int"],
    ["args.note.matches(tool)", "the pattern of 'matches' must be a literal"],
    ["args.note.matches('(?=x)')", "the pattern cannot be used: invalid or unsupported"],
    ["args.note.matches('x{1000}y{1000}')", "at most 1000 instructions of RE2"],
    ["args.cents >", "line 1, column 12: it is not CEL"],
    ["args.cents = 1", "it is not CEL"],
    ["", "it is not CEL"],
    [`${"(".repeat(2_000)}1${")".repeat(1_999)}`, "nested too deeply"],
    [`[${"1,".repeat(1_500)}1] == []`, "at most 1000 parts"],
    ["x".repeat(4_001), "at most 4000 characters"],
  ])("refuses %j", (text, message) => {
    expect(() => compile(text)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_OPTION",
        message: expect.stringMatching(/^rules\[0\]\.cel: /),
      }),
    );
    expect(() => compile(text)).toThrow(message);
  });

  it.each([
    "args.cents * 2 == 10 && double(args.amount) * 2.0 > 1.0 && args.amount > 1 && args.amount >= 1.5",
    "args['unlisted'] == 1",
    "args.free.anything == 1 && args.open.other == 1 && result.whatever[3] == 'x'",
    "args.to == null || args.to.startsWith('x')",
    "args.either.id == '' || args.either.name == ''",
    "args.both.x == 1 && args.both.y == 'a'",
    "args.status == 'open' && args.status in ['open', 'closed']",
    "type(result) == string && type(args) == map",
    "args.items.filter(i, i.count > 1).map(i, i.sku).join(',') == 'a'",
    "args.free.map(k, k).exists(k, k.startsWith('x'))",
    "args.cents > 1 ? args.note == 'a' : args.flags.size() == 0",
    "math.greatest(args.cents, 3) == 3 && lists.range(2)[0] == 0",
    "timestamp(args.note) > timestamp('2026-01-01T00:00:00Z')",
  ])("accepts %s", (text) => {
    expect(() => compile(text)).not.toThrow();
  });

  it("is not made where it is not asked for", () => {
    const options = { variables: { args }, check: false };
    const { evaluate } = compileExpression("args.amont > 1 || tol", options);
    expect(evaluate({ args: {} })).toMatchObject({ kind: "no_such_member" });
    expect(() => compileExpression("args.a >", options)).toThrow("it is not CEL");
  });
});
