import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallFacts, ResultFacts } from "../src/index.js";
import { algorithms, callFacts, hmacKey, make, resultFacts } from "./receipt-fixtures.js";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
const near = fc.constantFrom("a", "b", "ab", '","', "null", "__proto__", ".", "a\u0000");
const word = fc.oneof(near, text);
const context = fc.record({ sessionId: word, tenant: word, principal: word }, { requiredKeys: [] });
const args = fc.dictionary(
  fc.constantFrom("a", "b", "constructor", ""),
  fc.oneof(fc.integer(), word, fc.constant(null), fc.array(fc.boolean(), { maxLength: 2 })),
  { maxKeys: 3 },
);
const call: fc.Arbitrary<CallFacts> = fc.record({ callId: word, toolName: word, args, context });
const content = fc.oneof(
  word,
  fc.constant(""),
  fc.array(fc.record({ type: word, text: word }), { maxLength: 2 }),
);
const result: fc.Arbitrary<ResultFacts> = fc.record({
  callId: word,
  toolName: word,
  content,
  callReceipt: fc.option(word, { nil: undefined }),
  context,
});
const same = (one: unknown, other: unknown) => sorted(one) === sorted(other);

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

describe.each(algorithms)("P19 a receipt signed with %s", (algorithm, key) => {
  const { signCall, signResult, verifyCall, verifyResult } = make(key);
  const numRuns = algorithm === "ed25519" ? 150 : 500;

  it("is refused after any one character is changed, put in, doubled or left out", () => {
    const call = signCall(callFacts);
    const result = signResult(resultFacts);
    const other = fc.oneof(
      fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    const change = fc.constantFrom("change", "insert", "remove");
    fc.assert(
      fc.property(fc.nat(), other, change, fc.boolean(), (place, character, how, ofCall) => {
        const good = ofCall ? call : result;
        const at = place % good.length;
        const rest = good.slice(how === "insert" ? at : at + 1);
        const bad = good.slice(0, at) + (how === "remove" ? "" : character) + rest;
        fc.pre(bad !== good);
        expect(verifyCall(bad, callFacts)).toBeDefined();
        expect(verifyResult(bad, resultFacts)).toBeDefined();
      }),
      { numRuns },
    );
  });

  it("is refused after any one bit of any one character is flipped", () => {
    const good = signCall(callFacts);
    for (let at = 0; at < good.length; at++) {
      for (let bit = 0; bit < (algorithm === "ed25519" ? 2 : 8); bit++) {
        const flipped = String.fromCharCode(good.charCodeAt(at) ^ (1 << bit));
        const bad = good.slice(0, at) + flipped + good.slice(at + 1);
        expect(verifyCall(bad, callFacts)).toBeDefined();
      }
    }
  });

  it("has one spelling: no other last character stands for the same bytes", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const good = signCall(callFacts);
    const proving = [...alphabet].filter(
      (last) => verifyCall(good.slice(0, -1) + last, callFacts) === undefined,
    );
    expect(proving).toEqual([good.at(-1)]);
  });

  it("proves no facts whose texts run together to the same", () => {
    fc.assert(
      fc.property(word, word, word, fc.boolean(), (one, two, three, ofCall) => {
        const [left, right] = [
          { callId: one + two, toolName: three },
          { callId: one, toolName: two + three },
        ];
        const [before, after] = [
          { context: { sessionId: one + two, tenant: three, principal: one } },
          { context: { sessionId: one, tenant: two + three, principal: one } },
        ];
        const sign = ofCall ? signCall : signResult;
        const verify = ofCall ? verifyCall : verifyResult;
        const code = (signed: object, sent: object) =>
          verify(sign({ ...callFacts, ...signed }), { ...callFacts, ...sent })?.code;
        expect(code(left, right)).toBe("receipt_of_another_call");
        expect(code(before, after)).toBe("receipt_of_another_context");
      }),
    );
  });

  it("proves two lists of facts only where they are one", { tags: "long" }, () => {
    fc.assert(
      fc.property(call, call, (one, other) => {
        const receipt = signCall(one);
        expect(verifyCall(receipt, one)).toBeUndefined();
        expect(verifyCall(receipt, other) === undefined).toBe(same(one, other));
      }),
      { numRuns },
    );
    fc.assert(
      fc.property(result, result, (one, other) => {
        const receipt = signResult(one);
        expect(verifyResult(receipt, one)).toBeUndefined();
        expect(verifyResult(receipt, other) === undefined).toBe(same(one, other));
      }),
      { numRuns },
    );
  });
});

describe("P19 a receipt", () => {
  const { signCall, verifyCall, verifyResult } = make(hmacKey);

  it("is the same to every order of the arguments' keys and to their text", () => {
    fc.assert(
      fc.property(call, ({ args, ...rest }) => {
        const receipt = signCall({ ...rest, args });
        const backwards = Object.fromEntries(Object.entries(args as object).reverse());
        expect(verifyCall(receipt, { ...rest, args: backwards })).toBeUndefined();
        const written = JSON.stringify(backwards, null, 2);
        expect(verifyCall(receipt, { ...rest, args: written })).toBeUndefined();
      }),
    );
  });

  it("is a finding, and no exception, as anything at all", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (receipt, facts) => {
        expect(verifyCall(receipt, callFacts)).toBeDefined();
        expect(verifyResult(signCall(callFacts), facts as ResultFacts)).toBeDefined();
        expect(verifyCall(signCall(callFacts), facts as CallFacts)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});
