import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { ToolstileError } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type CallFacts, type ReceiptKey, type ResultFacts, receipts } from "../src/index.js";
import {
  algorithms,
  callFacts,
  hmacKey,
  make,
  pair,
  pairKey,
  resultFacts,
  today,
} from "./receipt-fixtures.js";

const secret = "a secret of 32 bytes at the least";

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
      expect(() => lost.signCall(callFacts)).toThrow("gave no time");
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

describe("P5 receipts refuses", () => {
  const hmac = { id: "k", algorithm: "hmac-sha256", secret };
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const privatePem = pair.privateKey.export({ type: "pkcs8", format: "pem" });

  it.each<[string, unknown, string, string]>([
    ["no options", undefined, "ERR_INVALID_OPTION", "takes an object of options"],
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
    ["that is none", secret, "ERR_INVALID_OPTION", "keys[0] takes an object"],
    ["with a typo", { ...hmac, signUntil: 1 }, "ERR_UNKNOWN_OPTION", "Did you mean 'signsUntil'?"],
    ["of a pair with a secret", { ...pairKey, secret }, "ERR_UNKNOWN_OPTION", "'secret'"],
    ["without an id", { ...hmac, id: undefined }, "ERR_INVALID_OPTION", "id is 1 to 64"],
    ["with a dot in its id", { ...hmac, id: "a.b" }, "ERR_INVALID_OPTION", "id is 1 to 64"],
    ["with a long id", { ...hmac, id: "a".repeat(65) }, "ERR_INVALID_OPTION", "id is 1 to 64"],
    [
      "of an algorithm by half",
      { ...hmac, algorithm: "hmac-sha25" },
      "ERR_INVALID_OPTION",
      "Did you mean 'hmac-sha256'?",
    ],
    ["of no algorithm", { ...hmac, algorithm: "none" }, "ERR_INVALID_OPTION", "algorithm is"],
    ["of a planted name", { ...hmac, algorithm: "constructor" }, "ERR_INVALID_OPTION", "algorithm"],
    ["of 31 bytes", { ...hmac, secret: secret.slice(0, 31) }, "ERR_INVALID_OPTION", "has 31 bytes"],
    ["without a secret", { id: "k", algorithm: "hmac-sha256" }, "ERR_INVALID_OPTION", "secret is"],
    [
      "whose secret is a list",
      { ...hmac, secret: [..."a".repeat(32)] },
      "ERR_INVALID_OPTION",
      "is",
    ],
    ["with no half", { id: "k", algorithm: "ed25519" }, "ERR_INVALID_OPTION", "neither"],
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
      "not the one of privateKey",
    ],
    ["with a date", { ...hmac, signsFrom: new Date() }, "ERR_INVALID_OPTION", "milliseconds"],
    ["at NaN", { ...hmac, verifiesUntil: NaN }, "ERR_INVALID_OPTION", "milliseconds"],
    ["that ends first", { ...hmac, signsFrom: 2, signsUntil: 1 }, "ERR_INVALID_OPTION", "before"],
    [
      "that signs what cannot be verified",
      { ...hmac, signsUntil: 2, verifiesUntil: 1 },
      "ERR_INVALID_OPTION",
      "not after verifiesUntil",
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

function thrown(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (ToolstileError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
