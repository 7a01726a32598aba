import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../src/json.js";
import { allowed, Judgement, judge, type Phase } from "../src/judgement.js";
import { allow, deny, modify, rewrite } from "../src/verdict.js";
import { isDeepFrozen } from "./support/json-values.js";
import { whilePlanted } from "./support/planted.js";

const phases: readonly Phase[] = ["call", "admit", "result"];

function judged(answer: unknown, phase: Phase = "call"): Judgement {
  return judge(answer, phase, "guard", defaultLimits);
}

class Verdict {
  decision = "allow";
}
class Inheriting extends Verdict {
  reason = "x";
}

const circle: Record<string, unknown> = {};
circle["self"] = circle;

function throwing(trap: keyof ProxyHandler<object>): object {
  return new Proxy(
    { decision: "allow" },
    {
      [trap]: () => {
        throw new Error("hunter2");
      },
    },
  );
}

/** Everything that looks like an answer and is none, in any phase. */
const malformed: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["true", true],
  ["false", false],
  ["zero", 0],
  ["one", 1],
  ["NaN", Number.NaN],
  ["a BigInt", 1n],
  ["a symbol", Symbol("allow")],
  ["a function", () => allow()],
  ["the word allow", "allow"],
  ["the word allow, boxed", Object("allow")],
  ["a list", []],
  ["a list of answers", [allow()]],
  ["a list with a decision", Object.assign([], { decision: "allow" })],
  ["an empty object", {}],
  ["the answer of another framework", { allow: true }],
  ["a boolean decision", { decision: true }],
  ["an upper-case decision", { decision: "ALLOW" }],
  ["a decision with a space", { decision: "allow " }],
  ["a decision in a list", { decision: ["allow"] }],
  ["a boxed decision", { decision: Object("allow") }],
  ["a decision with a toString", { decision: { toString: () => "allow" } }],
  ["an unknown decision", { decision: "ask" }],
  ["no decision", { reason: "fine" }],
  ["an undefined decision", { decision: undefined }],
  ["a null decision", { decision: null }],
  ["a decision under a near name", { Decision: "allow" }],
  ["a verdict", { verdict: "allow" }],
  ["an unknown key", { decision: "allow", allowed: true }],
  ["an unknown key that is null", { decision: "allow", extra: null }],
  ["a symbol key", { decision: "allow", [Symbol("x")]: 1 }],
  ["a hidden unknown key", hidden({ decision: "allow" }, "extra", 1)],
  ["a decision behind a getter", accessor({}, "decision", "allow")],
  ["a reason behind a getter", accessor({ decision: "allow" }, "reason", "x")],
  ["a setter", setter({ decision: "allow" }, "reason")],
  ["an inherited decision", Object.create({ decision: "allow" })],
  [
    "an inherited decision under an own reason",
    Object.create({ decision: "allow" }, own("reason")),
  ],
  ["a decision inherited from a class", Object.create(new Verdict())],
  ["a proxy whose ownKeys throws", throwing("ownKeys")],
  ["a proxy whose descriptor throws", throwing("getOwnPropertyDescriptor")],
  ["a proxy that invents a key", new Proxy({ decision: "allow" }, { ownKeys: () => ["other"] })],
  ["a revoked proxy", revoked()],
  ["an allow with arguments", { decision: "allow", modifiedArgs: {} }],
  ["an allow with a result", { decision: "allow", modifiedResult: { content: "" } }],
  ["an allow with a code", { decision: "allow", code: "x" }],
  ["an allow with a replacement", { decision: "allow", replacement: "x" }],
  ["an allow with an approval", { decision: "allow", approval: { summary: "x" } }],
  ["a reason that is a number", { decision: "allow", reason: 1 }],
  ["a reason that is an object", { decision: "deny", reason: { toString: () => "x" } }],
  ["a reason that is boxed", { decision: "deny", reason: Object("x") }],
  ["a code that is a number", { decision: "deny", reason: "x", code: 7 }],
  ["a code that is null", { decision: "deny", reason: "x", code: null }],
  ["metadata that is text", { decision: "allow", metadata: "x" }],
  ["metadata that is a list", { decision: "allow", metadata: [] }],
  ["metadata that is null", { decision: "allow", metadata: null }],
  ["metadata in a circle", { decision: "allow", metadata: circle }],
  ["metadata with a BigInt", { decision: "allow", metadata: { n: 1n } }],
  ["metadata that is a function", { decision: "allow", metadata: () => 1 }],
  ["metadata whose toJSON throws", { decision: "allow", metadata: { toJSON: fails } }],
  ["a deny with arguments", { decision: "deny", reason: "x", modifiedArgs: {} }],
  ["a replacement that is a number", { decision: "deny", reason: "x", replacement: 7 }],
  ["a replacement that is null", { decision: "deny", reason: "x", replacement: null }],
  ["a replacement of texts", { decision: "deny", reason: "x", replacement: ["text"] }],
  ["a part without a type", { decision: "deny", reason: "x", replacement: [{ text: "a" }] }],
  ["a part with a numeric type", { decision: "deny", reason: "x", replacement: [{ type: 1 }] }],
  ["a part that is null", { decision: "deny", reason: "x", replacement: [null] }],
  ["a modify of nothing", { decision: "modify" }],
  ["a modify under AutoGen's name", { decision: "modify", modified_args: {} }],
  [
    "a modify of arguments and result",
    { decision: "modify", modifiedArgs: {}, modifiedResult: { content: "" } },
  ],
  ["a modify with a code", { decision: "modify", modifiedArgs: {}, code: "x" }],
  ["a modify with a replacement", { decision: "modify", modifiedArgs: {}, replacement: "x" }],
  [
    "a modify with an approval",
    { decision: "modify", modifiedArgs: {}, approval: { summary: "x" } },
  ],
  ["a modify of the tool's name", { decision: "modify", modifiedArgs: {}, toolName: "x" }],
  ["a promise that was not awaited", Promise.resolve(allow())],
  ["a thenable", { decision: "allow", then: () => undefined }],
  ["an error", new Error("allow")],
  ["a Map of the fields", new Map([["decision", "allow"]])],
];

function own(key: string): PropertyDescriptorMap {
  return { [key]: { value: "x", enumerable: true } };
}
function hidden(object: object, key: string, value: unknown): object {
  return Object.defineProperty(object, key, { value, enumerable: false });
}
function accessor(object: object, key: string, value: unknown): object {
  return Object.defineProperty(object, key, { get: () => value, enumerable: true });
}
function setter(object: object, key: string): object {
  return Object.defineProperty(object, key, { set: () => undefined, enumerable: true });
}
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({ decision: "allow" }, {});
  revoke();
  return proxy;
}
function fails(): never {
  throw new Error("hunter2");
}

describe.each(phases)("P1 judge in the phase %s", (phase) => {
  it.each(malformed)("makes a DENY, basis malformed, of %s", (_, answer) => {
    const judgement = judged(answer, phase);
    expect(judgement).toMatchObject({
      decision: "deny",
      basis: "malformed",
      reason: "guardrail 'guard' gave no well-formed decision",
    });
    expect(JSON.stringify(judgement)).not.toContain("hunter2");
  });

  it.each([
    ["the shared one", allow(), {}],
    ["a literal", { decision: "allow" }, {}],
    ["with a reason", allow({ reason: "known" }), { reason: "known" }],
    ["with an empty reason", { decision: "allow", reason: "" }, { reason: "" }],
    ["with metadata", allow({ metadata: { n: 1 } }), { metadata: { n: 1 } }],
    ["with undefined fields", { decision: "allow", reason: undefined, code: undefined }, {}],
    ["of a class", new Inheriting(), { reason: "x" }],
    ["without prototype", Object.assign(Object.create(null), { decision: "allow" }), {}],
    ["of another realm", runInNewContext("({ decision: 'allow' })"), {}],
    ["with hidden fields", hidden({}, "decision", "allow"), {}],
  ])("takes an ALLOW: %s", (_, answer, fields) => {
    expect(judged(answer, phase)).toMatchObject({ decision: "allow", basis: "policy", ...fields });
  });

  it.each([
    ["with a reason", deny("no"), { reason: "no" }],
    ["without a reason", { decision: "deny" }, { reason: "policy violation" }],
    ["with an empty reason", deny(""), { reason: "policy violation" }],
    ["with a code", deny("no", { code: "big" }), { reason: "no", code: "big" }],
    [
      "with a text in its place",
      deny("no", { replacement: "Ask less." }),
      { replacement: "Ask less." },
    ],
    ["with an empty text in its place", deny("no", { replacement: "" }), { replacement: "" }],
    [
      "with parts in its place",
      deny("no", { replacement: [{ type: "text", text: "Ask less." }] }),
      { replacement: [{ type: "text", text: "Ask less." }] },
    ],
    [
      "with metadata",
      deny("no", { metadata: { at: new Date(0) } }),
      { metadata: { at: "1970-01-01T00:00:00.000Z" } },
    ],
  ])("takes a DENY: %s", (_, answer, fields) => {
    expect(judged(answer, phase)).toMatchObject({ decision: "deny", basis: "policy", ...fields });
  });

  it("cuts a reason after 2,000 units, for the model reads it", () => {
    expect(judged(deny("x".repeat(2_000)), phase).reason).toBe("x".repeat(2_000));
    expect(judged(deny("x".repeat(1_000_000)), phase).reason).toBe("x".repeat(2_000));
  });

  it("P6 shares nothing that can change with the answer", () => {
    const metadata = { list: [1] };
    const replacement = [{ type: "text", text: "a" }];
    const judgement = judged({ decision: "deny", reason: "no", metadata, replacement }, phase);
    metadata.list.push(2);
    (replacement[0] as { text: string }).text = "b";
    expect(judgement.metadata).toEqual({ list: [1] });
    expect(judgement.replacement).toEqual([{ type: "text", text: "a" }]);
    expect(isDeepFrozen(judgement.metadata)).toBe(true);
    expect(isDeepFrozen(judgement.replacement)).toBe(true);
  });
});

describe("judge of a call", () => {
  it("P6 takes a MODIFY with a frozen copy of its arguments", () => {
    const args = { to: ["a"], gone: undefined };
    const judgement = judged(modify(args, { reason: "lower case", metadata: { n: 1 } }));
    args.to.push("b");
    expect(judgement).toMatchObject({
      decision: "modify",
      basis: "policy",
      reason: "lower case",
      metadata: { n: 1 },
    });
    expect(judgement.args).toStrictEqual({ to: ["a"] });
    expect(isDeepFrozen(judgement.args)).toBe(true);
  });

  it.each([
    ["a circle", circle],
    ["a class instance", new (class Args {})()],
    ["a BigInt", { n: 1n }],
    ["a function", { f: () => 1 }],
    ["a Date", { at: new Date(0) }],
    ["a lone surrogate", { a: "\ud800" }],
    ["a __proto__", JSON.parse('{"__proto__":{}}')],
    ["an unsafe number", { n: 2 ** 53 }],
    ["a list", []],
    ["text", '{"a":1}'],
    ["null", null],
    ["undefined", undefined],
    ["a proxy that throws", new Proxy({ a: 1 }, { get: fails })],
    ["a getter that throws", Object.defineProperty({}, "a", { get: fails, enumerable: true })],
    ["65 levels", deep(65)],
    ["a promise", Promise.resolve({})],
  ])("P1 makes a DENY, basis malformed, of a MODIFY to %s", (_, modifiedArgs) => {
    const judgement = judged({ decision: "modify", modifiedArgs });
    expect(judgement).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(judgement.args).toBeUndefined();
    expect(JSON.stringify(judgement)).not.toContain("hunter2");
  });

  it("P6 reads a getter among new arguments once", () => {
    let reads = 0;
    const args = Object.defineProperty({}, "to", { get: () => ++reads, enumerable: true });
    expect(judged({ decision: "modify", modifiedArgs: args }).args).toEqual({ to: 1 });
    expect(reads).toBe(1);
  });

  it("P18 holds new arguments to the limits it was given", () => {
    const limits = { ...defaultLimits, maxNodes: 2 };
    expect(judge(modify({ a: 1 }), "call", "guard", limits).decision).toBe("modify");
    expect(judge(modify({ a: 1, b: 2 }), "call", "guard", limits).basis).toBe("malformed");
  });

  it("P1 refuses a MODIFY of the result", () => {
    expect(judged(rewrite({ content: "x" })).basis).toBe("malformed");
  });

  it("takes a DENY that can be lifted", () => {
    const judgement = judged(deny("no", { approval: { summary: "Send?", expiresInMs: 60_000 } }));
    expect(judgement.approval).toEqual({ summary: "Send?", expiresInMs: 60_000 });
    expect(Object.isFrozen(judgement.approval)).toBe(true);
    expect(judged(deny("no", { approval: { summary: "" } })).approval?.summary).toBe("");
  });

  it.each([
    ["null", null],
    ["text", "Send?"],
    ["true", true],
    ["no summary", {}],
    ["a numeric summary", { summary: 1 }],
    ["an unknown key", { summary: "x", approver: "me" }],
    ["an unknown key beside a time", { summary: "x", expiresInMs: 1, approver: "me" }],
    ["a time that is text", { summary: "x", expiresInMs: "1" }],
    ["a time of zero", { summary: "x", expiresInMs: 0 }],
    ["a time that is negative", { summary: "x", expiresInMs: -1 }],
    ["a time that is NaN", { summary: "x", expiresInMs: Number.NaN }],
    ["a getter", accessor({}, "summary", "x")],
    ["an inherited summary", Object.create({ summary: "x" })],
  ])("P1 takes a DENY with an approval of %s for a DENY that nobody can lift", (_, approval) => {
    const judgement = judged({ decision: "deny", reason: "x", approval });
    expect(judgement).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(judgement.approval).toBeUndefined();
  });
});

function deep(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

describe("judge of an admission", () => {
  it.each([
    ["a MODIFY", modify({ a: 1 })],
    ["a MODIFY without arguments", { decision: "modify" }],
    ["a MODIFY of the result", rewrite({ content: "x" })],
  ])("P1 makes a DENY, basis malformed, of %s", (_, answer) => {
    expect(judged(answer, "admit")).toMatchObject({ decision: "deny", basis: "malformed" });
  });

  it("takes a DENY that can be lifted", () => {
    expect(judged(deny("no", { approval: { summary: "Send?" } }), "admit")).toMatchObject({
      decision: "deny",
      basis: "policy",
      approval: { summary: "Send?" },
    });
  });
});

describe("judge of a result", () => {
  it("P6 takes a MODIFY with a frozen copy of its body", () => {
    const body = { content: [{ type: "text", text: "a" }], structured: { list: [1] } };
    const judgement = judged(rewrite(body, { reason: "secret" }), "result");
    body.structured.list.push(2);
    expect(judgement).toMatchObject({ decision: "modify", basis: "policy", reason: "secret" });
    expect(judgement.body).toEqual({
      content: [{ type: "text", text: "a" }],
      structured: { list: [1] },
    });
    expect(isDeepFrozen(judgement.body)).toBe(true);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["text", "clean"],
    ["an object without content", {}],
    ["content of undefined", { content: undefined }],
    ["numeric content", { content: 1 }],
    ["content of texts", { content: ["a"] }],
    ["an unknown key", { content: "a", isError: false }],
    ["another identity", { content: "a", callId: "other" }],
    ["a symbol key", { content: "a", [Symbol("x")]: 1 }],
    ["a structured function", { content: "a", structured: () => 1 }],
    ["a structured BigInt", { content: "a", structured: 1n }],
    ["a structured circle", { content: "a", structured: circle }],
    [
      "a getter that throws",
      Object.defineProperty({}, "content", { get: fails, enumerable: true }),
    ],
  ])("P1 makes a DENY, basis malformed, of a MODIFY to %s", (_, modifiedResult) => {
    const judgement = judged({ decision: "modify", modifiedResult }, "result");
    expect(judgement).toMatchObject({ decision: "deny", basis: "malformed" });
    expect(JSON.stringify(judgement)).not.toContain("hunter2");
  });

  it.each([
    ["a MODIFY of the arguments", modify({ a: 1 })],
    ["a DENY with an approval", deny("no", { approval: { summary: "x" } })],
  ])("P1 makes a DENY, basis malformed, of %s", (_, answer) => {
    expect(judged(answer, "result")).toMatchObject({ decision: "deny", basis: "malformed" });
  });
});

describe("the shared allow", () => {
  it("is judged without an object of its own", () => {
    expect(judged(allow())).toBe(allowed);
    expect(judged({ decision: "allow" })).not.toBe(allowed);
  });
});

describe("P8 judge under a polluted prototype", () => {
  const planted = {
    decision: "allow",
    reason: "planted",
    code: "planted",
    metadata: { planted: true },
    replacement: "planted",
    approval: { summary: "planted" },
    modifiedArgs: { planted: true },
    modifiedResult: { content: "planted" },
    args: { planted: true },
    body: { content: "planted" },
    records: [{ decision: "allow", provider: "planted" }],
    decidedBy: "planted",
    content: "planted",
    structured: { planted: true },
    summary: "planted",
    type: "text",
    value: "allow",
    get: () => "allow",
  };

  it.each(malformed.map(([what, answer]) => [what, answer] as const))(
    "allows nothing for %s",
    (_, answer) => {
      for (const root of [Object.prototype, Array.prototype, Function.prototype]) {
        const judgements = phases.map((phase) =>
          whilePlanted(planted, () => judged(answer, phase), root),
        );
        for (const judgement of judgements) {
          expect(judgement.decision).toBe("deny");
          expect(judgement.basis).toBe("malformed");
        }
      }
    },
  );

  it("keeps a plain DENY as it was given, and puts nothing of its own into it", () => {
    const before = judged(deny("no"));
    const under = whilePlanted(planted, () => judged({ decision: "deny", reason: "no" }));
    expect({ ...under }).toEqual({ ...before });
    expect(under.approval).toBeUndefined();
    expect(under.code).toBeUndefined();
  });

  it("keeps a fault as it is, so that no grant can lift it", () => {
    const before = Judgement.fault("error", "guard");
    const under = whilePlanted(planted, () => Judgement.fault("error", "guard"));
    expect({ ...under }).toEqual({ ...before });
  });

  it("keeps a MODIFY and a rewrite as they were given", () => {
    const args = whilePlanted(planted, () =>
      judged({ decision: "modify", modifiedArgs: { a: 1 } }),
    );
    expect({ ...args }).toEqual({ ...judged(modify({ a: 1 })) });
    const body = whilePlanted(planted, () =>
      judged({ decision: "modify", modifiedResult: { content: "clean" } }, "result"),
    );
    expect({ ...body }).toEqual({ ...judged(rewrite({ content: "clean" }), "result") });
  });

  it("keeps an ALLOW with a reason as it was given", () => {
    const under = whilePlanted(planted, () => judged({ decision: "allow", reason: "x" }));
    expect({ ...under }).toEqual({ ...judged(allow({ reason: "x" })) });
  });
});

describe("Judgement", () => {
  it("P8 has no then from anywhere, so that a promise can carry it", async () => {
    const then = whilePlanted(
      { then: () => undefined },
      () => (allowed as { then?: unknown }).then,
    );
    expect(then).toBeUndefined();
    expect(Object.getPrototypeOf(Judgement.prototype)).toBeNull();
  });

  it.each([
    ["error", "guardrail 'guard' failed"],
    ["timeout", "guardrail 'guard' did not answer in time"],
    ["malformed", "guardrail 'guard' gave no well-formed decision"],
  ] as const)("P1 says of a fault %s no more than: %s", (basis, reason) => {
    const judgement = Judgement.fault(basis, "guard");
    expect(judgement).toMatchObject({ decision: "deny", basis, reason });
    expect(judgement.metadata).toBeUndefined();
    expect(judgement.replacement).toBeUndefined();
  });
});
