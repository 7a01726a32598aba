import { describe, expect, it } from "vitest";
import { type Fault, ToolRunner } from "../src/index.js";
import { isDeepFrozen } from "../src/json/own.js";
import { listen } from "../src/time/abort.js";
import { steady } from "../src/time/clock.js";
import { declaredTool } from "../src/tool/declared-tools.js";
import { restrictsArguments } from "../src/tool/definition.js";
import { holdsValueOf } from "../src/tool/held-values.js";
import { describeIssue } from "../src/tool/schema-issue.js";
import { approver, approves, gate, request as payment } from "./support/approvals.js";
import { HandClock } from "./support/hand-clock.js";
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

  it("tells a member of an odd name by the spelling of a pointer", () => {
    const schema = { properties: { "a/b~c": { type: "string" } } };
    expect(said({ message: "", path: ["a/b~c"] }, schema, { "a/b~c": 1 })).toBe(
      " at /a~1b~0c: expected string",
    );
  });
});

describe("tools that are declared with a call", () => {
  it("are found in a list that grew since it was seen", () => {
    const list = Array.from({ length: 20 }, (_, at) => Object.freeze({ name: `t${at}` }));
    for (let time = 0; time < 3; time++) expect(declaredTool(list, "late")).toBeUndefined();
    const late = Object.freeze({ name: "late" });
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
