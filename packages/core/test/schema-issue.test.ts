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
