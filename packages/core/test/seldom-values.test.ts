import { describe, expect, it } from "vitest";
import { type Fault, ToolRunner } from "../src/index.js";
import { isDeepFrozen } from "../src/json/own.js";
import { parseArguments } from "../src/json/parse.js";
import { listen } from "../src/time/abort.js";
import { steady } from "../src/time/clock.js";
import { within } from "../src/time/wait.js";
import { declaredBy } from "../src/tool/declared-schema.js";
import { declaredTool } from "../src/tool/declared-tools.js";
import { restrictsArguments } from "../src/tool/definition.js";
import { holdsValueOf } from "../src/tool/held-values.js";
import { describeIssue } from "../src/tool/schema-issue.js";
import { allNames } from "../src/tool/schema-place.js";
import { approver, approves, gate, request as payment } from "./support/approvals.js";
import { errorOf } from "./support/errors.js";
import { HandClock } from "./support/hand-clock.js";
import { whilePlanted } from "./support/planted.js";
import { idle } from "./support/promises.js";
import { spyTool } from "./support/runners.js";

describe("a schema", () => {
  it.each<[string, object]>([
    ["a keyword that is not known and true", { propertyNames: true }],
    ["properties that are null", { properties: null }],
    ["an empty text for required", { required: "" }],
    ["an empty object under another keyword", { not: {} }],
    ["additional properties of a kind", { additionalProperties: {} }],
    ["a type in a list", { type: ["object"] }],
  ])("P5 restricts arguments by %s", (_, schema) => {
    expect(restrictsArguments({ type: "object", ...schema } as never)).toBe(true);
  });
});

describe("P2 a text of a schema's author", () => {
  const none: ReadonlySet<string> = new Set();
  const holds = (text: string, args: unknown, declared = none) =>
    holdsValueOf(text, args, declared);

  it("may hold a value where there is too much to compare, and not before", () => {
    expect(holds("tea", ["x".repeat(65_535)])).toBe(false);
    expect(holds("tea", ["x".repeat(65_536)])).toBe(true);
    expect(holds("tea", ["x".repeat(65_533), "y", "z"])).toBe(true);
    expect(holds("tea", ["x".repeat(65_532), "y"])).toBe(false);
  });

  it("holds a value of which it says one long word", () => {
    expect(holds("kept secretly", ["x secretly"])).toBe(true);
    expect(holds("kept private", ["x private"])).toBe(false);
  });

  it("holds a value that it spells in several words", () => {
    expect(holds("for ada love", ["adalove"])).toBe(true);
    expect(holds("for ada love", ["ada@love"])).toBe(true);
  });

  it("holds no value that has no letters, and no place in a list", () => {
    expect(holds("item 0 of 1", [["---"]])).toBe(false);
    expect(holds("item 0", { list: ["tea"] }, new Set(["list"]))).toBe(false);
    expect(holds("item 0", { 0: "tea" })).toBe(true);
  });
});

describe("P2 what is said of a schema's issue", () => {
  const said = (issue: object | null | undefined, schema: object = {}, args: object = {}) =>
    describeIssue(issue as never, schema as never, args as never);

  it("is nothing of no issue", () => {
    expect([said(undefined), said(null), said("x" as never)]).toEqual(["", "", ""]);
  });

  it("has the place by any path that can be walked", () => {
    const schema = { properties: { a: { type: "string" } } };
    for (const path of [["a"], new Set(["a"]), [{ key: "a" }]]) {
      expect(said({ message: "", path }, schema, { a: 1 })).toBe(" at /a: expected string");
    }
  });

  it("is what a reference within the schema states, and not one to elsewhere", () => {
    const schema = {
      $defs: { deep: { size: { type: "number" } } },
      properties: {
        size: { $ref: "#/$defs/deep/size" },
        other: { $ref: "x#/$defs/deep/size" },
        root: { $ref: "#" },
      },
      type: "object",
    };
    expect(said({ message: "", path: ["size"] }, schema, { size: "x" })).toBe(
      " at /size: expected number",
    );
    expect(said({ message: "", path: ["other"] }, schema, { other: "x" })).toBe(" at /other");
    expect(said({ message: "", path: ["root"] }, schema, { root: "x" })).toBe(
      " at /root: expected object",
    );
  });

  it("is of an item of a list what the schema says of its place", () => {
    const schema = {
      properties: { list: { prefixItems: [{ type: "string" }], items: { type: "boolean" } } },
    };
    const at = (place: number) =>
      said({ message: "", path: ["list", place] }, schema, { list: [1, 1] });
    expect([at(0), at(1)]).toEqual([
      " at /list/0: expected string",
      " at /list/1: expected boolean",
    ]);
  });

  it("names values that are short, and counts others", () => {
    const of = (values: readonly unknown[]) =>
      said({ message: "", path: ["a"] }, { properties: { a: { enum: values } } }, { a: "x" });
    expect(of([null, 1, true, "b"])).toBe(" at /a: expected null or 1 or true or 'b'");
    expect(of([{}, 1])).toBe(" at /a: expected one of 2 declared values");
    expect(of(["y".repeat(64)])).toBe(` at /a: expected '${"y".repeat(64)}'`);
    expect(of(["y".repeat(65)])).toBe(" at /a: expected one of 1 declared values");
    expect(of(Array.from({ length: 12 }, (_, at) => at))).toContain("0 or 1");
    expect(of(Array.from({ length: 13 }, (_, at) => at))).toContain("one of 13 declared values");
  });

  it("joins that a member is missing with what is expected of it", () => {
    const schema = { properties: { a: { type: "string" } } };
    expect(said({ message: "", path: ["a"] }, schema)).toBe(" at /a: missing, expected string");
    expect(said({ message: "", path: [], expected: "(string | number)" })).toBe(
      ": expected string | number",
    );
  });

  it("is nothing of a bound that is not for a value of its type", () => {
    const of = (schema: object, a: unknown) =>
      said({ message: "", path: ["a"] }, { properties: { a: schema } }, { a });
    expect(of({ type: ["string", "number"], minLength: 3 }, 1)).toBe(" at /a");
    expect(of({ type: ["string", "array"], minItems: 3 }, "x")).toBe(" at /a");
    expect(of({ type: ["string", "number"], minimum: 5 }, "1")).toBe(" at /a");
    expect(of({ type: "string", minLength: 3 }, "x")).toBe(
      " at /a: expected at least 3 characters",
    );
  });

  it("is what a schema states that refers to itself, or has an alternative that is none", () => {
    const schema = {
      $defs: { t: { anyOf: [{ $ref: "#/$defs/t" }, null, { type: "number" }] } },
      properties: { a: { $ref: "#/$defs/t" } },
    };
    expect(said({ message: "", path: ["a"] }, schema, { a: "x" })).toBe(" at /a: expected number");
    expect(said({ message: "", path: ["a", "b"] }, schema, { a: null })).toBe(" at /a/*: missing");
  });

  it("is nothing of a format for a value that is no text", () => {
    const a = { type: ["string", "number"], format: "email" };
    const issue = { message: "", path: ["a"], code: "invalid_format" };
    expect(said(issue, { properties: { a } }, { a: 1 })).toBe(" at /a");
    expect(said(issue, { properties: { a } }, { a: "x" })).toBe(
      " at /a: expected text of the format 'email'",
    );
  });

  it("repeats 200 characters of the author's at most", () => {
    const of = (length: number) => said({ message: "y".repeat(length), path: [] });
    expect([of(200), of(201)]).toEqual([`: ${"y".repeat(200)}`, ""]);
  });

  it("knows the names that a schema declares at any place", () => {
    const schema = { default: null, properties: { a: { items: { properties: { b: {} } } } } };
    expect([...allNames(schema)].sort()).toEqual(["a", "b"]);
  });

  it("is read from a choice of numbers, which are not the names of others", () => {
    for (const options of [
      [1, 0, 2],
      ["a", "b"],
    ]) {
      expect(declaredBy({ type: "picklist", options })).toEqual({ enum: options });
    }
    const named = { type: "enum", entries: { Low: 0, High: 1, 0: "Low", 1: "High" } };
    expect(declaredBy(named)).toEqual({ enum: [0, 1] });
  });

  it("is read twelve levels deep, and no deeper", () => {
    const nested = (levels: number): object =>
      levels === 0 ? { type: "string" } : { type: "array", item: nested(levels - 1) };
    const inmost = (levels: number) => {
      let each: unknown = declaredBy(nested(levels));
      for (let level = 0; level < levels; level++) each = (each as { items: unknown }).items;
      return each;
    };
    expect([inmost(1), inmost(12), inmost(13)]).toEqual([
      { type: "string" },
      { type: "string" },
      {},
    ]);
  });

  it("is that a member is not declared only where the library forbids it", () => {
    const schema = { properties: { a: { type: "object" } } };
    const of = (issue: object) => said({ message: "", path: ["a"], ...issue }, schema, { a: 7 });
    expect(of({ type: "strict_object", expected: "Object" })).toBe(" at /a: expected object");
    expect(of({ type: "object", expected: "never" })).toBe(" at /a: expected object");
    expect(of({ code: "custom", keys: ["b"] })).toBe(" at /a: expected object");
    expect(of({ code: "unrecognized_keys", keys: "b" })).toBe(" at /a: expected object");
    expect(of({ type: "strict_object", expected: "never" })).toContain("is not declared");
    expect(of({ code: "unrecognized_keys", keys: ["b"] })).toContain("is not declared");
  });

  it("is read from a list of zod 3 as from others", () => {
    const text = { _def: { typeName: "ZodString" } };
    expect(declaredBy({ _def: { typeName: "ZodArray", type: text } })).toEqual({
      type: "array",
      items: { type: "string" },
    });
  });

  it("tells a member of an odd name by the spelling of a pointer", () => {
    const schema = { properties: { "a/b~c": { type: "string" } } };
    expect(said({ message: "", path: ["a/b~c"] }, schema, { "a/b~c": 1 })).toBe(
      " at /a~1b~0c: expected string",
    );
  });
});

describe("tools that are declared with a call", () => {
  it("are found in a list that grew since it was seen", () => {
    const named = (name: string) => Object.freeze({ name });
    const list = Array.from({ length: 20 }, (_, at) => named(`t${at}`));
    for (let time = 0; time < 3; time++) expect(declaredTool(list, "late")).toBeUndefined();
    const late = named("late");
    list.push(late);
    expect(declaredTool(list, "late")).toBe(late);
  });
});

describe("a value in which nothing can change", () => {
  it("has no data that can change in the place of a function", () => {
    const code = new Set(["execute"]);
    const frozen = (execute: unknown) => isDeepFrozen(Object.freeze({ execute }), code);
    expect(frozen(() => 1)).toBe(true);
    expect(frozen({ a: 1 })).toBe(false);
    expect(frozen(Object.freeze({ a: 1 }))).toBe(true);
  });
});

describe("P2 arguments as text", () => {
  it("may have whole numbers beside one that is written with an exponent", () => {
    expect(parseArguments('{"a":1e21,"b":5,"c":-7}')).toMatchObject({ ok: true });
  });

  it("P2 have no whole number of 22 digits or more, which would be rounded", () => {
    for (const sign of ["", "-"]) {
      for (const digits of [22, 23]) {
        expect(parseArguments(`{"a":${sign}1${"0".repeat(digits - 1)}}`)).toMatchObject({
          ok: false,
          code: "unsafe_integer",
        });
      }
    }
  });

  it.each([
    ['{"a":1},{}', 7],
    ['{"a":[1,]}', 8],
    ['{"a":1,}', 7],
    ["[1}", 2],
    ['{"a":1]', 6],
  ])("P2 stop being JSON at the first place that is none: %s", (text, place) => {
    expect(parseArguments(text)).toMatchObject({
      reason: `they are not valid JSON at position ${place}`,
    });
  });
});

describe("an answer of the host's that cannot be trusted", () => {
  it("P8 is an error, for a then is planted", async () => {
    const bounds = { clock: new HandClock(), timeoutMs: 20, caller: undefined };
    for (const answer of [7, Promise.resolve(7)]) {
      const waited = whilePlanted({ then: 7 }, () => within(bounds, answer));
      await expect(waited).rejects.toThrow("A then is planted on Object.prototype.");
    }
  });
});

describe("an option of options", () => {
  const limits = (given: unknown) =>
    errorOf(() => new ToolRunner({ guardrails: [], limits: given as never }));

  it("P5 is refused where it inherits from what only looks like the root", () => {
    const looksLike = Object.create({ isPrototypeOf: () => true, maxDepth: 3 });
    expect(limits(looksLike).message).toContain("'limits' must be a plain object");
  });

  it("P5 is told of by its name where it is of a class", () => {
    class Limits {
      maxDepth = 3;
    }
    const error = limits(new Limits());
    expect(error.message).toBe(
      "ToolRunner: 'limits' must be a plain object, received one with a prototype: what it inherits would not be read. Write { ... }.",
    );
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });
});

describe("a host's clock", () => {
  it("that throws from the first time on stands at 0", () => {
    const throws = (): never => {
      throw new Error("no time");
    };
    const clock = steady({ now: throws, setTimeout: throws, clearTimeout: throws });
    expect(clock.now()).toBe(0);
  });
});

describe("a signal of the host's own", () => {
  it("is listened to once", () => {
    const heard: unknown[] = [];
    const signal = {
      aborted: false,
      reason: undefined,
      throwIfAborted: () => {},
      addEventListener: (...given: unknown[]) => void heard.push(given[0], given[2]),
      removeEventListener: () => {},
    };
    listen(signal, () => {});
    expect(heard).toEqual(["abort", { once: true }]);
  });
});

describe("P9 an approver whose time is over", () => {
  it("is told of to operators, with the time that it had", async () => {
    const clock = new HandClock();
    const faults: string[] = [];
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: approver(approves, () => new Promise(() => {})),
      clock,
      timeoutMs: 20,
      onFault: ({ source, error }: Fault) =>
        void faults.push(`${source}: ${(error as Error).message}`),
    });
    const running = runner.run(payment);
    await idle();
    clock.pass(20);
    expect(await running).toMatchObject({ status: "denied", code: "approval_not_valid" });
    expect(faults).toEqual(["human: No answer within 20 ms."]);
  });
});
