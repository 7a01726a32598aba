import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { defaultLimits, isSafeNumber, JsonFault, snapshot } from "../src/json/snapshot.js";
import { isDeepFrozen } from "./support/json-values.js";
import { whilePlanted } from "./support/planted.js";

function faultOf(value: unknown, limits = defaultLimits): string {
  try {
    snapshot(value, limits);
    return "none";
  } catch (fault) {
    return fault instanceof JsonFault ? fault.code : `threw ${String(fault)}`;
  }
}

class Person {
  name = "Ada";
}

describe("snapshot", () => {
  it.each([
    ["a Date", new Date(0)],
    ["a Map", new Map()],
    ["a Set", new Set()],
    ["a class instance", new Person()],
    ["an object with an inherited property", Object.create({ admin: true })],
    ["a boxed string", Object("x")],
    ["a boxed number", Object(1)],
    ["a boxed boolean", Object(true)],
    ["a regular expression", /x/],
    ["an error", new Error("x")],
    ["a typed array", new Uint8Array(1)],
    ["a buffer", Buffer.from("x")],
    ["a promise", Promise.resolve()],
    ["a function", () => 1],
    ["a class", Person],
    ["a symbol", Symbol("x")],
    ["a BigInt", 1n],
    ["undefined", undefined],
    ["a hole", new Array(1)],
    ["undefined in a list", [undefined]],
    ["a toJSON", { toJSON: () => "x" }],
    ["another realm's Date", runInNewContext("new Date(0)")],
    ["another realm's class instance", runInNewContext("new (class A {})()")],
  ])("refuses %s", (_, value) => {
    expect(faultOf(value)).toBe("not_json");
    expect(faultOf({ a: [{ b: value }] })).toBe(value === undefined ? "none" : "not_json");
  });

  it.each([
    ["a plain object", { a: 1 }],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 })],
    ["another realm's object", runInNewContext("({ a: 1, b: [{ c: 2 }] })")],
    ["another realm's list", runInNewContext("[1, [2], { a: 3 }]")],
    ["a frozen object", Object.freeze({ a: Object.freeze([1]) })],
    ["the same object twice, which is no circle", [shared, shared]],
  ])("takes %s", (_, value) => {
    const copy = snapshot(value, defaultLimits);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(isDeepFrozen(copy)).toBe(true);
    expect(copy).not.toBe(value);
  });

  it("gives plain objects and lists of its own realm", () => {
    const copy = snapshot(runInNewContext("({ a: [1] })"), defaultLimits) as { a: unknown };
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(copy.a)).toBe(Array.prototype);
  });

  it("leaves out symbols, hidden properties and undefined ones, and keeps null", () => {
    const value = Object.defineProperty(
      { a: 1, b: undefined, c: null, [Symbol("s")]: 2 },
      "hidden",
      { value: 3, enumerable: false },
    );
    expect(snapshot(value, defaultLimits)).toStrictEqual({ a: 1, c: null });
  });

  it("leaves out what hangs on a list beside its elements", () => {
    expect(snapshot(Object.assign([1], { extra: 2 }), defaultLimits)).toStrictEqual([1]);
  });

  it("reads -0 as 0", () => {
    expect(Object.is(snapshot(-0, defaultLimits), 0)).toBe(true);
    expect(Object.is((snapshot([-0], defaultLimits) as number[])[0], 0)).toBe(true);
  });

  it("P8 refuses an own __proto__, also one that is not a setter's doing", () => {
    expect(faultOf(JSON.parse('{"__proto__":null}'))).toBe("proto_key");
    expect(faultOf({ a: [JSON.parse('{"__proto__":{}}')] })).toBe("proto_key");
    expect(faultOf({ ["__proto__"]: 1 })).toBe("proto_key");
  });

  it("refuses half of a surrogate pair in a string and in a key", () => {
    expect(faultOf({ a: "\ud800" })).toBe("lone_surrogate");
    expect(faultOf({ "\ud800": 1 })).toBe("lone_surrogate");
    expect(faultOf({ "\ud83d\ude00": "\ud83d\ude00" })).toBe("none");
  });

  it("P6 reads a getter once, and keeps what it said", () => {
    let reads = 0;
    const value = {
      get to() {
        reads++;
        return reads === 1 ? "friend" : "enemy";
      },
    };
    expect(snapshot(value, defaultLimits)).toStrictEqual({ to: "friend" });
    expect(reads).toBe(1);
  });

  it("P6 reads each property of a proxy, and the length of a list, once", () => {
    const reads = new Map<PropertyKey, number>();
    const counting = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(object, key, receiver) {
          reads.set(key, (reads.get(key) ?? 0) + 1);
          return Reflect.get(object, key, receiver);
        },
      });
    const value = counting({ a: 1, b: counting(["x", "y"]), c: counting({ d: null }) });
    expect(snapshot(value, defaultLimits)).toStrictEqual({ a: 1, b: ["x", "y"], c: { d: null } });
    for (const key of ["a", "b", "c", "d", "0", "1", "length"]) expect(reads.get(key)).toBe(1);
  });

  it("P6 copies a proxy whose answers change into one frozen answer", () => {
    let turn = 0;
    const value = new Proxy({ a: 1 }, { get: () => ++turn });
    const copy = snapshot(value, defaultLimits) as { a: number };
    expect([copy.a, copy.a]).toEqual([1, 1]);
  });

  it("P18 refuses a list that says it is longer than it may be, before reading it", () => {
    let reads = 0;
    const endless = new Proxy([], {
      get: (_, key) => {
        if (key === "length") return Number.POSITIVE_INFINITY;
        reads++;
        return 0;
      },
    });
    expect(faultOf(endless)).toBe("too_large");
    expect(reads).toBe(0);
    expect(faultOf(new Proxy([], { get: () => Number.NaN }))).toBe("too_large");
    expect(faultOf(new Array(2 ** 32 - 1))).toBe("too_large");
  });
});

const shared = { a: 1 };

describe("P18 the caps of a snapshot", () => {
  it("cannot be changed", () => {
    expect(Object.isFrozen(defaultLimits)).toBe(true);
    expect(defaultLimits).toEqual({ maxBytes: 1_048_576, maxDepth: 64, maxNodes: 100_000 });
  });

  function nested(levels: number): object {
    let value: object = {};
    for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  }

  it("are 64 levels", () => {
    expect(faultOf(nested(64))).toBe("none");
    expect(faultOf(nested(65))).toBe("too_deep");
    expect(faultOf(nested(100_000))).toBe("too_deep");
  });

  it("end a circle", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = [circle];
    expect(faultOf(circle)).toBe("too_deep");
  });

  it("end a circle that is broad", () => {
    const circle: Record<string, unknown> = {};
    for (let index = 0; index < 50; index++) circle[index] = circle;
    expect(faultOf(circle)).toBe("too_deep");
  });

  it("are 100,000 values", () => {
    expect(faultOf(new Array(99_999).fill(0))).toBe("none");
    expect(faultOf(new Array(100_000).fill(0))).toBe("too_large");
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [index, 0]));
    expect(faultOf(wide)).toBe("too_large");
    delete wide["0"];
    expect(faultOf(wide)).toBe("none");
  });

  it("are 1 MiB units of strings and keys together", () => {
    const mebi = 1_048_576;
    expect(faultOf("x".repeat(mebi))).toBe("none");
    expect(faultOf("x".repeat(mebi + 1))).toBe("too_large");
    expect(faultOf(["x".repeat(mebi), "x"])).toBe("too_large");
    expect(faultOf({ ["k".repeat(mebi - 1)]: "x" })).toBe("none");
    expect(faultOf({ ["k".repeat(mebi - 1)]: "xy" })).toBe("too_large");
    expect(faultOf({ ["k".repeat(mebi)]: 1 })).toBe("none");
    expect(faultOf({ ["k".repeat(mebi + 1)]: 1 })).toBe("too_large");
  });

  it("hold for what comes back many times", () => {
    const part = "x".repeat(1_024);
    expect(faultOf(new Array(1_024).fill(part))).toBe("none");
    expect(faultOf(new Array(1_025).fill(part))).toBe("too_large");
  });
});

describe("P8 a snapshot under a polluted prototype", () => {
  it("takes nothing that the value does not have itself", () => {
    const copy = whilePlanted({ admin: true, to: "enemy" }, () =>
      snapshot({ a: { b: 1 } }, defaultLimits),
    );
    expect(copy).toStrictEqual({ a: { b: 1 } });
    expect(Object.keys(copy as object)).toEqual(["a"]);
  });

  it("takes nothing that another realm's prototype was given", () => {
    const value = runInNewContext("Object.prototype.admin = true; ({ a: { b: [{}] } })");
    expect(JSON.stringify(snapshot(value, defaultLimits))).toBe('{"a":{"b":[{}]}}');
  });

  it("refuses an object whose prototype is no realm's, whatever that prototype holds", () => {
    const bare = Object.create(Object.create(null, { admin: { value: true, enumerable: true } }));
    expect(() => snapshot(bare, defaultLimits)).toThrow(JsonFault);
  });

  it("takes nothing planted for a value of an object without prototype, or of a proxy", () => {
    const copies = whilePlanted({ admin: true }, () =>
      [Object.create(null), new Proxy({}, {}), { list: [{}] }].map((value) =>
        snapshot(value, defaultLimits),
      ),
    );
    expect(copies.map((copy) => JSON.stringify(copy))).toEqual(["{}", "{}", '{"list":[{}]}']);
  });

  it("keeps an own property of a planted name", () => {
    const copy = whilePlanted({ to: "enemy" }, () => snapshot({ to: "friend" }, defaultLimits));
    expect(copy).toStrictEqual({ to: "friend" });
  });

  it("leaves out an own property that is undefined, whatever is planted under its name", () => {
    const copy = whilePlanted({ to: "enemy" }, () => snapshot({ to: undefined }, defaultLimits));
    expect(Object.keys(copy as object)).toEqual([]);
  });
});

describe("isSafeNumber", () => {
  it.each([
    [0, true],
    [-0, true],
    [0.1, true],
    [2 ** 53 - 1, true],
    [2 ** 53, false],
    [-(2 ** 53), false],
    [2 ** 52 + 0.5, true],
    [1e300, true],
    [1e20, false],
    [-1e21, true],
    [5e-324, true],
    [Number.MAX_VALUE, true],
    [Number.POSITIVE_INFINITY, false],
    [Number.NaN, false],
  ])("of %d is %s", (number, safe) => {
    expect(isSafeNumber(number)).toBe(safe);
  });
});
