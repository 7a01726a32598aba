import { describe, expect, it } from "vitest";
import { callKey } from "../../src/host/index.js";

const request = { name: "send", callId: "c1" };

const call = { name: "pay", callId: "c1", arguments: { cents: 5, to: "ann" } };
const facts = { turnId: "t1", agentName: "clerk", context: { sessionId: "s1", traceparent: "1" } };

describe("the key of a call that comes back", () => {
  it.each<[string, object, object]>([
    ["in another trace", call, { ...facts, context: { sessionId: "s1", traceparent: "2" } }],
    ["without a trace", call, { ...facts, context: { sessionId: "s1" } }],
    ["with its arguments as text", { ...call, arguments: '{"to":"ann","cents":5}' }, facts],
    [
      "with facts that are undefined",
      call,
      { ...facts, context: { sessionId: "s1", tenant: undefined } },
    ],
  ])("is the same %s", (_, again, with_) => {
    expect(callKey(again as typeof call, with_)).toBe(callKey(call, facts));
  });

  it.each<[string, object, object]>([
    ["another id", { ...call, callId: "c2" }, facts],
    ["another tool", { ...call, name: "refund" }, facts],
    ["other arguments", { ...call, arguments: { cents: 6, to: "ann" } }, facts],
    ["another turn", call, { ...facts, turnId: "t2" }],
    ["another agent", call, { ...facts, agentName: "other" }],
    ["another session", call, { ...facts, context: { sessionId: "s2" } }],
    ["other attributes", call, { ...facts, context: { sessionId: "s1", attributes: { a: 1 } } }],
  ])("P9 differs for %s", (_, other, with_) => {
    expect(callKey(other as typeof call, with_)).not.toBe(callKey(call, facts));
  });

  it.each<[string, object, object]>([
    ["without an id", { ...call, callId: undefined }, facts],
    ["whose arguments are not JSON", { ...call, arguments: "{" }, facts],
    [
      "of which the host's facts cannot be read",
      call,
      {
        get context(): never {
          throw new Error("no session");
        },
      },
    ],
    ["with an attribute that is not JSON", call, { context: { attributes: { at: 1n } } }],
  ])("P9 is none for a call %s", (_, unknown, with_) => {
    expect(callKey(unknown as typeof call, with_)).toBeUndefined();
  });
});

describe("the key of a call", () => {
  class Tags {
    plan = "free";
  }

  it("is that of its attributes, of whatever class they are", () => {
    const keyOf = (attributes: object | undefined) => callKey(request, { context: { attributes } });
    expect(keyOf(new Tags())).toBe(keyOf({ plan: "free" }));
    expect(keyOf({})).not.toBe(keyOf(undefined));
    expect(keyOf(undefined)).toBe(callKey(request, {}));
  });
});
