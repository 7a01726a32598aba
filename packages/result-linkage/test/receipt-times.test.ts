import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type ReceiptKey, receipts } from "../src/index.js";
import { callFacts, hmacKey, pairKey, secret, thrown, today } from "./receipt-fixtures.js";

describe("over time", () => {
  const hour = 3_600_000;
  const at = (now: number, options = {}) =>
    receipts({ keys: [hmacKey], clock: fakeClock(now), ...options });
  const receipt = at(today).signCall(callFacts);
  const code = (now: number, options = {}) => at(now, options).verifyCall(receipt, callFacts)?.code;

  it("a receipt may be from the future by the skew of two clocks, and no more", () => {
    expect(code(today - 60_000)).toBeUndefined();
    expect(code(today - 60_001)).toBe("receipt_from_the_future");
    expect(code(today - 1, { clockSkewMs: 0 })).toBe("receipt_from_the_future");
  });

  it("a receipt is good for 30 days and the skew, or as long as is said", () => {
    expect(code(today + 30 * 24 * hour + 60_000)).toBeUndefined();
    expect(code(today + 30 * 24 * hour + 60_001)).toBe("receipt_expired");
    expect(code(today + hour + 1, { maxAgeMs: hour, clockSkewMs: 0 })).toBe("receipt_expired");
    expect(code(today + 9_000 * hour, { maxAgeMs: Infinity })).toBeUndefined();
  });

  it.each([NaN, undefined, "x"])(
    "a clock that says %s proves nothing, and signs nothing",
    (now) => {
      const lost = receipts({ keys: [hmacKey], clock: { now: () => now as number } });
      expect(lost.verifyCall(receipt, callFacts)).toBeDefined();
      expect(() => lost.signCall(callFacts)).toThrow("clock.now() must return milliseconds");
    },
  );

  it("keys follow each other, and an old one verifies until its end", () => {
    const clock = fakeClock(today);
    const old: ReceiptKey = {
      id: "old",
      algorithm: "hmac-sha256",
      secret,
      signsUntil: today + hour,
      verifiesUntil: today + 5 * hour,
    };
    const next: ReceiptKey = { ...pairKey, id: "next", signsFrom: today + hour };
    const rotating = receipts({ keys: [old, next], clock });
    const keyOf = (text: string) => text.split(".")[2];

    const first = rotating.signCall(callFacts);
    expect(keyOf(first)).toBe("old");
    clock.advance(hour);
    const second = rotating.signCall(callFacts);
    expect(keyOf(second)).toBe("next");
    expect(rotating.verifyCall(first, callFacts)).toBeUndefined();
    clock.advance(4 * hour - 1);
    expect(rotating.verifyCall(first, callFacts)).toBeUndefined();
    clock.advance(1);
    expect(rotating.verifyCall(first, callFacts)?.code).toBe("receipt_key_out_of_period");
    expect(rotating.verifyCall(second, callFacts)).toBeUndefined();
  });

  it("what a key signed when it should not proves nothing", () => {
    const stolen = at(today + 2 * hour).signCall(callFacts);
    const verify = (period: object) =>
      at(today + 2 * hour, { keys: [{ ...hmacKey, ...period }] }).verifyCall(stolen, callFacts)
        ?.code;
    expect(verify({ signsUntil: today + hour })).toBe("receipt_key_out_of_period");
    expect(verify({ signsFrom: today + 3 * hour })).toBe("receipt_key_out_of_period");
    // Another host's clock may be behind or ahead.
    expect(verify({ signsUntil: today + 2 * hour - 59_999 })).toBeUndefined();
    expect(verify({ signsFrom: today + 2 * hour + 60_000 })).toBeUndefined();
  });

  it("no key signs before its time", () => {
    const early = at(today, { keys: [{ ...hmacKey, signsFrom: today + 1 }] });
    const error = thrown(() => early.signCall(callFacts));
    expect(error).toMatchObject({ code: "ERR_INVALID_OPTION" });
  });
});
