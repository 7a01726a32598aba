import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CallFacts, ResultFacts } from "../src/index.js";
import { algorithms, callFacts, make, resultFacts } from "./receipt-fixtures.js";

describe.each(algorithms)("P19 a receipt signed with %s", (_, key) => {
  const signs = make(key);

  it("proves its call and its result to another process with the key", () => {
    const call = signs.signCall(callFacts);
    const result = signs.signResult({ ...resultFacts, callReceipt: call });
    expect(make(key).verifyCall(call, callFacts)).toBeUndefined();
    const facts = { ...resultFacts, callReceipt: call };
    expect(make(key).verifyResult(result, facts)).toBeUndefined();
  });

  it.each<[string, Partial<CallFacts>, string]>([
    ["id", { callId: "call_2" }, "receipt_of_another_call"],
    ["tool", { toolName: "refund" }, "receipt_of_another_call"],
    ["tool, by case only", { toolName: "Pay" }, "receipt_of_another_call"],
    ["id, as none", { callId: "" }, "receipt_of_another_call"],
    ["argument", { args: { to: "secret account", amount: 8 } }, "receipt_of_other_arguments"],
    ["argument, as text", { args: '{"amount":"7"}' }, "receipt_of_other_arguments"],
    ["arguments, as none", { args: undefined }, "receipt_of_other_arguments"],
    ["arguments, as text that cannot be read", { args: "{" }, "receipt_of_other_arguments"],
    [
      "arguments, said twice",
      { args: '{"to":"x","to":"secret account","amount":7}' },
      "receipt_of_other_arguments",
    ],
    [
      "session",
      { context: { ...callFacts.context, sessionId: "other" } },
      "receipt_of_another_context",
    ],
    ["context, as none", { context: undefined }, "receipt_of_another_context"],
    [
      "tenant, as the principal",
      { context: { sessionId: "secret session", tenant: "p", principal: "t" } },
      "receipt_of_another_context",
    ],
    [
      "tenant, as none",
      { context: { sessionId: "secret session", principal: "p" } },
      "receipt_of_another_context",
    ],
    [
      "context, by a typo",
      { context: { ...callFacts.context, sesionId: "x" } as never },
      "receipt_of_another_context",
    ],
  ])("proves no call of another %s, and says nothing secret", (_, change, code) => {
    const finding = signs.verifyCall(signs.signCall(callFacts), { ...callFacts, ...change });
    expect(finding).toMatchObject({ code });
    expect(JSON.stringify(finding)).not.toMatch(/secret|amount/);
  });

  it.each<[string, Partial<ResultFacts>, string]>([
    ["call id", { callId: "call_2" }, "receipt_of_another_call"],
    ["tool", { toolName: "refund" }, "receipt_of_another_call"],
    ["call with the same id", { callReceipt: "another's" }, "receipt_of_another_call"],
    ["call, as none", { callReceipt: undefined }, "receipt_of_another_call"],
    ["content", { content: "secret contents" }, "receipt_of_other_content"],
    ["content, as empty", { content: "" }, "receipt_of_other_content"],
    ["content, as null", { content: null }, "receipt_of_other_content"],
    ["content, as a number", { content: 7 as never }, "receipt_of_other_content"],
    ["context", { context: { sessionId: "secret session" } }, "receipt_of_another_context"],
  ])("proves no result of another %s, and says nothing secret", (_, change, code) => {
    const finding = signs.verifyResult(signs.signResult(resultFacts), {
      ...resultFacts,
      ...change,
    });
    expect(finding).toMatchObject({ code });
    expect(JSON.stringify(finding)).not.toContain("secret");
  });

  it("is good for its own kind only", () => {
    const call = signs.signCall(callFacts);
    const result = signs.signResult(resultFacts);
    const code = "receipt_of_another_kind";
    expect(signs.verifyResult(call, resultFacts)).toMatchObject({ code });
    expect(signs.verifyCall(result, callFacts)).toMatchObject({ code });
    // Were the word alone changed, the signature would no longer be its own.
    const renamed = call.replace(".call.", ".result.");
    expect(signs.verifyResult(renamed, resultFacts)?.code).toMatch(/malformed|forged/);
  });

  it("differs each time, so that equal calls of two turns are told apart", () => {
    const [first, second] = [signs.signCall(callFacts), signs.signCall(callFacts)];
    expect(first).not.toBe(second);
    const parts = (receipt: string) => receipt.split(".").slice(4);
    expect(parts(first).filter((part) => parts(second).includes(part))).toEqual([]);
    const result = signs.signResult({ ...resultFacts, callReceipt: first });
    expect(signs.verifyResult(result, { ...resultFacts, callReceipt: second })).toMatchObject({
      code: "receipt_of_another_call",
    });
  });

  it("is never longer than 381 characters", () => {
    const longest = { ...key, id: "i".repeat(64) };
    const long = { ...resultFacts, callId: "c".repeat(10_000), content: "x".repeat(100_000) };
    expect(make(longest).signResult(long).length).toBeLessThanOrEqual(381);
    expect(make(longest).signCall({ ...callFacts, callId: long.callId }).length).toBeLessThan(381);
  });

  it("is forged where another key of the same id made it", () => {
    const other =
      key.algorithm === "ed25519"
        ? { ...key, privateKey: generateKeyPairSync("ed25519").privateKey }
        : { ...key, secret: "another secret of 32 bytes or more" };
    expect(make(other).verifyCall(signs.signCall(callFacts), callFacts)).toMatchObject({
      code: "receipt_forged",
    });
  });
});
