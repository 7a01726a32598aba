import { runInNewContext } from "node:vm";

/** A promise whose own `constructor` or `then` throws: the JavaScript engine reads the one and calls the other. */
export function oddPromise(key: "constructor" | "then"): Promise<unknown> {
  const fails = (): never => {
    throw new Error(`its ${key}`);
  };
  const member = key === "then" ? { value: fails } : { get: fails };
  return Object.defineProperty(Promise.resolve(), key, member);
}

/** A thenable that throws from the so-manieth time on that it is asked for its `then`. */
export function tiredThenable(from: number): object {
  let asked = 0;
  return {
    get then() {
      asked++;
      if (asked >= from) throw new Error("tired");
      return (resolve: (value: unknown) => void) => resolve("done");
    },
  };
}

/** No thenable, and from the so-manieth question on whether it is one, it throws. */
export function tiredValue(from: number): object {
  let asked = 0;
  return {
    get then() {
      asked++;
      if (asked >= from) throw new Error("tired");
      return undefined;
    },
  };
}

/** What a strict mock is: it throws for a member that it does not have. */
export function strict(): object {
  return new Proxy(
    { a: 1 },
    {
      get: (target, key) => {
        if (key === "then") return undefined;
        if (key in target) return Reflect.get(target, key);
        throw new Error(`no ${String(key)}`);
      },
    },
  );
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function nested(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

function throwing(key: string, of: object = {}): object {
  return Object.defineProperty(of, key, {
    enumerable: true,
    get: () => {
      throw new Error(`its ${key}`);
    },
  });
}

const circle: Record<string, unknown> = {};
circle["self"] = circle;

/** Values that somebody may answer, throw or say, each made anew. */
export const oddValues: readonly (readonly [string, () => unknown])[] = [
  ["nothing", () => undefined],
  ["null", () => null],
  ["NaN", () => Number.NaN],
  ["a BigInt", () => 1n],
  ["a symbol", () => Symbol("x")],
  ["a function", () => () => 1],
  ["half a surrogate pair", () => "a\ud800"],
  ["half a surrogate pair as a key", () => ({ "\udc00": 1 })],
  ["an own __proto__", () => JSON.parse('{"__proto__":{"decision":"allow"}}')],
  ["a circle", () => circle],
  ["100 levels", () => nested(100)],
  ["10,000 levels", () => nested(10_000)],
  ["100,000 levels", () => nested(100_000)],
  ["a Map", () => new Map([["a", 1]])],
  ["a Date that is none", () => new Date(Number.NaN)],
  ["frozen", () => Object.freeze([Object.freeze({ a: 1 })])],
  ["of another realm", () => runInNewContext("({ a: [1, { b: 2 }] })")],
  ["an error of another realm", () => runInNewContext("new Error('x')")],
  ["an error whose message throws", () => throwing("message", new Error("x"))],
  ["an error whose cause throws", () => throwing("cause", new Error("x"))],
  ["an error whose stack throws", () => throwing("stack", new Error("x"))],
  ["a getter that throws", () => throwing("content")],
  ["a toJSON that throws", () => throwing("toJSON")],
  ["a revoked proxy", revoked],
  ["a strict proxy", strict],
  ["a promise of a strict proxy", async () => strict()],
  ["a promise of a revoked proxy", async () => revoked()],
  ["a promise that rejects", async () => Promise.reject(new Error("x"))],
  ["a promise that rejects with nothing", () => Promise.reject(undefined)],
  ["a promise that rejects with a revoked proxy", () => Promise.reject(revoked())],
  ["a promise whose constructor throws", () => oddPromise("constructor")],
  ["a promise whose then throws", () => oddPromise("then")],
  ...[1, 2, 3, 4].map(
    (from) => [`a then that throws at ${from}`, () => tiredThenable(from)] as const,
  ),
  ...[1, 2, 3, 4].map(
    (from) => [`a then that is none and throws at ${from}`, () => tiredValue(from)] as const,
  ),
];
