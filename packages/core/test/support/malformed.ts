import { allow } from "../../src/guard/verdicts.js";
import { throws as fails } from "./errors.js";

export class Verdict {
  decision = "allow";
}

export const circle: Record<string, unknown> = {};
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
export const malformed: readonly (readonly [string, unknown])[] = [
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
export function hidden(object: object, key: string, value: unknown): object {
  return Object.defineProperty(object, key, { value, enumerable: false });
}
export function accessor(object: object, key: string, value: unknown): object {
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
