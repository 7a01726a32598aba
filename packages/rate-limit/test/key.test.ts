import type { ToolCall } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyReader, longestKey, noKey } from "../src/key.js";
import { toolCall } from "./tool-call.js";

const parts = ["tool", "agent", "session", "principal", "tenant"] as const;

describe("a key", () => {
  it("is what the host says of the call, and nothing for what it does not say", () => {
    const known = toolCall("search", {
      agentName: "ada",
      context: { sessionId: "s1", principal: "p1", tenant: "t1" },
    });
    expect(parts.map((part) => keyReader(part)(known))).toEqual([
      "search",
      "ada",
      "s1",
      "p1",
      "t1",
    ]);
    const bare = parts.map((part) => keyReader(part)(toolCall("search")));
    expect(bare).toEqual(["search", undefined, undefined, undefined, undefined]);
  });

  it("P8 is never read from the arguments", () => {
    const call = toolCall("search", { args: { sessionId: "forged", agentName: "forged" } });
    expect(keyReader(["agent", "session"])(call)).toBe("--");
  });

  it("of several parts is the same only for the same parts", () => {
    const name = fc.option(fc.stringMatching(/^[-:0-3a]{0,4}$/), { nil: undefined });
    const names = fc.tuple(name, name, name);
    const keyOf = keyReader(["agent", "session", "principal"]);
    const key = ([agentName, sessionId, principal]: readonly (string | undefined)[]): unknown =>
      keyOf({ ...toolCall("x"), agentName, context: { sessionId, principal } });
    fc.assert(
      fc.property(names, names, (left, right) => {
        expect(key(left) === key(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
      { numRuns: 2_000 },
    );
  });

  it("that is missing is a count of its own, which no name shares", () => {
    for (const key of ["agent", ["agent"], ["agent", "tenant"]] as const) {
      const provider = rateLimit({ limit: 1, windowMs: 1_000, key, now: () => 0 });
      const names = [undefined, "", "-", "undefined", "--", "0:"];
      for (const agentName of names) {
        const call = { ...toolCall("search"), agentName };
        expect(provider.admit?.(call)).toEqual({ decision: "allow" });
        expect(provider.admit?.({ ...call, run: {} })).toMatchObject({ decision: "deny" });
      }
    }
  });

  it.each<[string, (call: ToolCall) => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["gives nothing", () => undefined],
    ["gives null", () => null],
    ["gives a number", () => 7],
    ["gives a promise", async () => "x"],
    ["gives an object", () => ({ toString: () => "x" })],
    ["gives too much", () => "x".repeat(longestKey + 1)],
  ])("denies where the function %s", (_, key) => {
    const provider = rateLimit({ limit: 1, windowMs: 1_000, key: key as never });
    expect(keyReader(key)(toolCall("search"))).toBe(noKey);
    for (const answer of [provider.evaluate(toolCall("a")), provider.admit?.(toolCall("a"))]) {
      expect(answer).toMatchObject({ decision: "deny", code: "rate_limit_key" });
      expect(JSON.stringify(answer)).not.toContain("hunter2");
    }
  });

  it("P17 that is too long is refused, and not kept", () => {
    const context = { principal: "x".repeat(longestKey + 1) };
    expect(keyReader("principal")(toolCall("search", { context }))).toBe(noKey);
    expect(keyReader(["tool", "principal"])(toolCall("search", { context }))).toBe(noKey);
  });

  it("denies where the host's fact is no text", () => {
    const context = { tenant: 7 as unknown as string };
    expect(keyReader("tenant")(toolCall("search", { context }))).toBe(noKey);
    expect(keyReader(["tool", "tenant"])(toolCall("search", { context }))).toBe(noKey);
  });
});
