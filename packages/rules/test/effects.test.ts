import { type JsonObject, type ResultGuardrail, ToolRunner } from "@toolstile/core";
import { call, fakeTool, result, testProvider, testResultGuardrail } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RuleChange, type RulesOptions, rules, type ToolRule } from "../src/index.js";
import { decisionOf, guard, provider } from "./ask.js";

describe("a rule that denies", () => {
  it("says its reason, its id as the code, and nothing of the call", async () => {
    const made = guard({ id: "too-much", when: { at: "/amount", above: 200 }, deny: "above 200" });
    expect(await made.evaluate(call({ amount: 201 }, "pay"))).toEqual({
      decision: "deny",
      reason: "above 200",
      code: "too-much",
      metadata: { rule: "too-much" },
    });
    expect(await made.evaluate(call({ amount: "a private note" }, "pay"))).toEqual({
      decision: "deny",
      reason: "above 200 (/amount must be a number, received a string)",
      code: "too-much",
      metadata: { rule: "too-much", undecided: true },
    });
  });

  it("comes first in the order of the rules, and before every question to a human", async () => {
    const made = guard(
      { id: "ask", ask: "?" },
      { id: "first", when: { at: "/a", above: 1 }, deny: "1" },
      { id: "second", when: { at: "/a", above: 0 }, deny: "2" },
    );
    const codeOf = async (a: number) =>
      ((await made.evaluate(call({ a }))) as { code?: string }).code;
    expect([await codeOf(2), await codeOf(1), await codeOf(0)]).toEqual(["first", "second", "ask"]);
  });

  it("applies only where both its conditions have it apply", async () => {
    const made = guard({
      when: { at: "/currency", equals: "EUR" },
      require: { at: "/amount", atMost: 100 },
      deny: "no",
    });
    const decides = (args: object) => decisionOf(made, call(args));
    expect(await decides({ currency: "EUR", amount: 101 })).toBe("deny");
    expect(await decides({ currency: "EUR", amount: 100 })).toBe("allow");
    expect(await decides({ currency: "USD", amount: 101 })).toBe("allow");
    expect(await decides({ currency: "USD" })).toBe("allow");
    expect(await decides({})).toBe("deny");
  });

  it("applies to all calls of its tools without a condition", async () => {
    const made = guard({ tools: ["shell", { pattern: "rm_*" }], deny: "no" });
    const decides = (name: string) => decisionOf(made, call({}, name));
    expect(await decides("shell")).toBe("deny");
    expect(await decides("rm_all")).toBe("deny");
    expect(await decides("rm_l\u00f6schen")).toBe("deny");
    expect(await decides("Shell")).toBe("allow");
    expect(await decides("constructor")).toBe("allow");
  });

  it("looks at the facts of the host", async () => {
    const admins = { host: "/attributes/roles/*", equals: "admin" } as const;
    const made = guard({
      require: { any: [admins, { host: "/principal", equals: "root" }] },
      deny: "no",
    });
    const decides = (context: object) => decisionOf(made, call({}, "x", { context }));
    expect(await decides({ attributes: { roles: ["admin"] } })).toBe("allow");
    expect(await decides({ principal: "root" })).toBe("allow");
    expect(await decides({ attributes: { roles: ["guest"] }, principal: "ann" })).toBe("deny");
    expect(await decides({})).toBe("deny");
  });

  it("has expressions in CEL, whose failure has it apply", async () => {
    const made = guard({
      when: { cel: 'args.amount > 100 && host.principal != "root"' },
      deny: "no",
    });
    const decides = (args: object, principal?: string) =>
      decisionOf(made, call(args, "x", { context: { principal } }));
    expect(await decides({ amount: 101 }, "ann")).toBe("deny");
    expect(await decides({ amount: 100 }, "ann")).toBe("allow");
    expect(await decides({ amount: 101 }, "root")).toBe("allow");
    expect(await decides({ amount: "x" }, "ann")).toBe("deny");
    expect(await decides({}, "ann")).toBe("deny");
    expect(await decides({ amount: 101 })).toBe("deny");
  });
});

describe("a rule that changes arguments", () => {
  const limits: ToolRule = {
    id: "limits",
    tools: ["search"],
    change: [
      { at: "/limit", default: 10 },
      { at: "/limit", clamp: { min: 1, max: 50 } },
      { at: "/q", trim: true },
      { at: "/q", truncate: 20 },
    ],
  };
  testProvider(it, () => provider({ rules: [limits] }), {
    allowed: [call({ limit: 50, q: "private" }), call({}, "other")],
    modified: [call({ q: " private text " }), call({ limit: 500, q: "private" })],
    denied: [call({ limit: "500 private" })],
  });
  testProvider(
    it,
    () => provider({ rules: [limits, { id: "no", when: { at: "/q", equals: "x" }, deny: "no" }] }),
    { modified: call({ limit: 500, q: "private" }), denied: call({ q: "x", limit: 1 }) },
  );

  const changedBy = (change: RuleChange | readonly RuleChange[], args: object) => {
    const answer = guard({ change }).evaluate(call(args)) as {
      decision: string;
      modifiedArgs?: object;
    };
    return answer.decision === "modify" ? answer.modifiedArgs : answer.decision;
  };

  it.each<[RuleChange | readonly RuleChange[], object, unknown]>([
    [
      { at: "/a", set: 1 },
      { a: 2, b: 3 },
      { a: 1, b: 3 },
    ],
    [{ at: "/a", set: { x: [1] } }, { a: { x: [1] } }, "allow"],
    [{ at: "/a/b", set: 1 }, { a: {} }, { a: { b: 1 } }],
    [{ at: "/a/b", set: 1 }, {}, "deny"],
    [{ at: "/a/b", set: 1 }, { a: "x" }, "deny"],
    [{ at: "/a/9", set: 1 }, { a: [0] }, "deny"],
    [{ at: "/a/0", set: 1 }, { a: [0, 2] }, { a: [1, 2] }],
    [{ at: "/a", default: 1 }, {}, { a: 1 }],
    [{ at: "/a", default: 1 }, { a: null }, "allow"],
    [{ at: "/a", clamp: { max: 5 } }, { a: 6 }, { a: 5 }],
    [{ at: "/a", clamp: { min: 5 } }, { a: 6 }, "allow"],
    [{ at: "/a", clamp: { max: 5 } }, {}, "allow"],
    [{ at: "/a", clamp: { max: 5 } }, { a: "6" }, "deny"],
    [{ at: "/a", clamp: { max: 5 } }, { a: null }, "deny"],
    [{ at: "/a/b", clamp: { max: 5 } }, { a: "6" }, "deny"],
    [{ at: "/a/b", clamp: { max: 5 } }, { a: [{ b: 6 }] }, "deny"],
    [{ at: "/a/length", set: 3 }, { a: [1] }, "deny"],
    [{ at: "/a/7", clamp: { max: 5 } }, { a: [6] }, "allow"],
    [
      { at: "/a/*/n", clamp: { max: 5 } },
      { a: [{ n: 6 }, {}, { n: 1 }] },
      { a: [{ n: 5 }, {}, { n: 1 }] },
    ],
    [{ at: "/a", lowerCase: true }, { a: "ÀB" }, { a: "àb" }],
    [{ at: "/a", truncate: 2 }, { a: "😀😀😀" }, { a: "😀😀" }],
    [{ at: "/a", truncate: 2 }, { a: "ab" }, "allow"],
    [
      [
        { at: "/a", trim: true },
        { at: "/a", truncate: 2 },
      ],
      { a: " a b" },
      { a: "a" },
    ],
  ])("by %j makes of %j: %j", (change, args, expected) => {
    expect(changedBy(change, args)).toEqual(expected);
  });

  it("P6 leaves the arguments themselves as they are, and makes what it leaves alone", () => {
    const change = fc.constantFrom<RuleChange>(
      { at: "/a", set: 1 },
      { at: "/a", default: "x" },
      { at: "/a", clamp: { min: 0, max: 9 } },
      { at: "/b/*", trim: true },
      { at: "/b/*", truncate: 3 },
      { at: "/b/0", lowerCase: true },
    );
    const args = fc.record(
      { a: fc.oneof(fc.integer(), fc.string()), b: fc.array(fc.oneof(fc.string(), fc.integer())) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(change, { minLength: 1, selector: (each) => JSON.stringify(each) }),
        args,
        (changes, given) => {
          const before = JSON.stringify(given);
          const once = changedBy(changes, given);
          expect(JSON.stringify(given)).toBe(before);
          if (typeof once === "object") expect(changedBy(changes, once)).toBe("allow");
        },
      ),
    );
  });

  it("names the rule that cannot make its change, and no value", async () => {
    const answer = await guard({ change: { at: "/cents", clamp: { max: 50 } } }).evaluate(
      call({ cents: "900" }),
    );
    expect(answer).toMatchObject({ decision: "deny" });
    expect(answer.reason).toMatch(
      /^the rule '.+' cannot make its change \('.+' cannot be made: a value at \/cents, .*\)$/,
    );
    expect(answer.reason).not.toContain("900");
  });

  it("P1 ends in a denial where changes undo each other again and again", async () => {
    const turn = (from: number, to: number): Omit<ToolRule, "id"> => ({
      when: { at: "/a", equals: from },
      change: { at: "/a", set: to },
    });
    const run = async (...turns: Omit<ToolRule, "id">[]) => {
      const tool = fakeTool();
      const runner = new ToolRunner({
        tools: [tool],
        guardrails: [guard(...turns)],
        onFault: () => undefined,
      });
      const { status } = await runner.run({ name: "search", arguments: { a: 1 } });
      return [status, ...tool.runs];
    };
    expect(await run(turn(1, 2), turn(2, 3))).toEqual(["executed", { a: 3 }]);
    expect(await run(turn(1, 2), turn(2, 1))).toEqual(["executed", { a: 1 }]);
    expect(await run(turn(1, 2), turn(3, 1), turn(2, 3))).toEqual(["denied"]);
  });

  it("P6 has the rules of its guard judge what it made", async () => {
    const tool = fakeTool("pay");
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [
        rules({
          rules: [
            { id: "clamp", change: { at: "/cents", clamp: { max: 100 } } },
            { id: "most", when: { at: "/cents", above: 100 }, deny: "no" },
            { id: "least", when: { at: "/cents", atLeast: 100 }, ask: "?" },
          ],
        }),
      ],
    });
    const run = (cents: unknown) => runner.run({ name: "pay", arguments: { cents } as JsonObject });
    expect(await run(50)).toMatchObject({ status: "executed" });
    expect(await run(500)).toMatchObject({ status: "denied", code: "least" });
    expect(await run("500")).toMatchObject({ status: "denied", code: "clamp" });
    expect(tool.runs).toEqual([{ cents: 50 }]);
  });
});

describe("a rule on results", () => {
  const options: RulesOptions = {
    unknownTools: "ignore",
    rules: [
      { id: "keys", when: { result: "/text", contains: "PRIVATE KEY" }, withhold: "it has a key" },
      { id: "long", tools: ["read_log"], cut: 300 },
    ],
  };
  const make = () => rules(options) as ResultGuardrail;
  const exchange = (name: string, content: string) => {
    const asked = call({}, name);
    return { call: asked, result: result(asked, content) };
  };
  const long = "line of a log\n".repeat(100);
  testResultGuardrail(it, make, {
    allowed: exchange("read_log", "short"),
    withheld: exchange("search", "-- PRIVATE KEY --"),
    rewritten: exchange("read_log", long),
    members: ["register", "tools"],
  });

  it("judges no call", async () => {
    expect(make()).not.toHaveProperty("evaluate");
    const runner = new ToolRunner({ tools: [fakeTool("read_log")], guardrails: [make()] });
    expect(await runner.run({ name: "read_log" })).toMatchObject({ code: "no_provider" });
  });

  it.each([
    ["in a text", "-- PRIVATE KEY --"],
    [
      "in a part",
      [
        { type: "text", text: "a" },
        { type: "text", text: "-- PRIVATE KEY --" },
      ],
    ],
    ["in another kind of part", [{ type: "resource", resource: { text: "-- PRIVATE KEY --" } }]],
  ])("finds what it looks for %s", async (_, content) => {
    const answer = await make().evaluateResult(call(), result(call(), content as string));
    expect(answer).toMatchObject({ decision: "deny", code: "keys", reason: "it has a key" });
  });

  it("finds it in structured content too", async () => {
    const answer = await make().evaluateResult(
      call(),
      result(call(), "", { structured: { a: ["-- PRIVATE KEY --"] } }),
    );
    expect(answer).toMatchObject({ code: "keys" });
  });

  it("may look at the arguments and at errors", async () => {
    const rule: ToolRule = {
      id: "r",
      when: {
        all: [
          { at: "/path", startsWith: "/secret" },
          { result: "/isError", equals: false },
        ],
      },
      withhold: "no",
    };
    const made = rules({ rules: [rule] }) as ResultGuardrail;
    const decides = async (path: string, isError: boolean) =>
      (await made.evaluateResult(call({ path }), result(call(), "", { isError }))).decision;
    expect(await decides("/secret/a", false)).toBe("deny");
    expect(await decides("/secret/a", true)).toBe("allow");
    expect(await decides("/open/a", false)).toBe("allow");
  });
});
