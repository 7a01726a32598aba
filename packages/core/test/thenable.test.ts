import { describe, expect, it } from "vitest";
import { canTrustAwait, inTurn, isThenable } from "../src/time/wait.js";
import { whilePlanted } from "./support/planted.js";
import { deferred, settleAll } from "./support/promises.js";

describe("isThenable", () => {
  it.each([
    ["a promise", Promise.resolve(1)],
    ["an object with a then", { then: () => undefined }],
    ["a function with a then", Object.assign(() => undefined, { then: () => undefined })],
    [
      "an instance of a class with a then",
      new (class {
        then() {}
      })(),
    ],
  ])("is true of %s", (_, value) => {
    expect(isThenable(value)).toBe(true);
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["text", "then"],
    ["a number", 1],
    ["an object whose then is data", { then: true }],
    ["a plain object", {}],
    ["a plain function", () => undefined],
  ])("is false of %s", (_, value) => {
    expect(isThenable(value)).toBe(false);
  });

  it("P8 takes nothing for a promise because of a then on Object.prototype", () => {
    const [object, promise] = whilePlanted({ then: () => undefined }, () => [
      isThenable({ decision: "allow" }),
      isThenable(Promise.resolve(1)),
    ]);
    expect(object).toBe(false);
    expect(promise).toBe(true);
  });
});

describe("canTrustAwait", () => {
  it("P8 is false for as long as a then is planted", () => {
    expect(canTrustAwait()).toBe(true);
    expect(whilePlanted({ then: () => undefined }, canTrustAwait)).toBe(false);
    expect(whilePlanted({ then: "data" }, canTrustAwait)).toBe(false);
    expect(canTrustAwait()).toBe(true);
  });
});

describe("inTurn", () => {
  it("takes items in order and synchronously while no step waits", () => {
    const taken: string[] = [];
    const pending = inTurn(["a", "b", "c"], taken, (item, list) => {
      list.push(item);
      return undefined;
    });
    expect(pending).toBeUndefined();
    expect(taken).toEqual(["a", "b", "c"]);
  });

  it("awaits a step before it takes the next", async () => {
    const gate = deferred<void>();
    const taken: string[] = [];
    const pending = inTurn(["a", "b", "c"], taken, (item, list) => {
      list.push(item);
      return item === "b" ? gate.promise : undefined;
    });
    await settleAll();
    expect(taken).toEqual(["a", "b"]);
    gate.resolve();
    await pending;
    expect(taken).toEqual(["a", "b", "c"]);
  });

  it("takes nothing of an empty list", () => {
    expect(inTurn([], 0, () => Promise.reject(new Error("asked")))).toBeUndefined();
  });

  it("passes a rejection on, and takes nothing after it", async () => {
    const taken: number[] = [];
    const pending = inTurn([1, 2], taken, (item, list) => {
      list.push(item);
      return Promise.reject(new Error("no"));
    });
    await expect(pending).rejects.toThrow("no");
    expect(taken).toEqual([1]);
  });
});
