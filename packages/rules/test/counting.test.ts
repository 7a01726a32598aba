import {
  type ApprovalQuestion,
  type Approver,
  allow,
  type CallRequest,
  deny,
  type GuardrailProvider,
  type ToolOutcome,
  ToolRunner,
} from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { rules, type ToolRule } from "../src/index.js";

/** The code of an outcome, or its status if it has none. */
const codeOf = (outcome: ToolOutcome) =>
  ("code" in outcome ? outcome.code : undefined) ?? outcome.status;

const session = (sessionId?: string) => ({ context: { sessionId } });

describe("a rule on repeated calls", () => {
  const stuck: ToolRule = { id: "stuck", repeats: 3, deny: "the same call three times in a row" };
  const setUp = (...given: ToolRule[]) => {
    const tools = [
      fakeTool("read"),
      fakeTool("write"),
      fakeTool("fail", { execute: () => Promise.reject(new Error("x")) }),
    ];
    const runner = new ToolRunner({ tools, guardrails: [rules({ rules: given })] });
    const run = async (request: CallRequest, id = "s1") => {
      return codeOf(await runner.run(request, session(id)));
    };
    return { run, runner, read: tools[0] as (typeof tools)[number] };
  };
  const same = { name: "read", arguments: { path: "a", offset: 0 } };

  it("denies the same call after so many in a row, whatever the order of its members", async () => {
    const { run, read } = setUp(stuck);
    const turned = { name: "read", arguments: { offset: 0, path: "a" } };
    const all = [];
    for (const each of [same, turned, same, same, turned]) all.push(await run(each));
    expect(all).toEqual(["executed", "executed", "executed", "stuck", "stuck"]);
    expect(read.runs.length).toBe(3);
  });

  it.each([
    ["another call", { name: "read", arguments: { path: "a", offset: 200 } }],
    ["a call of another tool", { name: "write", arguments: {} }],
    ["a call that failed", { name: "fail", arguments: {} }],
  ])("begins anew after %s", async (_, between) => {
    const { run } = setUp(stuck);
    for (let time = 0; time < 3; time++) await run(same);
    expect(await run(same)).toBe("stuck");
    await run(between);
    expect(await run(same)).toBe("executed");
  });

  it("begins anew after a tool that it is not about, and not after a call that was denied", async () => {
    const { run } = setUp({ ...stuck, tools: ["read"] }, { id: "no", tools: ["fail"], deny: "no" });
    for (let time = 0; time < 3; time++) await run(same);
    expect(await run({ name: "fail" })).toBe("no");
    expect(await run(same)).toBe("stuck");
    await run({ name: "write" });
    expect(await run(same)).toBe("executed");
  });

  it("counts each session by itself, and all calls without one together", async () => {
    const { run, runner } = setUp(stuck);
    for (let time = 0; time < 3; time++) await run(same, "s1");
    expect(await run(same, "s2")).toBe("executed");
    expect(await run(same, "s1")).toBe("stuck");
    const codes = [];
    for (let time = 0; time < 4; time++) codes.push(codeOf(await runner.run(same)));
    expect(codes).toEqual(["executed", "executed", "executed", "stuck"]);
  });

  it("counts calls that are made at once", async () => {
    const { runner, read } = setUp(stuck);
    const outcomes = await runner.runAll(new Array(10).fill(same), session("s"));
    expect(outcomes.filter(({ status }) => status === "executed").length).toBe(3);
    expect(read.runs.length).toBe(3);
  });
});

describe("a call that is counted and then does not run", () => {
  /** A guard behind the rules that lets no call through whose arguments say so, once it is told to. */
  function setUp(rule: ToolRule, approver?: Approver) {
    const waiting: Array<() => void> = [];
    const tools = ["read", "write", "pay"].map((name) => fakeTool(name));
    const behind: GuardrailProvider = {
      name: "behind",
      evaluate: () => allow(),
      admit: async ({ args }) => {
        if (args["waits"] === true) await new Promise<void>((go) => waiting.push(go));
        return args["fails"] === true ? deny("closed") : allow();
      },
    };
    const guardrails = [rules({ rules: [rule] }), behind];
    const runner = new ToolRunner({ tools, guardrails, ...(approver && { approver }) });
    const run = async (name: string, args: object = {}) =>
      codeOf(await runner.run({ name, arguments: args }, session("s")));
    return { run, waiting };
  }

  it("ends no row of calls that are the same", async () => {
    const { run } = setUp({ id: "stuck", repeats: 2, deny: "no" });
    const codes = [];
    for (let time = 0; time < 3; time++) {
      codes.push(await run("read", { a: 1 }), await run("write", { fails: true }));
    }
    expect(codes).toEqual(["executed", "denied", "executed", "denied", "stuck", "denied"]);
  });

  it("takes nothing from a later row of its own kind", async () => {
    const { run, waiting } = setUp({ id: "stuck", tools: ["read"], repeats: 3, deny: "no" });
    const held = { waits: true, fails: true };
    const first = run("read", held);
    while (waiting.length < 1) await new Promise(setImmediate);
    expect(await run("write")).toBe("executed");
    const others = [run("read", held), run("read", held)];
    while (waiting.length < 3) await new Promise(setImmediate);
    waiting[0]?.();
    expect(await first).toBe("denied");
    const last = run("read", held);
    while (waiting.length < 4) await new Promise(setImmediate);
    expect(await run("read", held)).toBe("stuck");
    for (const go of waiting) go();
    expect(await Promise.all([...others, last])).toEqual(["denied", "denied", "denied"]);
  });

  it.each([{ c: [1e300] }, { c: [9e15, 9e15, 0.3] }])(
    "leaves of the others what they had taken, however much it asked for: %j",
    async (args) => {
      const answers: Array<"approved" | "denied"> = ["approved"];
      const approver: Approver = {
        name: "human",
        ask: () => {
          const decision = answers.shift() ?? "denied";
          return decision === "approved" ? { decision, approvalId: "a1" } : { decision };
        },
        recall: () => undefined,
        consume: () => true,
      };
      const rule: ToolRule = { id: "spent", total: { at: "/c/*", above: 100 }, ask: "much" };
      const { run } = setUp(rule, approver);
      expect(await run("pay", { c: [90] })).toBe("executed");
      expect(await run("pay", { ...args, fails: true })).toBe("denied");
      expect(answers).toEqual([]);
      expect(await run("pay", { c: [11] })).toBe("spent");
      expect(await run("pay", { c: [10] })).toBe("executed");
    },
  );

  it("is undecided where its numbers add up to none", async () => {
    const { run } = setUp({ id: "spent", total: { at: "/c/*", above: 100 }, deny: "much" });
    expect(await run("pay", { c: [1e308, 1e308] })).toBe("spent");
    expect(await run("pay", { c: [100] })).toBe("executed");
  });
});

describe("a rule on a total", () => {
  const spent: ToolRule = {
    id: "spent",
    tools: ["pay"],
    total: { at: "/cents", above: 100 },
    deny: "more than 100 in this session",
  };
  const setUp = (rule: Partial<ToolRule> = {}, options: object = {}) => {
    const pay = fakeTool("pay");
    const closed = { open: true };
    const last = {
      name: "last",
      evaluate: () => ({ decision: "allow" }) as const,
      admit: () =>
        closed.open
          ? ({ decision: "allow" } as const)
          : ({ decision: "deny", reason: "closed" } as const),
    };
    const guard = rules({ rules: [{ ...spent, ...rule }], ...options });
    const runner = new ToolRunner({ tools: [pay], guardrails: [guard, last] });
    const run = async (args: object, context: object = { sessionId: "s" }) => {
      return codeOf(await runner.run({ name: "pay", arguments: args }, { context }));
    };
    return { run, runner, pay, closed };
  };

  it("denies the call with which the sum would be above the most, and lets smaller ones run", async () => {
    const { run } = setUp();
    expect(await run({ cents: 60 })).toBe("executed");
    expect(await run({ cents: 41 })).toBe("spent");
    expect(await run({ cents: 40 })).toBe("executed");
    expect(await run({ cents: 1 })).toBe("spent");
    expect(await run({ cents: 0 })).toBe("executed");
  });

  it("is one sum for all tools that the rule names", async () => {
    const tools = [fakeTool("pay"), fakeTool("refund")];
    const guard = rules({ rules: [{ ...spent, tools: ["pay", "refund"] }] });
    const runner = new ToolRunner({ tools, guardrails: [guard] });
    const run = async (name: string, cents: number) =>
      codeOf(await runner.run({ name, arguments: { cents } }, session("s")));
    expect(await run("pay", 60)).toBe("executed");
    expect(await run("refund", 41)).toBe("spent");
    expect(await run("refund", 40)).toBe("executed");
    expect(await run("pay", 1)).toBe("spent");
  });

  it("gives back what a call had taken that did not run", async () => {
    const { run, closed } = setUp();
    closed.open = false;
    expect(await run({ cents: 100 })).toBe("denied");
    closed.open = true;
    expect(await run({ cents: 100 })).toBe("executed");
  });

  it.each([{ cents: -50 }, { cents: "1" }, { cents: null }, {}, { cents: [1] }])(
    "applies to %j, since nobody can tell what it adds",
    async (args) => {
      const { run } = setUp();
      expect(await run(args)).toBe("spent");
    },
  );

  it("never lets calls that are made at once exceed it", async () => {
    const { runner, pay } = setUp();
    const calls = new Array(50).fill({ name: "pay", arguments: { cents: 9 } });
    await runner.runAll(calls, session("s"));
    expect(pay.runs.length).toBe(11);
  });

  it("adds up by session, or by what `per` says", async () => {
    const { run } = setUp();
    await run({ cents: 100 }, { sessionId: "a" });
    expect(await run({ cents: 100 }, { sessionId: "b" })).toBe("executed");
    const byPrincipal = setUp({ total: { at: "/cents", above: 100, per: "principal" } });
    await byPrincipal.run({ cents: 100 }, { sessionId: "a", principal: "ann" });
    expect(await byPrincipal.run({ cents: 1 }, { sessionId: "b", principal: "ann" })).toBe("spent");
    expect(await byPrincipal.run({ cents: 1 }, { principal: "bob" })).toBe("executed");
  });

  it("counts only the calls of its other conditions", async () => {
    const { run } = setUp({ when: { at: "/currency", equals: "EUR" } });
    expect(await run({ cents: 100, currency: "USD" })).toBe("executed");
    expect(await run({ cents: 100, currency: "EUR" })).toBe("executed");
    expect(await run({ cents: 100, currency: "USD" })).toBe("executed");
    expect(await run({ cents: 1, currency: "EUR" })).toBe("spent");
  });

  it("adds up several values", async () => {
    const { run } = setUp({ total: { at: "/parts/*/cents", above: 100 } });
    expect(await run({ parts: [{ cents: 60 }, { cents: 41 }] })).toBe("spent");
    expect(await run({ parts: [{ cents: 60 }, { cents: 40 }] })).toBe("executed");
  });

  it("adds up the characters of texts as `length` counts them, and the entries of lists", async () => {
    const { run } = setUp({ total: { at: "/content", of: "length", above: 5 } });
    expect(await run({ content: "\u{1f600}\u{1f600}\u{1f600}" })).toBe("executed");
    expect(await run({ content: ["a long text", "another"] })).toBe("executed");
    expect(await run({ content: "" })).toBe("executed");
    expect(await run({ content: "a" })).toBe("spent");
    const several = setUp({ total: { at: "/edits/*/newText", of: "length", above: 5 } });
    expect(await several.run({ edits: [{ newText: "abc" }, { newText: "def" }] })).toBe("spent");
    expect(await several.run({ edits: [{ newText: "abc" }, { newText: "de" }] })).toBe("executed");
  });

  it.each([{ content: 1 }, { content: null }, { content: { length: 1 } }, {}])(
    "of lengths applies to %j, since it has no length",
    async (args) => {
      const { run } = setUp({ total: { at: "/content", of: "length", above: 5 } });
      expect(await run(args)).toBe("spent");
    },
  );

  it("applies where the sum is so large that the amount would be rounded away", async () => {
    const { run } = setUp({ total: { at: "/cents", above: 2 ** 60 } });
    expect(await run({ cents: 2 ** 53 - 2 })).toBe("executed");
    expect(await run({ cents: 0.25 })).toBe("spent");
    expect(await run({ cents: 0 })).toBe("executed");
    expect(await run({ cents: 1 })).toBe("executed");
    expect(await run({ cents: 1 })).toBe("spent");
    expect(await run({ cents: 2 ** 52 })).toBe("spent");
    expect(await run({ cents: 1 }, { sessionId: "other" })).toBe("executed");
    const { runner } = setUp({ total: { at: "/cents/*", above: 2 ** 60 } });
    const cents = [2 ** 53 - 1, 1];
    expect(await runner.run({ name: "pay", arguments: { cents } })).toMatchObject({
      reason: expect.stringMatching("the sum of /cents/\\* is too large to be added to"),
    });
  });

  it("P17 keeps a bounded number of sums, and forgets none of them", async () => {
    const { run } = setUp({}, { maxKeys: 2 });
    expect(await run({ cents: 100 }, { sessionId: "a" })).toBe("executed");
    expect(await run({ cents: 1 }, { sessionId: "b" })).toBe("executed");
    expect(await run({ cents: 1 }, { sessionId: "c" })).toBe("spent");
    expect(await run({ cents: 1 }, { sessionId: "a" })).toBe("spent");
    expect(await run({ cents: 1 }, { sessionId: "b" })).toBe("executed");
    expect(await run({ cents: 1 }, { sessionId: "x".repeat(2_000) })).toBe("spent");
  });
});

describe("a rule that asks a human about a total", () => {
  function setUp(...given: ToolRule[]) {
    const questions: ApprovalQuestion[] = [];
    const answers: Array<"approved" | "denied"> = [];
    const approver: Approver = {
      name: "human",
      ask: (question) => {
        questions.push(question);
        const decision = answers.shift() ?? "denied";
        return decision === "approved"
          ? { decision, approvalId: `a${questions.length}` }
          : { decision };
      },
      recall: () => undefined,
      consume: () => true,
    };
    const pay = fakeTool("pay");
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [rules({ rules: given })],
      approver,
    });
    const run = async (cents: number) => {
      const outcome = await runner.run({ name: "pay", arguments: { cents } }, session("s"));
      return "basis" in outcome && outcome.basis === "approval" ? "refused" : outcome.status;
    };
    return { run, questions, answers, pay, runner };
  }
  const total: ToolRule = {
    id: "spent",
    total: { at: "/cents", above: 100 },
    ask: "more than 100",
    expiresInMs: 60_000,
  };

  it("P9 runs the call that was approved, counts it, and asks about the next", async () => {
    const { run, questions, answers, pay } = setUp(total);
    expect(await run(90)).toBe("executed");
    answers.push("approved");
    expect(await run(50)).toBe("executed");
    expect(await run(1)).toBe("refused");
    expect(pay.runs.length).toBe(2);
    expect(questions).toHaveLength(2);
    expect(questions[0]).toMatchObject({
      code: "spent",
      reason: "more than 100",
      approval: { summary: "more than 100", expiresInMs: 60_000 },
    });
  });

  it("asks once about all that a human must approve, and not at all about what is denied", async () => {
    const large: ToolRule = {
      id: "large",
      when: { at: "/cents", above: 200 },
      ask: "more than 200",
    };
    const huge: ToolRule = { id: "huge", when: { at: "/cents", above: 1_000 }, deny: "never" };
    const { run, questions, answers } = setUp(total, large, huge);
    answers.push("approved");
    expect(await run(300)).toBe("executed");
    expect(questions.map(({ code, reason }) => [code, reason])).toEqual([
      ["spent+large", "more than 100; more than 200"],
    ]);
    expect(await run(2_000)).toBe("denied");
    expect(questions).toHaveLength(1);
  });

  it("denies a call that passes the most only because others were admitted in the meantime", async () => {
    const { runner, pay, questions } = setUp(total);
    const calls = new Array(5).fill({ name: "pay", arguments: { cents: 40 } });
    const outcomes = await runner.runAll(calls, session("s"));
    expect(pay.runs.length).toBe(2);
    expect(questions.length).toBeLessThan(5);
    expect(outcomes.filter(({ status }) => status === "denied").length).toBe(3);
  });
});
