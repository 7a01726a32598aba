import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Call, mintId, RunIdentity } from "../src/call/head.js";
import { JsonFault } from "../src/json/snapshot.js";
import { callOf, foreignCall, scopeOn } from "./support/calls.js";

describe("Call", () => {
  it("P6 is frozen, and so is all that it was given to show", () => {
    const call = callOf({ list: [{ a: 1 }] });
    expect(Object.isFrozen(call)).toBe(true);
    expect(Object.isFrozen(call.args)).toBe(true);
    expect(() => {
      (call as { args: unknown }).args = {};
    }).toThrow(TypeError);
    expect(() => {
      (call as { extra?: unknown }).extra = 1;
    }).toThrow(TypeError);
    expect(() => Object.defineProperty(call, "toolName", { value: "other" })).toThrow(TypeError);
    expect(() => Reflect.setPrototypeOf(call, null) || fail()).toThrow("kept");
  });

  it("carries what it was made of", () => {
    const run = new RunIdentity();
    const tool = { name: "send_mail" };
    const call = callOf({ a: 1 }, { run, tool, toolName: "send_mail", requestedName: "mail" });
    expect(call).toMatchObject({
      turnId: "turn-1",
      callId: "call-1",
      toolName: "send_mail",
      requestedName: "mail",
      agentName: "agent-1",
      context: { sessionId: "session-1" },
      args: { a: 1 },
    });
    expect(call.run).toBe(run);
    expect(call.tool).toBe(tool);
    expect(call.runId).toBe(run.id);
  });

  it("P8 has every field of its own, also those that say nothing", () => {
    expect(Object.keys(callOf()).sort()).toEqual([
      "agentName",
      "args",
      "callId",
      "context",
      "receipt",
      "requestedName",
      "run",
      "tool",
      "toolName",
      "turnId",
    ]);
  });

  it("derives a call that differs in its arguments and scope alone", () => {
    const call = callOf({ a: 1 }, { tool: { name: "send_mail" } });
    const { scope } = scopeOn();
    const args = Object.freeze({ b: 2 });
    const derived = call.with(args).under(scope);
    expect({ ...derived }).toEqual({ ...call, args });
    expect(derived.args).toBe(args);
    expect(derived.run).toBe(call.run);
    expect(derived.runId).toBe(call.runId);
    expect(Call.scopeOf(derived)).toBe(scope);
    expect(Object.isFrozen(derived)).toBe(true);
  });
});

function fail(): never {
  throw new Error("kept");
}

describe("Call.of", () => {
  it("gives back a call of core's own", () => {
    const call = callOf();
    expect(Call.of(call)).toBe(call);
  });

  it("P6 takes a frozen copy of another's arguments, and all of its head", () => {
    const args = { list: ["a"] };
    const foreign = foreignCall(args, {
      turnId: "t",
      agentName: "agent",
      tool: { name: "send_mail" },
      requestedName: "mail",
    });
    const call = Call.of(foreign);
    args.list.push("b");
    expect(call.args).toEqual({ list: ["a"] });
    expect(Object.isFrozen(call.args["list"])).toBe(true);
    for (const key of [
      "run",
      "turnId",
      "callId",
      "toolName",
      "requestedName",
      "agentName",
      "context",
      "tool",
    ] as const) {
      expect(call[key]).toBe(foreign[key]);
    }
    expect(Call.scopeOf(call).caller).toBe(foreign.signal);
    expect(Call.scopeOf(call).terms.timeoutMs).toBe(5_000);
  });

  it("refuses another's arguments that are not JSON", () => {
    for (const args of [{ at: new Date(0) }, [], null, "x", { n: 2 ** 53 }]) {
      expect(() => Call.of(foreignCall(args as never))).toThrow(JsonFault);
    }
  });

  it("does not take a look-alike for its own", () => {
    const call = callOf({ a: 1 });
    const { signal } = new AbortController();
    const copy = Object.create(call, { args: { value: { b: 2 } }, signal: { value: signal } });
    expect(Call.of(copy)).not.toBe(copy);
    expect(Call.of(copy).args).toEqual({ b: 2 });
    expect(() => Call.of(Object.create(call))).toThrow(TypeError);
    expect(() => Call.of(new Proxy(call, {}))).toThrow(TypeError);
    expect(Call.of({ ...call, signal: call.signal, runId: "x" }).args).toEqual({ a: 1 });
  });
});

describe("the signal of a call", () => {
  it("is made when first read, once", () => {
    const caller = new AbortController();
    const { scope } = scopeOn({ caller: caller.signal });
    const call = callOf({}, { scope });
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
    const { signal } = call;
    expect(call.signal).toBe(signal);
    expect(callOf({}, { scope }).signal).toBe(signal);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
  });

  it("P4 is aborted with the caller's, before, between and after", () => {
    for (const when of ["before", "after"] as const) {
      const caller = new AbortController();
      const call = callOf({}, scopeOn({ caller: caller.signal }));
      if (when === "before") caller.abort("gone");
      const { signal } = call;
      if (when === "after") caller.abort("gone");
      expect(signal.aborted).toBe(true);
      expect(signal.reason).toBe("gone");
    }
  });

  it("is aborted by the end of its scope, also when it is first read after it", () => {
    const { scope } = scopeOn();
    const { signal } = callOf({}, { scope });
    scope.end("over");
    scope.end("again");
    expect(signal.reason).toBe("over");
    const late = scopeOn();
    late.scope.end("over");
    late.scope.end("again");
    expect(late.scope.signal.aborted).toBe(true);
    expect(late.scope.signal.reason).toBe("over");
  });

  it("needs no caller", () => {
    const { scope } = scopeOn();
    expect(scope.signal.aborted).toBe(false);
    expect(() => scope.release()).not.toThrow();
  });
});

describe("P17 a caller's signal that lives as long as the process", () => {
  it("keeps no listener once the scope is released", () => {
    const caller = new AbortController();
    for (let run = 0; run < 100; run++) {
      const { scope } = scopeOn({ caller: caller.signal });
      expect(scope.signal.aborted).toBe(false);
      scope.release();
    }
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("gets no listener from a signal that is first read after the release", () => {
    const caller = new AbortController();
    const { scope } = scopeOn({ caller: caller.signal });
    scope.release();
    expect(scope.signal.aborted).toBe(true);
    expect(scope.signal.reason).toEqual(new Error("the call is over"));
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("can still end a signal that was read before the release", () => {
    const { scope } = scopeOn({ caller: new AbortController().signal });
    const { signal } = scope;
    scope.release();
    scope.end("over");
    expect(signal.reason).toBe("over");
  });

  it("leaves a signal that was read before the release as it is", () => {
    const { scope } = scopeOn({ caller: new AbortController().signal });
    const { signal } = scope;
    scope.release();
    expect(signal.aborted).toBe(false);
    expect(scope.signal).toBe(signal);
  });

  it("keeps no listener after it has fired", () => {
    const caller = new AbortController();
    const { scope } = scopeOn({ caller: caller.signal });
    expect(scope.signal.aborted).toBe(false);
    caller.abort();
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });
});

describe("two scopes of one caller", () => {
  it("end with the caller, and not with each other", () => {
    const caller = new AbortController();
    const { scope } = scopeOn({ caller: caller.signal });
    const child = scope.child();
    const signals = [scope.signal, child.signal];
    child.end("over");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    const other = scope.child();
    scope.end("over");
    expect(other.signal.aborted).toBe(false);
    caller.abort("gone");
    expect(other.signal.reason).toBe("gone");
  });

  it("have the same clock, limits, deadline and listener of faults", () => {
    const { scope } = scopeOn({ timeoutMs: 7 });
    const child = scope.child();
    expect(child).not.toBe(scope);
    expect(child.terms).toBe(scope.terms);
    expect(child.caller).toBe(scope.caller);
  });
});

describe("RunIdentity", () => {
  it("P6 is frozen, for it is shown to guards and to the tool", () => {
    expect(Object.isFrozen(new RunIdentity())).toBe(true);
  });

  it("has one id for ever, unlike any other's", () => {
    const runs = Array.from({ length: 1_000 }, () => new RunIdentity());
    const ids = new Set(runs.map(({ id }) => id));
    expect(ids.size).toBe(1_000);
    expect(runs.map(({ id }) => id)).toEqual([...ids]);
  });

  it("has ids that no minted one equals, all with the process's own part", () => {
    const one = new RunIdentity().id;
    const other = mintId();
    expect(one).not.toBe(other);
    expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+$/);
    expect(other.slice(0, 36)).toBe(one.slice(0, 36));
  });

  it("gives a run that core did not make one id too, whoever derives the call", () => {
    const run = {};
    const call = callOf({}, { run });
    expect(call.runId).toBe(callOf({}, { run }).runId);
    expect(call.runId).not.toBe(callOf({}, { run: {} }).runId);
  });
});
