import { call, result, testResultGuardrail } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { plugin, resultLinkage } from "../src/index.js";

const asked = call({ query: "oolong tea" }, "search", { callId: "c1", requestedName: "find" });
const given = (content: unknown, claims = {}) => ({
  call: asked,
  result: result(asked, content as string, claims),
});

describe("resultLinkage", () => {
  testResultGuardrail(it, () => resultLinkage(), {
    allowed: [
      given("a cup of tea"),
      given(""),
      given([]),
      given([{ type: "text", text: "a cup of tea" }]),
      given("a cup of tea", { isError: true }),
      given("a cup of tea", { name: "" }),
    ],
    withheld: [
      given("a cup of tea", { callId: "c2" }),
      given("a cup of tea", { callId: "" }),
      given("a cup of tea", { name: "search" }),
      given("a cup of tea", { name: "Find" }),
      given(null),
      given({ text: "a cup of tea" }),
      given(["a cup of tea"]),
      given([{ text: "a cup of tea" }]),
    ],
  });

  it.each([
    [
      "another call's id",
      { callId: "c2" },
      "unknown_call_id",
      "tool result for call_id 'c2' does not correspond to a prior tool call",
    ],
    ["no id", { callId: "" }, "missing_call_id", "tool result is missing a call_id"],
    [
      "another tool's name",
      { name: "search" },
      "name_mismatch",
      "tool result name 'search' does not match the called tool 'find' for call_id 'c1'",
    ],
  ])("P19 withholds a result that claims %s", (_, claims, code, reason) => {
    const { call, result } = given("x", claims);
    expect(resultLinkage().evaluateResult(call, result)).toEqual({
      decision: "deny",
      code,
      reason,
    });
  });

  it("withholds content that no model can be shown", () => {
    const { call, result } = given({ text: "x" });
    expect(resultLinkage().evaluateResult(call, result)).toEqual({
      decision: "deny",
      code: "malformed_content",
      reason: "tool result for call_id 'c1' has malformed content",
    });
  });

  it("lets through a result of no name, unless one is required", () => {
    const { call, result } = given("x");
    const { name: _, ...nameless } = result;
    const decide = (requireNames: boolean) =>
      resultLinkage({ requireNames }).evaluateResult(call, nameless as typeof result);
    expect(decide(false)).toMatchObject({ decision: "allow" });
    expect(decide(true)).toMatchObject({ decision: "deny", code: "missing_name" });
  });

  it("withholds a result of an empty name on request", () => {
    const { call, result } = given("x", { name: "" });
    expect(resultLinkage({ requireNames: true }).evaluateResult(call, result)).toEqual({
      decision: "deny",
      code: "missing_name",
      reason: "tool result for call_id 'c1' is missing a name; expected 'find'",
    });
  });

  it("P3 has no evaluate, so that it never counts as having judged a call", () => {
    expect(Object.keys(resultLinkage())).toEqual(["name", "evaluateResult"]);
  });

  it.each([
    ["id", { name: "find", content: "x" }, "missing_call_id"],
    ["content", { callId: "c1", name: "find" }, "malformed_content"],
  ])("P8 takes no %s from Object.prototype", (_, claims, code) => {
    const planted = { callId: "c1", name: "find", content: "x" };
    Object.assign(Object.prototype, planted);
    try {
      const verdict = resultLinkage().evaluateResult(asked, claims as never);
      expect(verdict).toMatchObject({ decision: "deny", code });
    } finally {
      for (const key of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, key);
    }
  });

  it.each([
    [{ requireName: true }, "Did you mean 'requireNames'?"],
    [{ requireNames: "yes" }, "'requireNames' must be a boolean, received string"],
    [{ name: "" }, "'name' must be a non-empty string, received an empty string"],
    [{ name: 7 }, "'name' must be a non-empty string, received 7"],
    [Object.create({ requireNames: true }), "the options must be a plain object"],
  ])("P5 refuses %o", (options, message) => {
    expect(() => resultLinkage(options as object)).toThrow(message);
  });
});

describe("plugin", () => {
  it("makes a judge of results, under the name it is told", () => {
    expect(plugin.create({ name: "linked", requireNames: true })).toMatchObject({ name: "linked" });
  });

  it("knows the same options as its schema", () => {
    const known = Object.keys(plugin.optionsSchema.properties as object);
    expect(() => plugin.create({ requireName: true } as object)).toThrow(
      `It takes: ${known.join(", ")}.`,
    );
  });
});
