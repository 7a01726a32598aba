import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLinkage, checkReceipts, receipts, stripReceipts } from "../src/index.js";
import { answers, asks, found, named, text } from "./conversation.js";

const signed = receipts({
  keys: [{ id: "k", algorithm: "hmac-sha256", secret: new Uint8Array(32).fill(1) }],
});
const thrower = (): never => {
  throw new Error("secret");
};
const throwing = (key: string, value: object = {}) =>
  Object.defineProperty({ ...value }, key, { get: thrower, enumerable: true });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};

describe("a message that throws when it is read", () => {
  it.each<[string, unknown]>([
    ["its role", throwing("role")],
    ["its content", throwing("content", { role: "user" })],
    ["its calls", throwing("tool_calls", text)],
    ["the id of a call", asks(throwing("id"))],
    ["the name of a call", asks({ id: "a", function: throwing("name") })],
    ["a member that nobody reads", throwing("x", text)],
    ["any of them", new Proxy({ role: "user" }, { get: thrower })],
    ["its list of members", new Proxy({ role: "user" }, { ownKeys: thrower })],
    ["all of it", revoked()],
  ])("is a finding, and stays as it is: %s", (_, message) => {
    expect(checkLinkage([message])).toEqual([
      { code: "malformed_message", index: 0, reason: "the message cannot be read" },
    ]);
    expect(checkReceipts([message], signed)).toEqual([
      { code: "receipt_unprovable", index: 0, reason: "the message cannot be read" },
    ]);
    const [same, bare] = stripReceipts([message, { role: "user", receipt: "r" }]);
    expect(same === message).toBe(true);
    expect(bare).toEqual({ role: "user" });
  });

  it("is none of the results between a call and its answer", () => {
    const conversation = [asks(named("t", "a")), throwing("role"), answers("a")];
    expect(found(conversation)).toEqual(["malformed_message 1", "result_not_adjacent 2"]);
  });

  it("is a finding at -1 where it is the conversation", () => {
    expect(found(revoked())).toEqual(["malformed_message -1"]);
    expect(checkReceipts(revoked(), signed)).toMatchObject([{ index: -1 }]);
    const conversation = revoked();
    expect(stripReceipts(conversation)).toBe(conversation);
  });

  it("is told as facts that cannot be read where a receipt is to be signed", () => {
    const unreadable = { code: "ERR_NOT_JSON", message: expect.not.stringContaining("secret") };
    for (const key of ["callId", "toolName", "args", "context"]) {
      const facts = throwing(key, { callId: "a", toolName: "t" }) as never;
      expect(() => signed.signCall(facts)).toThrowError(expect.objectContaining(unreadable));
      expect(signed.verifyCall("r", facts)).toBeDefined();
    }
  });

  it("is never thrown, wherever in a conversation it is", () => {
    const conversation = fc.array(
      fc.record({
        role: fc.constantFrom("assistant", "tool", "function", "user", "system"),
        tool_calls: fc.array(
          fc.record({ id: fc.string(), function: fc.record({ name: fc.string() }) }),
        ),
        function_call: fc.record({ name: fc.string() }),
        tool_call_id: fc.string(),
        content: fc.array(fc.record({ type: fc.string(), text: fc.string() })),
        receipt: fc.string(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(conversation, fc.nat(), fc.nat(9), (messages, at, after) => {
        const places = objectsIn(messages);
        const place = places[at % places.length] as Record<string, unknown>;
        const keys = Object.keys(place);
        const key = keys[at % keys.length];
        if (key === undefined) return;
        let reads = 0;
        const value = place[key];
        // It may be read some times before it throws.
        Object.defineProperty(place, key, { get: () => (reads++ < after ? value : thrower()) });
        checkLinkage(messages);
        checkReceipts(messages, signed);
        stripReceipts(messages);
      }),
    );
  });
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
