import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { callFacts, hmacKey, make, pair, pairKey, secret } from "./receipt-fixtures.js";

describe("the algorithm is the key's", () => {
  it("so that a public key is no secret to sign with", () => {
    const pem = pair.publicKey.export({ type: "spki", format: "pem" }) as string;
    const forger = make({ id: "e1", algorithm: "hmac-sha256", secret: pem });
    const verifier = make({ id: "e1", algorithm: "ed25519", publicKey: pem });
    expect(verifier.verifyCall(forger.signCall(callFacts), callFacts)).toMatchObject({
      code: "receipt_forged",
    });
    const signer = make(pairKey);
    expect(
      make({ ...hmacKey, id: "e1" }).verifyCall(signer.signCall(callFacts), callFacts),
    ).toMatchObject({ code: "receipt_forged" });
  });

  it("and a public key alone verifies and cannot sign", () => {
    const verifier = make({ id: "e1", algorithm: "ed25519", publicKey: pair.publicKey });
    expect(verifier.verifyCall(make(pairKey).signCall(callFacts), callFacts)).toBeUndefined();
    expect(() => verifier.signCall(callFacts)).toThrow("no key may sign now");
  });
});

describe("secrets", () => {
  it("are not shown by what is returned", () => {
    const made = make({ id: "k", algorithm: "hmac-sha256", secret }, pairKey);
    const shown = inspect(made, { depth: 9, showHidden: true }) + JSON.stringify(made);
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain("PRIVATE");
    expect(Object.isFrozen(made)).toBe(true);
  });

  it("are copied, so that the caller may wipe them", () => {
    const bytes = Buffer.alloc(32, 7);
    const made = make({ id: "k", algorithm: "hmac-sha256", secret: bytes });
    const receipt = made.signCall(callFacts);
    bytes.fill(0);
    expect(made.verifyCall(receipt, callFacts)).toBeUndefined();
  });
});
