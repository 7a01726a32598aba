import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type ResultGuardrail,
  rewrite,
  type ToolResult,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
} from "../src/index.js";
import { everythingIn, guard, outcomeOf, sendRequest, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

describe("the forms of a result", () => {
  const when = new Date(0);
  it.each<[string, unknown, unknown, string]>([
    ["a string", "done", "done", "done"],
    ["an empty string", "", "", ""],
    ["a number", 5, 5, "5"],
    ["null", null, null, "null"],
    ["false", false, false, "false"],
    ["nothing", undefined, undefined, ""],
    ["an object", { a: 1, b: undefined }, { a: 1 }, '{"a":1}'],
    ["an object with a date", { when }, { when: when.toJSON() }, `{"when":"${when.toJSON()}"}`],
    ["a date", when, when.toJSON(), `"${when.toJSON()}"`],
    ["a list with a hole", [1, undefined], [1, null], "[1,null]"],
    ["a promise", Promise.resolve("later"), "later", "later"],
    [
      "content that only looks like a tool result",
      { content: "x", isError: true },
      { content: "x", isError: true },
      '{"content":"x","isError":true}',
    ],
  ])("%s is executed, and the same with a judge", async (_what, given, value, content) => {
    for (const judges of [[], [{ name: "judge", evaluateResult: () => allow() }]]) {
      const outcome = await outcomeOf(() => given, judges);
      expect(outcome).toMatchObject({
        status: "executed",
        executed: true,
        result: { callId: "c1", name: "send", isError: false, content },
      });
      expect(outcome.status === "executed" && outcome.value).toEqual(value);
    }
  });

  it.each<[string, () => unknown]>([
    ["a BigInt", () => 1n],
    ["an object with a BigInt", () => ({ a: 1n })],
    [
      "a circle",
      () => {
        const a: Record<string, unknown> = {};
        a.a = a;
        return a;
      },
    ],
    ["a function", () => () => "surprise"],
    ["a symbol", () => Symbol("s")],
    ["what says of itself that it is nothing", () => ({ toJSON: () => undefined })],
    [
      "what throws when it is read",
      () => ({
        get a() {
          throw new Error("no");
        },
      }),
    ],
    ["content that is no content", () => toolResult({ content: 5 as never })],
    ["content parts without a type", () => toolResult({ content: [{}] as never })],
    [
      "structured content that is no JSON",
      () => toolResult({ content: "x", structured: 1n as never }),
    ],
  ])("%s is failed, executed as it was, and judged", async (_what, act) => {
    let judged = 0;
    const outcome = await outcomeOf(act, [
      {
        name: "judge",
        evaluateResult: (_call, { isError }) => {
          judged += isError ? 1 : 100;
          return allow();
        },
      },
    ]);
    expect(outcome).toMatchObject({ status: "failed", executed: true, result: { isError: true } });
    expect(outcome.status === "failed" && outcome.error).toBeInstanceOf(Error);
    expect(judged).toBe(1);
  });

  it("content parts, structured content and the receipt are handed on as the tool said them", async () => {
    const parts = [
      { type: "text", text: "hello" },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ];
    const raw = { secret: true };
    const outcome = await outcomeOf(() =>
      toolResult({ content: parts, structured: { n: 1 }, receipt: "r", raw }),
    );
    expect(outcome).toMatchObject({
      status: "executed",
      value: { n: 1 },
      result: { content: parts, structured: { n: 1 }, receipt: "r", raw, isError: false },
    });
    const plain = await outcomeOf(() => toolResult({ content: parts }));
    expect(plain).toMatchObject({ status: "executed", value: parts });
  });

  it("an error that the tool reports without throwing is failed", async () => {
    const outcome = await outcomeOf(() => toolResult({ content: "no such file", isError: true }));
    expect(outcome).toMatchObject({
      status: "failed",
      executed: true,
      error: undefined,
      result: { isError: true, content: "no such file" },
    });
  });

  it.each<[string, unknown, string]>([
    ["an error", new Error("disk full"), "disk full"],
    ["a text", "disk full", "disk full"],
    ["nothing", undefined, "Tool 'send' failed."],
    ["an object", { code: 5 }, "Tool 'send' failed."],
    ["an error without a message", new Error(), "Tool 'send' failed."],
    [
      "an error whose message is no text",
      Object.assign(new Error(), { message: 5 }),
      "Tool 'send' failed.",
    ],
    [
      "an error whose message throws",
      Object.defineProperty(new Error(), "message", {
        get: () => {
          throw new Error("x");
        },
      }),
      "Tool 'send' failed.",
    ],
  ])(
    "a tool that throws %s is failed with the error itself, sync or async",
    async (_what, error, content) => {
      for (const act of [
        () => {
          throw error;
        },
        () => Promise.reject(error),
      ]) {
        const outcome = await outcomeOf(act);
        expect(outcome).toMatchObject({
          status: "failed",
          executed: true,
          result: { isError: true, content, callId: "c1", name: "send" },
        });
        expect(outcome.status === "failed" && outcome.error).toBe(error);
      }
    },
  );
});

describe("judging the result", () => {
  const seeing = (seen: ToolResult[]): ResultGuardrail => ({
    name: "seeing",
    evaluateResult: (_call, result) => {
      seen.push(result);
      return allow();
    },
  });

  it("P19 shows the judges the identity that the result claims, then writes core's own", async () => {
    const seen: ToolResult[] = [];
    const claims = { callId: "other", name: "rm", content: "x", receipt: "r" };
    const outcome = await outcomeOf(() => toolResult(claims), [seeing(seen)]);
    expect(seen).toMatchObject([claims]);
    expect(outcome.result).toMatchObject({
      callId: "c1",
      name: "send",
      content: "x",
      receipt: "r",
    });
    const silent = await outcomeOf(() => toolResult({ content: "x" }), [seeing(seen)]);
    expect(seen[1]).toMatchObject({ callId: "c1", name: "send" });
    expect(silent.result).toMatchObject({ callId: "c1", name: "send" });
  });

  it("H3 lets a judge withhold what claims to be another call's", async () => {
    const linked: ResultGuardrail = {
      name: "linked",
      evaluateResult: (call, result) =>
        result.callId === call.callId ? allow() : deny("not yours"),
    };
    expect(
      await outcomeOf(() => toolResult({ content: "x", callId: "other" }), [linked]),
    ).toMatchObject({ status: "withheld", decidedBy: "linked" });
  });

  it("withholds on the first DENY: executed, never run again, and nothing of it told", async () => {
    const asked: string[] = [];
    let runs = 0;
    const outcome = await outcomeOf(() => {
      runs++;
      return "hunter2";
    }, [
      {
        name: "a",
        evaluateResult: () => {
          asked.push("a");
          return allow();
        },
      },
      {
        name: "b",
        evaluateResult: () => {
          asked.push("b");
          return deny("too private", { code: "pii" });
        },
      },
      {
        name: "c",
        evaluateResult: () => {
          asked.push("c");
          return allow();
        },
      },
    ]);
    expect(outcome).toMatchObject({
      status: "withheld",
      executed: true,
      basis: "policy",
      decidedBy: "b",
      code: "pii",
      reason: "too private",
      result: { isError: true, content: "Tool result withheld: too private" },
    });
    expect([asked, runs]).toEqual([["a", "b"], 1]);
    expect(everythingIn(outcome)).not.toContain("hunter2");
    const replaced = await outcomeOf(
      () => "hunter2",
      [{ name: "b", evaluateResult: () => deny("no", { replacement: "[gone]" }) }],
    );
    expect(replaced.result.content).toBe("[gone]");
  });

  it("judges a failed tool's text like any other", async () => {
    const outcome = await outcomeOf(() => {
      throw new Error("hunter2");
    }, [{ name: "b", evaluateResult: (_call, { isError }) => (isError ? deny("no") : allow()) }]);
    expect(outcome).toMatchObject({ status: "withheld", executed: true });
    expect(everythingIn(outcome)).not.toContain("hunter2");
  });

  it("asks all again after a rewrite, until all are content with one result", async () => {
    const seen: unknown[] = [];
    const outcome = await outcomeOf(
      () => ({ n: 0 }),
      [
        {
          name: "checks",
          evaluateResult: (_call, { structured }) => {
            seen.push(structured);
            return allow();
          },
        },
        { name: "adds", evaluateResult: () => rewrite({ content: "one", structured: { n: 1 } }) },
      ],
    );
    expect(seen).toEqual([{ n: 0 }, { n: 1 }]);
    expect(outcome).toMatchObject({
      status: "executed",
      value: { n: 1 },
      result: { content: "one", structured: { n: 1 } },
    });
    const secondThoughts = await outcomeOf(
      () => "a",
      [
        {
          name: "checks",
          evaluateResult: (_call, { content }) => (content === "b" ? deny("not b") : allow()),
        },
        { name: "makes b", evaluateResult: () => rewrite({ content: "b" }) },
      ],
    );
    expect(secondThoughts).toMatchObject({ status: "withheld", decidedBy: "checks" });
  });

  it("withholds what judges do not settle on", async () => {
    const insists = (content: string): ResultGuardrail => ({
      name: `insists on ${content}`,
      evaluateResult: () => rewrite({ content }),
    });
    const outcome = await outcomeOf(() => "x", [insists("a"), insists("b")]);
    expect(outcome).toMatchObject({ status: "withheld", basis: "unstable", decidedBy: "core" });
  });

  it.each<[string, unknown]>([
    ["no body", { decision: "modify" }],
    ["arguments", { decision: "modify", modifiedArgs: {} }],
    ["a body that is no content", { decision: "modify", modifiedResult: { content: 5 } }],
    [
      "a body with more in it",
      { decision: "modify", modifiedResult: { content: "x", isError: false } },
    ],
  ])("P1 withholds on a rewrite with %s", async (_what, answer) => {
    expect(
      await outcomeOf(() => "x", [{ name: "bad", evaluateResult: () => answer as never }]),
    ).toMatchObject({ status: "withheld", basis: "malformed", decidedBy: "bad" });
  });

  it("keeps what the tool passed along beside its result away from a rewritten one", async () => {
    const outcome = await outcomeOf(
      () => toolResult({ content: "hunter2", raw: { secret: "hunter2" }, receipt: "hunter2" }),
      [{ name: "redact", evaluateResult: () => rewrite({ content: "***" }) }],
    );
    expect(outcome).toMatchObject({
      status: "executed",
      value: "***",
      result: { content: "***", raw: undefined },
    });
    expect(everythingIn(outcome)).not.toContain("hunter2");
  });

  it("a rewrite of nothing is what the caller receives", async () => {
    const judge: ResultGuardrail = { name: "r", evaluateResult: () => rewrite({ content: "x" }) };
    expect(await outcomeOf(() => undefined, [judge])).toMatchObject({ value: "x" });
  });

  it("a rewrite may leave text without structured content, or null", async () => {
    const of = async (body: Parameters<typeof rewrite>[0]) => {
      const outcome = await outcomeOf(
        () => ({ n: 1 }),
        [{ name: "r", evaluateResult: () => rewrite(body) }],
      );
      return outcome.status === "executed" ? outcome.value : outcome.status;
    };
    expect(await of({ content: "text" })).toBe("text");
    expect(await of({ content: "text", structured: null })).toBeNull();
    expect(await of({ content: "" })).toBe("");
  });
});

describe("an outcome", () => {
  const aborts = async (signal: AbortSignal) => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const [outcome] = await runner.runAll([sendRequest], { signal });
    return outcome;
  };
  const denies = guard("g", { evaluate: () => deny("no") });
  it.each([
    ["executed", () => outcomeOf(() => "x")],
    ["failed", () => outcomeOf(() => new Error("x"))],
    ["withheld", () => outcomeOf(() => "x", [{ name: "j", evaluateResult: () => deny("no") }])],
    ["denied", () => new ToolRunner({ guardrails: [denies] }).run(sendRequest)],
    ["not_found", () => new ToolRunner({ guardrails: [allowAll()] }).run(sendRequest)],
    ["invalid", () => new ToolRunner({ guardrails: [] }).run({} as never)],
    ["aborted", () => aborts(AbortSignal.abort())],
    [
      "released",
      () =>
        new ToolRunner({ tools: [{ name: "send" }], guardrails: [allowAll()] }).run(sendRequest),
    ],
  ])("that is %s is frozen, with its decisions and its result", async (status, act) => {
    const outcome = await act();
    expect(outcome?.status).toBe(status);
    for (const part of [outcome, outcome?.decisions, outcome?.result]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe("the content of a call that was aborted", () => {
  it("P4 says so", async () => {
    const [outcome] = await runnerOf([allowAll()]).runAll([{ name: "send" }], {
      signal: AbortSignal.abort(),
    });
    expect(outcome?.result).toMatchObject({ isError: true, content: "Tool call aborted." });
  });
});
