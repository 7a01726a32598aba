import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { CallFacts } from "../src/index.js";
import { callFacts, hmacKey, make, resultFacts, thrown } from "./receipt-fixtures.js";

describe("what a receipt is bound to", () => {
  const { signCall, verifyCall, signResult, verifyResult } = make(hmacKey);

  it("is the arguments, not how they are written", () => {
    const receipt = signCall({ ...callFacts, args: { a: 1, b: { c: [2], d: "é" } } });
    const args = ' {"b": {"d": "\\u00e9", "c": [2.0]}, "a": 1e0}';
    expect(verifyCall(receipt, { ...callFacts, args })).toBeUndefined();
  });

  it.each([undefined, null, "", " ", "{}", {}])("takes %j for no arguments", (args) => {
    const receipt = signCall({ ...callFacts, args: {} });
    expect(verifyCall(receipt, { ...callFacts, args })).toBeUndefined();
  });

  it("is the parts of content, not the order of their keys", () => {
    const content = [{ type: "text", text: "x", more: undefined }];
    const receipt = signResult({ ...resultFacts, content });
    const sent = [{ text: "x", type: "text" }];
    expect(verifyResult(receipt, { ...resultFacts, content: sent })).toBeUndefined();
  });

  it("tells parts from text that spells them", () => {
    const content = [{ type: "text", text: "x" }];
    const receipt = signResult({ ...resultFacts, content });
    expect(
      verifyResult(receipt, { ...resultFacts, content: JSON.stringify(content) }),
    ).toMatchObject({ code: "receipt_of_other_content" });
  });

  it("takes null and absent content for the same", () => {
    const { content: _, ...absent } = resultFacts;
    const receipt = signResult({ ...resultFacts, content: null });
    expect(verifyResult(receipt, absent)).toBeUndefined();
  });

  it("survives a cut in the middle of a character, which UTF-8 cannot carry", () => {
    const whole = "cut \u{1f375}".slice(0, -1);
    for (const content of [whole, [{ type: "text", text: whole }]]) {
      const receipt = signResult({ ...resultFacts, content });
      const sent = JSON.parse(Buffer.from(JSON.stringify(content)).toString());
      expect(verifyResult(receipt, { ...resultFacts, content: sent })).toBeUndefined();
      const replaced = JSON.parse(JSON.stringify(content).replace("\\ud83c", "\ufffd"));
      expect(verifyResult(receipt, { ...resultFacts, content: replaced })).toBeUndefined();
    }
  });

  it("is of a context only what is named, whatever else a runner's has", () => {
    const runners = { ...callFacts.context, traceparent: "00-1", attributes: { a: 1 } };
    const receipt = signCall({ ...callFacts, context: runners });
    expect(verifyCall(receipt, callFacts)).toBeUndefined();
  });

  it.each<[string, Partial<CallFacts>, string]>([
    ["arguments", { args: '{"to":"secret' }, "its arguments cannot be read"],
    ["id", { callId: "" }, "its call cannot be read"],
    ["context", { context: { sesionId: "secret" } as never }, "its context cannot be read"],
  ])("is never unreadable: signing refuses such %s and quotes nothing", (_, change, message) => {
    const error = thrown(() => signCall({ ...callFacts, ...change }));
    expect(error).toMatchObject({ code: "ERR_NOT_JSON" });
    expect(error.message).toContain(message);
    expect(inspect(error)).not.toContain("secret");
  });

  it("P8 is nothing planted on Object.prototype", () => {
    const bare = { callId: "c", toolName: "t" };
    const receipt = signCall({ ...bare, args: { a: 1 }, context: { sessionId: "s" } });
    const planted = { args: { a: 1 }, sessionId: "s", context: { sessionId: "s" }, callId: "c" };
    Object.assign(Object.prototype, planted);
    try {
      expect(verifyCall(receipt, bare)).toMatchObject({ code: "receipt_of_other_arguments" });
      expect(verifyCall(receipt, { ...bare, args: { a: 1 }, context: {} })).toMatchObject({
        code: "receipt_of_another_context",
      });
    } finally {
      for (const name of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, name);
    }
  });
});
