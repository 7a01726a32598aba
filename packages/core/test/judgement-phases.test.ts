import { describe, expect, it } from "vitest";
import { readDecision } from "../src/guard/read-decision.js";
import { deny, modify, rewrite } from "../src/guard/verdicts.js";
import { defaultLimits } from "../src/json/snapshot.js";
import { throws as fails } from "./support/errors.js";
import { isDeepFrozen } from "./support/json-values.js";
import { judged } from "./support/judged.js";
import { accessor, circle } from "./support/malformed.js";

describe("judge of a call", () => {
  it("P6 takes a MODIFY with a frozen copy of its arguments", () => {
    const args = { to: ["a"], gone: undefined };
    const checked = judged(modify(args, { reason: "lower case", metadata: { n: 1 } }));
    args.to.push("b");
    expect(checked).toMatchObject({
      decision: "modify",
      basis: "policy",
      reason: "lower case",
      metadata: { n: 1 },
    });
    expect(checked.args).toStrictEqual({ to: ["a"] });
    expect(isDeepFrozen(checked.args)).toBe(true);
  });

  it.each([
    ["a circle", circle],
    ["a class instance", new (class Args {})()],
    ["a BigInt", { n: 1n }],
    ["a function", { f: () => 1 }],
    ["a Date", { at: new Date(0) }],
    ["a lone surrogate", { a: "\ud800" }],
    ["a __proto__", JSON.parse('{"__proto__":{}}')],
    ["an unsafe number", { n: 2 ** 53 }],
    ["a list", []],
    ["text", '{"a":1}'],
    ["null", null],
    ["undefined", undefined],
    ["a proxy that throws", new Proxy({ a: 1 }, { get: fails })],
    ["a getter that throws", Object.defineProperty({}, "a", { get: fails, enumerable: true })],
    ["65 levels", deep(65)],
    ["a promise", Promise.resolve({})],
  ])("P1 makes a DENY, basis malformed, of a MODIFY to %s", (_, modifiedArgs) => {
    const checked = judged({ decision: "modify", modifiedArgs });
    expect(checked).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(checked.args).toBeUndefined();
    expect(JSON.stringify(checked)).not.toContain("hunter2");
  });

  it("P6 reads a getter among new arguments once", () => {
    let reads = 0;
    const args = Object.defineProperty({}, "to", { get: () => ++reads, enumerable: true });
    expect(judged({ decision: "modify", modifiedArgs: args }).args).toEqual({ to: 1 });
    expect(reads).toBe(1);
  });

  it("P18 holds new arguments to the limits it was given", () => {
    const limits = { ...defaultLimits, maxNodes: 2 };
    expect(readDecision(modify({ a: 1 }), "call", "guard", limits).decision).toBe("modify");
    expect(readDecision(modify({ a: 1, b: 2 }), "call", "guard", limits).basis).toBe("malformed");
  });

  it("P1 refuses a MODIFY of the result", () => {
    expect(judged(rewrite({ content: "x" })).basis).toBe("malformed");
  });

  it("takes a DENY that can be lifted", () => {
    const checked = judged(deny("no", { approval: { summary: "Send?", expiresInMs: 60_000 } }));
    expect(checked.approval).toEqual({ summary: "Send?", expiresInMs: 60_000 });
    expect(Object.isFrozen(checked.approval)).toBe(true);
    expect(judged(deny("no", { approval: { summary: "" } })).approval?.summary).toBe("");
  });

  it.each([
    ["null", null],
    ["text", "Send?"],
    ["true", true],
    ["no summary", {}],
    ["a numeric summary", { summary: 1 }],
    ["an unknown key", { summary: "x", approver: "me" }],
    ["an unknown key beside a time", { summary: "x", expiresInMs: 1, approver: "me" }],
    ["a time that is text", { summary: "x", expiresInMs: "1" }],
    ["a time of zero", { summary: "x", expiresInMs: 0 }],
    ["a time that is negative", { summary: "x", expiresInMs: -1 }],
    ["a time that is NaN", { summary: "x", expiresInMs: Number.NaN }],
    ["a getter", accessor({}, "summary", "x")],
    ["an inherited summary", Object.create({ summary: "x" })],
  ])("P1 takes a DENY with an approval of %s for a DENY that nobody can lift", (_, approval) => {
    const checked = judged({ decision: "deny", reason: "x", approval });
    expect(checked).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(checked.approval).toBeUndefined();
  });
});

function deep(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

describe("judge of an admission", () => {
  it.each([
    ["a MODIFY", modify({ a: 1 })],
    ["a MODIFY without arguments", { decision: "modify" }],
    ["a MODIFY of the result", rewrite({ content: "x" })],
  ])("P1 makes a DENY, basis malformed, of %s", (_, answer) => {
    expect(judged(answer, "admit")).toMatchObject({ decision: "deny", basis: "malformed" });
  });

  it("takes a DENY that can be lifted", () => {
    expect(judged(deny("no", { approval: { summary: "Send?" } }), "admit")).toMatchObject({
      decision: "deny",
      basis: "policy",
      approval: { summary: "Send?" },
    });
  });
});

describe("judge of a result", () => {
  it("P6 takes a MODIFY with a frozen copy of its body", () => {
    const body = { content: [{ type: "text", text: "a" }], structured: { list: [1] } };
    const checked = judged(rewrite(body, { reason: "secret" }), "result");
    body.structured.list.push(2);
    expect(checked).toMatchObject({ decision: "modify", basis: "policy", reason: "secret" });
    expect(checked.body).toEqual({
      content: [{ type: "text", text: "a" }],
      structured: { list: [1] },
    });
    expect(isDeepFrozen(checked.body)).toBe(true);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["text", "clean"],
    ["an object without content", {}],
    ["content of undefined", { content: undefined }],
    ["numeric content", { content: 1 }],
    ["content of texts", { content: ["a"] }],
    ["an unknown key", { content: "a", isError: false }],
    ["another identity", { content: "a", callId: "other" }],
    ["a symbol key", { content: "a", [Symbol("x")]: 1 }],
    ["a structured function", { content: "a", structured: () => 1 }],
    ["a structured BigInt", { content: "a", structured: 1n }],
    ["a structured circle", { content: "a", structured: circle }],
    [
      "a getter that throws",
      Object.defineProperty({}, "content", { get: fails, enumerable: true }),
    ],
  ])("P1 makes a DENY, basis malformed, of a MODIFY to %s", (_, modifiedResult) => {
    const checked = judged({ decision: "modify", modifiedResult }, "result");
    expect(checked).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(JSON.stringify(checked)).not.toContain("hunter2");
  });

  it.each([
    ["a MODIFY of the arguments", modify({ a: 1 })],
    ["a DENY with an approval", deny("no", { approval: { summary: "x" } })],
  ])("P1 makes a DENY, basis malformed, of %s", (_, answer) => {
    expect(judged(answer, "result")).toMatchObject({ decision: "deny", basis: "malformed" });
  });
});
