import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type ReceiptKey, receipts } from "../src/index.js";
import { callFacts, hmacKey, make, pair, pairKey, secret, thrown } from "./receipt-fixtures.js";

describe("P5 receipts refuses", () => {
  const hmac = { id: "k", algorithm: "hmac-sha256", secret };
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const privatePem = pair.privateKey.export({ type: "pkcs8", format: "pem" });

  it.each<[string, unknown, string, string]>([
    [
      "no options",
      undefined,
      "ERR_INVALID_OPTION",
      "the options must be an object, received undefined",
    ],
    ["no keys", {}, "ERR_INVALID_OPTION", "at least one key"],
    ["an empty list", { keys: [] }, "ERR_INVALID_OPTION", "at least one key"],
    ["keys that are no list", { keys: hmac }, "ERR_INVALID_OPTION", "at least one key"],
    ["a typo", { keys: [hmac], maxAge: 1 }, "ERR_UNKNOWN_OPTION", "Did you mean 'maxAgeMs'?"],
    ["a negative age", { keys: [hmac], maxAgeMs: -1 }, "ERR_INVALID_OPTION", "maxAgeMs"],
    ["an age in words", { keys: [hmac], maxAgeMs: "1 d" }, "ERR_INVALID_OPTION", "maxAgeMs"],
    ["a skew of NaN", { keys: [hmac], clockSkewMs: NaN }, "ERR_INVALID_OPTION", "clockSkewMs"],
    [
      "a skew without end",
      { keys: [hmac], clockSkewMs: Infinity },
      "ERR_INVALID_OPTION",
      "clockSk",
    ],
    ["a clock that stands", { keys: [hmac], clock: 7 }, "ERR_INVALID_OPTION", "clock"],
  ])("%s", (_, options, code, message) => {
    const error = thrown(() => receipts(options as never));
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(message);
  });

  it.each<[string, unknown, string, string]>([
    ["that is none", secret, "ERR_INVALID_OPTION", "'keys[0]' must be an object of options"],
    ["with a typo", { ...hmac, signUntil: 1 }, "ERR_UNKNOWN_OPTION", "Did you mean 'signsUntil'?"],
    ["of a pair with a secret", { ...pairKey, secret }, "ERR_UNKNOWN_OPTION", "'secret'"],
    [
      "without an id",
      { ...hmac, id: undefined },
      "ERR_INVALID_OPTION",
      "'keys[0].id' must be a string of 1 to 64",
    ],
    [
      "with a dot in its id",
      { ...hmac, id: "a.b" },
      "ERR_INVALID_OPTION",
      "'keys[0].id' must be a string of 1 to 64",
    ],
    [
      "with a long id",
      { ...hmac, id: "a".repeat(65) },
      "ERR_INVALID_OPTION",
      "'keys[0].id' must be a string of 1 to 64",
    ],
    [
      "of an algorithm by half",
      { ...hmac, algorithm: "hmac-sha25" },
      "ERR_INVALID_OPTION",
      '\'keys[0].algorithm\' must be "hmac-sha256" or "ed25519"',
    ],
    ["of no algorithm", { ...hmac, algorithm: "none" }, "ERR_INVALID_OPTION", "algorithm' must be"],
    ["of a planted name", { ...hmac, algorithm: "constructor" }, "ERR_INVALID_OPTION", "algorithm"],
    [
      "of 31 bytes",
      { ...hmac, secret: secret.slice(0, 31) },
      "ERR_INVALID_OPTION",
      "'keys[0].secret' must have at least 32 bytes, received 31",
    ],
    [
      "without a secret",
      { id: "k", algorithm: "hmac-sha256" },
      "ERR_INVALID_OPTION",
      "'keys[0].secret' must be a string or a Uint8Array, received undefined",
    ],
    [
      "whose secret is a list",
      { ...hmac, secret: [..."a".repeat(32)] },
      "ERR_INVALID_OPTION",
      "'keys[0].secret' must be a string or a Uint8Array, received an array",
    ],
    [
      "with no half",
      { id: "k", algorithm: "ed25519" },
      "ERR_INVALID_OPTION",
      "must have a privateKey or a publicKey",
    ],
    [
      "of another curve",
      { ...pairKey, privateKey: generateKeyPairSync("x25519").privateKey },
      "ERR_INVALID_OPTION",
      "Ed25519 private key",
    ],
    ["of RSA", { ...pairKey, privateKey: rsa.privateKey }, "ERR_INVALID_OPTION", "Ed25519 private"],
    [
      "half swapped",
      { ...pairKey, privateKey: pair.publicKey },
      "ERR_INVALID_OPTION",
      "private key",
    ],
    [
      "with a private key for a public one",
      { id: "k", algorithm: "ed25519", publicKey: privatePem },
      "ERR_INVALID_OPTION",
      "Ed25519 public key",
    ],
    ["that is no PEM", { ...pairKey, privateKey: secret }, "ERR_INVALID_OPTION", "PEM"],
    [
      "of two pairs",
      { ...pairKey, publicKey: generateKeyPairSync("ed25519").publicKey },
      "ERR_INVALID_OPTION",
      "must have a publicKey that belongs to its privateKey",
    ],
    ["with a date", { ...hmac, signsFrom: new Date() }, "ERR_INVALID_OPTION", "milliseconds"],
    ["at NaN", { ...hmac, verifiesUntil: NaN }, "ERR_INVALID_OPTION", "milliseconds"],
    [
      "that ends first",
      { ...hmac, signsFrom: 2, signsUntil: 1 },
      "ERR_INVALID_OPTION",
      "must have signsFrom before signsUntil",
    ],
    [
      "that signs what cannot be verified",
      { ...hmac, signsUntil: 2, verifiesUntil: 1 },
      "ERR_INVALID_OPTION",
      "must not have signsUntil after verifiesUntil",
    ],
  ])("a key %s, and shows no secret", (_, key, code, message) => {
    const error = thrown(() => receipts({ keys: [key as ReceiptKey] }));
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(message);
    expect(inspect(error, { depth: 9 })).not.toContain(secret.slice(0, 31));
  });

  it("two keys of one id", () => {
    expect(() => receipts({ keys: [hmacKey, { ...pairKey, id: "h1" }] })).toThrow(
      "two keys have the id 'h1'",
    );
  });

  it.each([
    ["key objects", pair.privateKey, pair.publicKey],
    ["PEM text", privatePem, pair.publicKey.export({ type: "spki", format: "pem" })],
  ])("no pair given as %s", (_, privateKey, publicKey) => {
    const key = { ...pairKey, privateKey, publicKey } as ReceiptKey;
    expect(make(key).verifyCall(make(pairKey).signCall(callFacts), callFacts)).toBeUndefined();
  });
});
