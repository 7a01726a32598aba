import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digest } from "../src/json/digest.js";

describe("digest", () => {
  it("is SHA-256 of the canonical text", () => {
    expect(digest({ b: [true, null], a: 1 })).toBe(digest(JSON.parse('{"a":1,"b":[true,null]}')));
    // The expected values are those of sha256sum(1) for the texts {} and "abc".
    expect(digest({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    expect(digest("abc")).toBe("6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25");
  });

  it("is HMAC-SHA-256 of the canonical text where there is a key, as text or bytes", () => {
    const expected = createHmac("sha256", "key").update('{"a":1}').digest("hex");
    expect(digest({ a: 1 }, "key")).toBe(expected);
    expect(digest({ a: 1 }, new TextEncoder().encode("key"))).toBe(expected);
    expect(digest({ a: 1 }, "")).not.toBe(digest({ a: 1 }));
  });

  it("refuses what has no canonical text", () => {
    expect(() => digest(() => 1)).toThrow(expect.objectContaining({ code: "ERR_NOT_JSON" }));
  });
});
