import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner, toolResult } from "../src/index.js";

class Hidden {
  readonly #value = "hunter2";
  get value(): string {
    return this.#value;
  }
}
class Empty {}
class Row {
  readonly id = 7;
}
function* counting(): Generator<number> {
  yield 1;
}
async function* counted(): AsyncGenerator<number> {
  yield 1;
}
const systemError = Object.assign(new Error("hunter2"), { code: "ENOENT" });

/** Values whose content JSON would leave out, the type that the error names, and what to give instead. */
const lost: readonly (readonly [unknown, string, string])[] = [
  [new Headers({ a: "b" }), "'Headers' as {}", "entries"],
  [new URLSearchParams("a=b"), "'URLSearchParams' as {}", "entries"],
  [new FormData(), "'FormData' as {}", "entries"],
  [new Map([["a", 1]]), "'Map' as {}", "entries"],
  [Object.assign(new Map(), { a: 1 }), "'Map' as {}", "entries"],
  [new Set([1]), "'Set' as {}", "entries"],
  [new Blob(["a"]), "'Blob' as {}", "its text, or its bytes as base64"],
  [new File(["a"], "a.txt"), "'File' as {}", "its text, or its bytes as base64"],
  [new Response("a"), "'Response' as {}", "its text, or its bytes as base64"],
  [new Error("hunter2"), "'Error' as {}", "give its message"],
  [systemError, "'Error' as {}", "give its message"],
  [new DOMException("hunter2"), "'DOMException' as {}", "give its message"],
  [Promise.resolve("hunter2"), "'Promise' as {}", "await it"],
  [[1].values(), "'Array Iterator' as {}", "a list of what it gives"],
  [counting(), "'Generator' as {}", "a list of what it gives"],
  [counted(), "'AsyncGenerator' as {}", "read it to its end"],
  [new ReadableStream(), "'ReadableStream' as {}", "read it to its end"],
  [/a/, "'RegExp' as {}", "a plain object"],
  [new WeakMap(), "'WeakMap' as {}", "a plain object"],
  [new SharedArrayBuffer(2), "'SharedArrayBuffer' as {}", "a plain object"],
  [new AbortController().signal, "'AbortSignal' as {}", "a plain object"],
  [new Intl.NumberFormat("en"), "'Intl.NumberFormat' as {}", "a plain object"],
  [Object(Symbol("hunter2")), "'Symbol' as {}", "a plain object"],
  [new Hidden(), "'Hidden' as {}", "a plain object"],
  [new Empty(), "'Empty' as {}", "a plain object"],
  [{ next: () => 1, return: () => 1 }, "'Object' as {}", "a plain object"],
  [runInNewContext("new Map([[1, 2]])"), "'Map' as {}", "entries"],
  [runInNewContext("Object.assign(new Map(), { a: 1 })"), "'Map' as {}", "entries"],
  [runInNewContext("Object.assign(new Set(), { a: 1 })"), "'Set' as {}", "entries"],
  [
    runInNewContext('Object.assign(new TypeError("hunter2"), { a: 1 })'),
    "'Error' as {}",
    "message",
  ],
  [{ toJSON: () => ({ [Symbol("tag")]: "hunter2" }) }, "'Object' as {}", "names of text"],
  [[() => "hunter2"], "a function as null", "a plain object"],
  [[Symbol("hunter2")], "a symbol as null", "a plain object"],
];

/** Values of which JSON has a form of its own, or all of whose members it writes. */
const kept: readonly (readonly [string, unknown, unknown])[] = [
  ["Date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["Date that is none", new Date(Number.NaN), "Invalid Date"],
  ["Date of another realm that is none", runInNewContext("new Date(NaN)"), "Invalid Date"],
  ["URL", new URL("https://a.example/b"), "https://a.example/b"],
  ["String", Object("a"), "a"],
  ["String that is empty", Object(""), ""],
  ["Number", Object(1), 1],
  ["Number that is none", Object(Number.NaN), "NaN"],
  ["class", new Row(), { id: 7 }],
  ["class with a toJSON", Object.assign(new Hidden(), { toJSON: () => "a" }), "a"],
  ["object with a method", { id: 7, close: () => 1 }, { id: 7 }],
  ["empty object", {}, {}],
  ["object without a prototype", Object.create(null), {}],
  ["object of what is undefined", { a: undefined }, {}],
  ["object with a symbol beside names", { a: 1, [Symbol("tag")]: 2 }, { a: 1 }],
  ["object whose toJSON gives null", { toJSON: () => null }, null],
];

/** The outcomes of a call whose tool returns something, and of one that is given it. */
async function through(value: unknown) {
  const runner = (answer: unknown) =>
    new ToolRunner({
      unchecked: true,
      tools: [{ name: "read", execute: () => answer }],
      guardrails: [allowAll()],
    });
  const given = await runner("").run({ name: "read", arguments: { value } as never });
  const answers = [
    [value],
    { at: value },
    toolResult({ content: "a", structured: [value] as never }),
  ];
  const outcomes = await Promise.all(answers.map((answer) => runner(answer).run({ name: "read" })));
  return { given, outcomes };
}

describe("P2 a value that JSON would empty", () => {
  it.each(lost)(
    "is refused in a result, by its type and with a way out, and in arguments: %#",
    async (value, what, wayOut) => {
      const { given, outcomes } = await through(value);
      expect(given.status).toBe("invalid");
      for (const outcome of outcomes) {
        const { error, result } = outcome as unknown as {
          error: Error;
          result: { isError: boolean };
        };
        expect(result.isError).toBe(true);
        const { message } = error.cause as Error;
        expect(message).toContain(
          `JSON writes ${what.startsWith("'") ? "an object of the type " : ""}${what}: `,
        );
        expect(message).toContain(wayOut);
        expect(JSON.stringify([outcome, message])).not.toContain("hunter2");
      }
    },
  );

  it.each<[string, unknown, string]>([
    ["gives undefined", { toJSON() {} }, "'Object', whose toJSON() gives undefined"],
    ["gives a function", { toJSON: () => () => "hunter2" }, "whose toJSON() gives a function"],
    ["gives a symbol", { toJSON: () => Symbol("hunter2") }, "whose toJSON() gives a symbol"],
    [
      "of a list gives undefined",
      Object.assign(["hunter2"], { toJSON() {} }),
      "'Array', whose toJSON() gives undefined",
    ],
    [
      "of a class gives undefined",
      Object.assign(new Hidden(), { toJSON() {} }),
      "'Hidden', whose toJSON() gives undefined",
    ],
  ])("is refused in a result where its toJSON %s", async (_, value, what) => {
    const { outcomes } = await through(value);
    for (const outcome of outcomes) {
      const { message } = (outcome as unknown as { error: Error }).error.cause as Error;
      expect(message).toContain(`JSON leaves out an object of the type `);
      expect(message).toContain(what);
      expect(JSON.stringify([outcome, message])).not.toContain("hunter2");
    }
  });

  it("is refused in a result where all that it has stands under symbols", async () => {
    const { outcomes } = await through({ [Symbol("key")]: "hunter2", gone: undefined });
    for (const outcome of outcomes) {
      const { message } = (outcome as unknown as { error: Error }).error.cause as Error;
      expect(message).toBe(
        "JSON writes an object of the type 'Object' as {}: give its members names of text.",
      );
    }
  });

  it.each(kept)("is none of these: %s", async (_, value, written) => {
    const { outcomes } = await through(value);
    const structured = outcomes.map(({ result }) => result.structured);
    expect(structured).toEqual([[written], { at: written }, [written]]);
  });

  it("is refused of every class that the host has", async () => {
    const passed: string[] = [];
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const made: unknown = Reflect.get(globalThis, name);
      const prototype = typeof made === "function" ? made.prototype : undefined;
      if (name === "Object" || typeof prototype !== "object") continue;
      const { given, outcomes } = await through(Object.create(prototype));
      const isRefused = outcomes.every(({ result }) => result.isError);
      if (given.status !== "invalid" || !isRefused) passed.push(name);
    }
    expect(passed).toEqual([]);
  });
});
