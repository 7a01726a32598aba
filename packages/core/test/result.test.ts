import { describe, expect, it } from "vitest";
import {
  Result,
  readResult,
  snapshotBody,
  snapshotContent,
  snapshotFacts,
  toolResult,
} from "../src/call/result.js";
import { isDeepFrozen } from "./support/json-values.js";
import { whilePlanted } from "./support/planted.js";

const circle: Record<string, unknown> = {};
circle["self"] = circle;

const written = (value: object, as: unknown) => Object.assign(value, { toJSON: () => as });

function read(value: unknown): Result {
  return readResult(value, "call-1", "send_mail") as Result;
}

describe("readResult of what a tool returns", () => {
  it.each([
    ["text", "sent", "sent", undefined],
    ["empty text", "", "", undefined],
    ["nothing", undefined, "", undefined],
    ["null", null, "null", null],
    ["a number", 7, "7", 7],
    ["false", false, "false", false],
    ["an object", { a: 1, gone: undefined }, '{"a":1}', { a: 1 }],
    ["a list", [1, undefined], "[1,null]", [1, null]],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"', "1970-01-01T00:00:00.000Z"],
    ["an object with a toJSON", { toJSON: () => ({ b: 2 }) }, '{"b":2}', { b: 2 }],
    ["a number that is no JSON", Number.NaN, "NaN", undefined],
    ["a number without end", Number.NEGATIVE_INFINITY, "-Infinity", undefined],
    [
      "such numbers deep down",
      { a: [Number.NaN, null] },
      '{"a":["NaN",null]}',
      { a: ["NaN", null] },
    ],
    ["an empty object beside a null", { a: {}, b: null }, '{"a":{},"b":null}', { a: {}, b: null }],
    ["an object of the type of bytes", { type: "Buffer" }, '{"type":"Buffer"}', { type: "Buffer" }],
    ["a Map that writes itself", written(new Map(), [1]), "[1]", [1]],
    [
      "a Map that writes itself, deep down",
      [written(new Map(), [1]), null],
      "[[1],null]",
      [[1], null],
    ],
    [
      "bytes that write themselves",
      [written(new Uint8Array(2), "AAA="), null],
      '["AAA=",null]',
      ["AAA=", null],
    ],
  ])("takes %s", (_, value, content, structured) => {
    expect({ ...read(value) }).toEqual({
      callId: "call-1",
      name: "send_mail",
      isError: false,
      content,
      structured,
      receipt: undefined,
      raw: undefined,
    });
  });

  it("P6 shares nothing that can change with it", () => {
    const value = { list: [{ a: 1 }] };
    const result = read(value);
    (value.list[0] as { a: number }).a = 2;
    value.list.push({ a: 3 });
    expect(result.structured).toEqual({ list: [{ a: 1 }] });
    expect(isDeepFrozen(result)).toBe(true);
    expect(isDeepFrozen(result.structured)).toBe(true);
  });

  it.each([
    ["a BigInt", 1n],
    ["a BigInt deep down", { a: [1n] }],
    ["a Map, which JSON would empty", new Map([["a", 1]])],
    ["a Set, which JSON would empty", new Set([1])],
    ["a Map deep down", { a: [new Map([["a", 1]])] }],
    ["bytes, which JSON would number", new Uint8Array([97, 98])],
    ["bytes deep down", { a: [Buffer.from("ab")] }],
    ["no bytes", new ArrayBuffer(2)],
    ["a toJSON that gives a Map", { toJSON: () => new Map([["a", 1]]) }],
    ["a toJSON that gives bytes", { toJSON: () => new Uint8Array([97, 98]) }],
    ["a circle", circle],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    [
      "a toJSON that throws",
      {
        toJSON: () => {
          throw new Error("x");
        },
      },
    ],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("x");
        },
      },
    ],
  ])("refuses %s", (_, value) => {
    expect(() => read(value)).toThrow();
  });

  it("takes an object that only looks like a result of core's for what it is", () => {
    const result = read({ content: "x", isError: true, callId: "other" });
    expect(result.isError).toBe(false);
    expect(result.callId).toBe("call-1");
    expect(JSON.parse(result.content as string)).toEqual({
      content: "x",
      isError: true,
      callId: "other",
    });
  });
});

describe("toolResult", () => {
  it("says exactly what the model shall read", () => {
    const raw = { any: () => 1 };
    const result = read(
      toolResult({
        content: [{ type: "text", text: "a" }],
        structured: { at: new Date(0) as never },
        isError: true,
        callId: "theirs",
        name: "their_name",
        receipt: "r",
        raw,
      }),
    );
    expect({ ...result }).toEqual({
      content: [{ type: "text", text: "a" }],
      structured: { at: "1970-01-01T00:00:00.000Z" },
      isError: true,
      callId: "theirs",
      name: "their_name",
      receipt: "r",
      raw,
    });
    expect(result.raw).toBe(raw);
    expect(isDeepFrozen(result.content)).toBe(true);
    expect(isDeepFrozen(result.structured)).toBe(true);
  });

  it("is whose call it was where it says nothing else", () => {
    expect({ ...read(toolResult({ content: "x" })) }).toEqual({
      content: "x",
      structured: undefined,
      isError: false,
      callId: "call-1",
      name: "send_mail",
      receipt: undefined,
      raw: undefined,
    });
    expect(read(toolResult({ content: "x", structured: null })).structured).toBeNull();
  });

  it("P6 is frozen, and what it was made of can change no more", () => {
    const parts = [{ type: "text", text: "a" }];
    const claimed = toolResult({ content: parts });
    expect(Object.isFrozen(claimed)).toBe(true);
    const result = read(claimed);
    parts.push({ type: "text", text: "b" });
    expect(result.content).toEqual([{ type: "text", text: "a" }]);
  });

  it("is known across two copies of the package", () => {
    const theirs = { content: "x", isError: true, [Symbol.for("toolstile.result")]: true };
    expect(read(theirs).isError).toBe(true);
  });

  it.each([
    ["a number as content", { content: 7 }],
    ["no content", {}],
    ["parts without a type", { content: [{ text: "x" }] }],
    ["a structured BigInt", { content: "x", structured: 1n }],
    ["a structured function", { content: "x", structured: () => 1 }],
  ])("is refused with %s", (_, claimed) => {
    expect(() => read(toolResult(claimed as never))).toThrow();
  });

  it("P5 refuses a field that nobody reads, and names the right one", () => {
    expect(() => toolResult({ content: "x", isErorr: true } as never)).toThrow(
      expect.objectContaining({
        code: "ERR_UNKNOWN_OPTION",
        message: expect.stringContaining("Did you mean 'isError'?"),
      }),
    );
  });

  it("P8 takes no planted field for one that was given", () => {
    const planted = {
      callId: "planted",
      name: "planted",
      isError: true,
      receipt: "planted",
      raw: 1,
      structured: 2,
      content: "planted",
    };
    const result = whilePlanted(planted, () => read(toolResult({ content: "x" })));
    expect({ ...result }).toEqual({
      content: "x",
      structured: undefined,
      isError: false,
      callId: "call-1",
      name: "send_mail",
      receipt: undefined,
      raw: undefined,
    });
    expect(() => whilePlanted(planted, () => read(toolResult({} as never)))).toThrow();
  });

  it("P8 is what an asynchronous tool resolves with, whatever `then` is planted", async () => {
    const planted = { then: (resolve: (value: unknown) => void) => resolve("planted") };
    const answered = whilePlanted(planted, () =>
      Promise.resolve(toolResult({ content: "x", isError: true })),
    );
    expect(read(await answered)).toMatchObject({ content: "x", isError: true });
  });

  it("P8 is not claimed by a plain value because the mark is planted", () => {
    const result = whilePlanted(
      { [Symbol.for("toolstile.result")]: true, content: "planted" },
      () => read({ a: 1 }),
    );
    expect(result.content).toBe('{"a":1}');
  });
});

describe("Result", () => {
  const full = new Result("c", "n", true, "text", { a: 1 }, "receipt", "raw");

  it("keeps its identity when it is rewritten, and drops what stood beside the old body", () => {
    expect({ ...Result.rewritten(full, { content: "new", structured: [1] }) }).toEqual({
      callId: "c",
      name: "n",
      isError: true,
      content: "new",
      structured: [1],
      receipt: undefined,
      raw: undefined,
    });
    expect(Result.rewritten(full, { content: "new" }).structured).toBeUndefined();
  });

  it("keeps all but its identity when core gives it its own", () => {
    expect({ ...Result.identified(full, "mine", "tool") }).toEqual({
      ...full,
      callId: "mine",
      name: "tool",
    });
    expect(Result.identified(full, "c", "tool").name).toBe("tool");
    expect(Result.identified(full, "mine", "n").callId).toBe("mine");
    expect(Result.identified(full, "c", "n")).toBe(full);
  });

  it("P6 is frozen", () => {
    expect(Object.isFrozen(full)).toBe(true);
    expect(Object.isFrozen(Result.rewritten(full, { content: "" }))).toBe(true);
    expect(Object.isFrozen(Result.identified(full, "x", "y"))).toBe(true);
  });
});

describe("snapshotContent", () => {
  it.each([
    ["text", "a"],
    ["no parts", []],
    ["a part", [{ type: "text", text: "a" }]],
    ["parts of any type", [{ type: "image", data: "x" }, { type: "other" }]],
  ])("takes %s", (_, content) => {
    expect(snapshotContent(content)).toEqual(content);
    expect(isDeepFrozen(snapshotContent(content))).toBe(true);
  });

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["a number", 1],
    ["an object", { type: "text" }],
    ["a list of texts", ["a"]],
    ["a list with null", [null]],
    ["a list with a list", [[]]],
    ["a part without a type", [{}]],
    ["a part whose type is a number", [{ type: 1 }]],
    ["a part whose type is inherited", [Object.create({ type: "text" })]],
    ["a good part and a bad one", [{ type: "text" }, {}]],
  ])("refuses %s", (_, content) => {
    expect(() => snapshotContent(content)).toThrow(TypeError);
  });

  it("P8 takes no planted type for a part's", () => {
    expect(() => whilePlanted({ type: "text" }, () => snapshotContent([{}]))).toThrow(TypeError);
  });
});

describe("snapshotBody", () => {
  it("takes content, and a structured value, and nothing else", () => {
    expect(snapshotBody({ content: "a" })).toEqual({ content: "a", structured: undefined });
    expect(snapshotBody({ content: "a", structured: { at: new Date(0) } })).toEqual({
      content: "a",
      structured: { at: "1970-01-01T00:00:00.000Z" },
    });
    expect(Object.isFrozen(snapshotBody({ content: "a" }))).toBe(true);
    for (const body of [
      { content: "a", raw: 1 },
      { content: "a", [Symbol("x")]: 1 },
      "text",
      [],
      null,
      undefined,
      {},
    ]) {
      expect(() => snapshotBody(body)).toThrow();
    }
  });

  it("P6 reads each part once", () => {
    let reads = 0;
    const body = {
      get content() {
        return ++reads === 1 ? "clean" : "raw";
      },
    };
    expect(snapshotBody(body).content).toBe("clean");
    expect(reads).toBe(1);
  });

  it("P8 takes no planted part", () => {
    expect(() => whilePlanted({ content: "planted" }, () => snapshotBody({}))).toThrow(TypeError);
    const body = whilePlanted({ structured: "planted" }, () => snapshotBody({ content: "a" }));
    expect(body.structured).toBeUndefined();
  });
});

describe("snapshotFacts", () => {
  it("takes an object, as JSON has it", () => {
    expect(snapshotFacts({ at: new Date(0), gone: undefined, list: [1] })).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      list: [1],
    });
    expect(isDeepFrozen(snapshotFacts({ list: [{}] }))).toBe(true);
    for (const facts of ["x", 1, null, [], undefined, () => 1, new Date(0)]) {
      expect(() => snapshotFacts(facts)).toThrow();
    }
  });
});
