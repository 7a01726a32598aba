import { describe, expect, it } from "vitest";
import { allow, Decision, deny, modify, rewrite } from "../src/guard/verdicts.js";

describe("Decision", () => {
  it("has the three words of the protocol and cannot be changed", () => {
    expect(Decision).toEqual({ ALLOW: "allow", DENY: "deny", MODIFY: "modify" });
    expect(Object.isFrozen(Decision)).toBe(true);
  });
});

describe("allow", () => {
  it("is one frozen object as long as it says nothing more", () => {
    expect(allow()).toBe(allow());
    expect(allow()).toEqual({ decision: "allow" });
    expect(Object.isFrozen(allow())).toBe(true);
  });

  it("carries a reason and metadata in an object of its own", () => {
    const given = allow({ reason: "known sender", metadata: { rule: 7 } });
    expect(given).toEqual({
      decision: "allow",
      reason: "known sender",
      metadata: { rule: 7 },
    });
    expect(given).not.toBe(allow());
    expect(Object.isFrozen(given)).toBe(true);
  });
});

describe("deny", () => {
  it("carries its reason and all details, frozen", () => {
    const details = {
      code: "too_big",
      replacement: "Ask for less.",
      approval: { summary: "Send it anyway?" },
      metadata: { rule: 7 },
    };
    const given = deny("too big", details);
    expect(given).toEqual({ decision: "deny", reason: "too big", ...details });
    expect(Object.isFrozen(given)).toBe(true);
  });

  it("needs nothing but a reason", () => {
    expect(deny("no")).toEqual({ decision: "deny", reason: "no" });
  });
});

describe("modify", () => {
  it("carries the arguments it was given and all details, frozen", () => {
    const args = { to: "a" };
    const given = modify(args, { reason: "lower case", metadata: { rule: 7 } });
    expect(given).toEqual({
      decision: "modify",
      modifiedArgs: args,
      reason: "lower case",
      metadata: { rule: 7 },
    });
    expect(given.modifiedArgs).toBe(args);
    expect(Object.isFrozen(given)).toBe(true);
  });

  it("needs nothing but arguments", () => {
    expect(modify({})).toEqual({ decision: "modify", modifiedArgs: {} });
  });
});

describe("rewrite", () => {
  it("carries the body it was given and all details, frozen", () => {
    const body = { content: "[redacted]", structured: { n: 1 } };
    const given = rewrite(body, { reason: "secret" });
    expect(given).toEqual({ decision: "modify", modifiedResult: body, reason: "secret" });
    expect(Object.isFrozen(given)).toBe(true);
    expect(rewrite({ content: "" })).toEqual({
      decision: "modify",
      modifiedResult: { content: "" },
    });
  });
});

describe("P1 the word of a verdict", () => {
  const claims = { decision: "allow", reason: "whatever" } as object;

  it("cannot be turned by the details of a deny", () => {
    expect(deny("no", claims)).toEqual({ decision: "deny", reason: "no" });
  });

  it("cannot be turned by the details of a modify or a rewrite", () => {
    const body = { content: "clean" };
    expect(modify({ a: 1 }, { ...claims, modifiedArgs: { a: 2 } } as object)).toEqual({
      decision: "modify",
      modifiedArgs: { a: 1 },
      reason: "whatever",
    });
    expect(rewrite(body, { ...claims, modifiedResult: { content: "raw" } } as object)).toEqual({
      decision: "modify",
      modifiedResult: body,
      reason: "whatever",
    });
  });
});
