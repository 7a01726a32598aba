import { describe, expect, it } from "vitest";
import { call, result } from "../src/index.js";

describe("call", () => {
  it("has every member of a call, and is frozen to the leaves", () => {
    const asked = call({ list: [{ a: 1 }] }, "search", {
      context: { attributes: { team: ["a"] } },
      tool: { name: "search", parameters: { type: "object" } },
    });
    expect(asked).toMatchObject({ toolName: "search", requestedName: "search" });
    const { args, context, tool } = asked;
    const held = [asked, args, args.list, (args.list as object[])[0], context, tool];
    expect([...held, context.attributes?.team].every(Object.isFrozen)).toBe(true);
  });

  it("copies the arguments, so that yours stay free", () => {
    const args = { list: [1] };
    const asked = call(args);
    args.list.push(2);
    expect(asked.args).toEqual({ list: [1] });
  });

  it("gives each call a run and ids of its own", () => {
    const [one, other] = [call(), call()];
    expect(one.run).not.toBe(other.run);
    expect(one.runId).not.toBe(other.runId);
    expect(one.callId).not.toBe(other.callId);
  });

  it("has the same signal at every look, and yours where you pass one", () => {
    const asked = call();
    expect(asked.signal).toBe(asked.signal);
    expect(asked.signal.aborted).toBe(false);
    expect(call({}, "search", { signal: AbortSignal.abort() }).signal.aborted).toBe(true);
  });

  it("keeps an own key __proto__ as data", () => {
    const asked = call(JSON.parse('{"__proto__":{"admin":true}}'));
    expect(Object.keys(asked.args)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(asked.args)).toBe(Object.prototype);
  });
});

describe("result", () => {
  it("answers its call by the id and the requested name", () => {
    const asked = call({}, "search", { requestedName: "find" });
    const { callId, name, isError } = result(asked);
    expect({ callId, name, isError }).toEqual({
      callId: asked.callId,
      name: "find",
      isError: false,
    });
  });

  it("claims what it is told to claim", () => {
    const claimed = result(call(), "x", { callId: "other", name: "other", isError: true });
    expect(claimed).toEqual({ callId: "other", name: "other", isError: true, content: "x" });
  });
});
