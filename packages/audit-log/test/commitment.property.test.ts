import { createHmac } from "node:crypto";
import { digest } from "@toolstile/core/digest";
import fc from "fast-check";
import { expect, it } from "vitest";
import { commitments, keyFingerprint } from "../src/format/commitment.js";

it("is HMAC-SHA-256, whatever the key's length and the text", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }),
      fc.integer({ min: 0, max: 40_000 }),
      (key, texts, length) => {
        const commit = commitments(key);
        for (const text of [...texts, "é".repeat(length)]) {
          expect(commit(text)).toBe(createHmac("sha256", key).update(text).digest("hex"));
        }
      },
    ),
  );
});

it("is what core's digest() gives for a value under the same key", () => {
  const key = Buffer.alloc(32, 3);
  expect(commitments(key)('{"a":1}')).toBe(digest({ a: 1 }, key));
});

it("gives two keys two fingerprints, and neither is the key's bare hash", () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(keyFingerprint(one)).not.toBe(keyFingerprint(other));
  expect(digest(one.toString("hex"))).not.toContain(keyFingerprint(one));
});
