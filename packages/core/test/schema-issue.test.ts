import { describe, expect, it } from "vitest";
import { holdsValueOf } from "../src/tool/held-values.js";
import { describeIssue } from "../src/tool/schema-issue.js";
import { allNames } from "../src/tool/schema-place.js";

it("P2 a schema that states its values wrongly has nothing said of them", () => {
  const schema = { properties: { to: { enum: 7 } } };
  expect(describeIssue({ message: "", path: ["to"] }, schema, { to: 1 })).toBe(" at /to");
});

describe("P2 an expectation of a library", () => {
  it("is told as it is, unless it is that a property is removed", () => {
    const said = (issue: object) =>
      describeIssue({ message: "", path: ["to"], ...issue } as never, {}, { to: 1 });
    expect(said({ expected: "removed" })).toBe(" at /*: expected removed");
    expect(said({ expected: "removed", code: "predicate" })).toBe(
      " at /*: this property is not declared",
    );
  });
});

describe("P2 a value of another type", () => {
  it.each([
    ["a list", []],
    ["null", null],
    ["text", "x"],
  ])("than an object is told of, also where the library says nothing: %s", (_, value) => {
    const schema = { properties: { to: { type: "object" } } };
    expect(describeIssue({ message: "", path: ["to"] }, schema, { to: value })).toBe(
      " at /to: expected object",
    );
  });
});

describe("P2 a text holds a value", () => {
  it("unless it is certain that it does not", () => {
    const none = new Set<string>();
    expect(holdsValueOf("must be yours", { to: "thief", n: 7, ok: true, no: null }, none)).toBe(
      false,
    );
    expect(holdsValueOf("not for thief", { to: ["a", { b: "thief" }] }, none)).toBe(true);
    expect(holdsValueOf("not a secret key", { secret: 1 }, none)).toBe(true);
    expect(holdsValueOf("not a secret key", { secret: 1 }, new Set(["secret"]))).toBe(false);
    expect(holdsValueOf("anything", { text: "x".repeat(70_000) }, none)).toBe(true);
    expect(holdsValueOf("a b c", { text: "" }, none)).toBe(false);
    expect(holdsValueOf("true or null", { ok: true, no: null }, none)).toBe(false);
    // A value of three letters is looked for as a word, one of four within words too.
    expect(holdsValueOf("hunters", { to: "hun" }, none)).toBe(false);
    expect(holdsValueOf("hunters", { to: "hunt" }, none)).toBe(true);
  });
});

describe("the names that a schema declares", () => {
  it("are found beside more values than fit on the stack", () => {
    const schema = { properties: { to: { enum: Array(300_000).fill("x") } } };
    expect([...allNames(schema)]).toEqual(["to"]);
  });
});

describe("P2 a text of a schema's author", () => {
  const none: ReadonlySet<string> = new Set();
  const holds = (text: string, args: unknown, declared = none) =>
    holdsValueOf(text, args, declared);

  it("may hold a value where there is too much to compare, and not before", () => {
    expect(holds("tea", ["x".repeat(65_535)])).toBe(false);
    expect(holds("tea", ["x".repeat(65_536)])).toBe(true);
    expect(holds("tea", ["x".repeat(65_533), "y", "z"])).toBe(true);
    expect(holds("tea", ["x".repeat(65_532), "y"])).toBe(false);
  });

  it("holds a value of which it says one long word", () => {
    expect(holds("kept secretly", ["x secretly"])).toBe(true);
    expect(holds("kept private", ["x private"])).toBe(false);
  });

  it("holds a value that it spells in several words", () => {
    expect(holds("for ada love", ["adalove"])).toBe(true);
    expect(holds("for ada love", ["ada@love"])).toBe(true);
  });

  it("holds no value that has no letters, and no place in a list", () => {
    expect(holds("item 0 of 1", [["---"]])).toBe(false);
    expect(holds("item 0", { list: ["tea"] }, new Set(["list"]))).toBe(false);
    expect(holds("item 0", { 0: "tea" })).toBe(true);
  });
});
