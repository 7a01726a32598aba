import { describe, expect, it } from "vitest";
import type { CallFacts } from "../src/index.js";
import { callFacts, hmacKey, make, pairKey, resultFacts } from "./receipt-fixtures.js";

describe("a receipt that is none", () => {
  const { verifyCall, verifyResult, signCall } = make(hmacKey);
  const good = signCall(callFacts);

  it.each([undefined, null, ""])("is missing as %j", (receipt) => {
    expect(verifyCall(receipt, callFacts)).toEqual({
      code: "receipt_missing",
      reason: "the tool call 'pay' with call_id 'call_1' has no receipt",
    });
    expect(verifyResult(receipt, resultFacts)).toEqual({
      code: "receipt_missing",
      reason: "the tool result for call_id 'call_1' has no receipt",
    });
  });

  it.each<[string, unknown]>([
    ["a number", 7],
    ["an object that says it is text", { toString: () => good }],
    ["a list", [good]],
    ["a word", "x"],
    ["dots", "......"],
    ["one more part", `${good}.x`],
    ["one part fewer", good.slice(0, good.lastIndexOf("."))],
    ["a line break", `${good}\n`],
    ["padding", `${good}=`],
    ["another version", good.replace("toolstile1", "toolstile2")],
    ["another kind", good.replace(".call.", ".approval.")],
    ["a key id with a dot", good.replace(".h1.", ".h.1.")],
    ["a time that is no number", good.replace(/\.\d+\./, ".1e3.")],
    ["an alphabet that is not base64url", `${good.slice(0, -1)}+`],
    ["five kilobytes", good + "A".repeat(5_000)],
    ["fifty megabytes", "A".repeat(50_000_000)],
  ])("is malformed as %s", (_, receipt) => {
    expect(verifyCall(receipt, callFacts)).toMatchObject({ code: "receipt_malformed" });
  });

  it("is of an unknown key, which is named", () => {
    expect(make(pairKey).verifyCall(good, callFacts)).toMatchObject({
      code: "receipt_unknown_key",
      reason: expect.stringContaining("'h1'"),
    });
  });

  it("is a finding and never an exception, whatever the facts", () => {
    const trap = new Proxy({} as CallFacts, {
      getOwnPropertyDescriptor() {
        throw new Error("secret");
      },
    });
    for (const facts of [undefined, null, 7, trap, { ...callFacts, context: null, callId: {} }]) {
      expect(verifyCall(good, facts as never)?.code).toBeTruthy();
      expect(JSON.stringify(verifyResult(good, facts as never))).not.toContain("secret");
    }
  });
});
