import { describe, expect, expectTypeOf, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import {
  type ApprovalAnswer,
  allow,
  allowAll,
  deny,
  type JsonObject,
  modify,
  rewrite,
  type ToolOutcome,
} from "../src/index.js";
import { approver, gate } from "./support/approvals.js";
import { idle } from "./support/promises.js";
import { everythingIn, guard, spyObserver } from "./support/runners.js";

const tools = [{ name: "send" }, { name: "other" }];

function spyExecutor<Value>(act: (name: string, args: JsonObject) => Value) {
  const runs: unknown[][] = [];
  const execute = (name: string, args: JsonObject, ...rest: readonly unknown[]): Value => {
    runs.push([name, args, ...rest]);
    return act(name, args);
  };
  return { execute, runs };
}

describe("guardExecutor", () => {
  it("is called as the executor was, and gives what it gave", async () => {
    const { execute, runs } = spyExecutor((_name, { to }) => `sent to ${String(to)}`);
    const safe = guardExecutor(execute, { tools, guardrails: [allowAll()] });
    expect(await safe("send", { to: "ada" }, "more", 5)).toBe("sent to ada");
    expect(await safe("send", '{"to":"bob"}')).toBe("sent to bob");
    expect(runs).toEqual([
      ["send", { to: "ada" }, "more", 5],
      ["send", { to: "bob" }],
    ]);
    expectTypeOf(
      guardExecutor((_name, _args, n: number) => `${n}`, { tools, guardrails: [] }),
    ).toExtend<(toolName: string, args: unknown, n: number) => Promise<string>>();
  });

  it("gives the text for the model where a call is stopped, and passes nothing on", async () => {
    const { execute, runs } = spyExecutor(() => "done");
    const safe = guardExecutor(execute, {
      tools,
      guardrails: [
        guard("g", { evaluate: ({ args }) => (args.to === "eve" ? deny("not her") : allow()) }),
      ],
    });
    expect(await safe("send", { to: "eve" })).toBe("Tool call denied: not her");
    expect(await safe("ghost", {})).toBe("Tool 'ghost' not found.");
    expect(await safe("send", "[")).toContain("cannot be read");
    expect(await safe(undefined as never, {})).toContain("names no tool");
    expect(runs).toEqual([]);
  });

  it("asks `denied` what to return for a call that did not run or was withheld", async () => {
    const outcomes: ToolOutcome[] = [];
    const { execute, runs } = spyExecutor((_name, args) => ({ ok: true, args }));
    const safe = guardExecutor(execute, {
      tools,
      guardrails: [
        guard("g", {
          evaluate: ({ args }) => (args.n === 1 ? deny("no") : allow()),
          evaluateResult: ({ args }) => (args.n === 2 ? deny("no") : allow()),
        }),
      ],
      denied: (outcome) => {
        outcomes.push(outcome);
        return { ok: false, args: {} };
      },
    });
    expect(await safe("send", { n: 0 })).toEqual({ ok: true, args: { n: 0 } });
    expect(await safe("send", { n: 1 })).toEqual({ ok: false, args: {} });
    expect(await safe("send", { n: 2 })).toEqual({ ok: false, args: {} });
    expect(outcomes.map(({ status }) => status)).toEqual(["denied", "withheld"]);
    expect(runs).toHaveLength(2);
  });

  it("P6 passes on exactly what was decided, and gives back what was judged", async () => {
    const { execute, runs } = spyExecutor((_name, args) => args);
    const safe = guardExecutor(execute, {
      tools,
      guardrails: [
        guard("g", {
          evaluate: () => modify({ to: "bob" }),
          evaluateResult: () => rewrite({ content: "x", structured: { to: "***" } }),
        }),
      ],
      denied: () => ({}),
    });
    expect(await safe("send", { to: "ada" })).toEqual({ to: "***" });
    expect(runs).toEqual([["send", { to: "bob" }]]);
    expect(Object.isFrozen(runs[0]?.[1])).toBe(true);
  });

  it("P6 calls the executor by the tool's own name, which the guards judged, also for an alias", async () => {
    const { execute, runs } = spyExecutor(() => "done");
    const judged: string[] = [];
    const safe = guardExecutor(execute, {
      tools,
      aliases: { drop_all: "send" },
      guardrails: [
        guard("g", {
          evaluate: ({ toolName }) => {
            judged.push(toolName);
            return allow();
          },
        }),
      ],
    });
    await safe("drop_all", {});
    expect([judged, runs]).toEqual([["send"], [["send", {}]]]);
  });

  it("throws what the executor throws, after the call has settled", async () => {
    const error = new Error("disk full");
    for (const act of [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ]) {
      const observer = spyObserver();
      const safe = guardExecutor(act as () => Promise<string>, {
        tools,
        guardrails: [allowAll()],
        observers: [observer],
      });
      await expect(safe("send", {})).rejects.toBe(error);
      expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["failed"]);
    }
  });

  it("P6 throws no error that a judge withheld or rewrote", async () => {
    const boom = (): string => {
      throw new Error("hunter2");
    };
    const withheld = guardExecutor(boom, {
      tools,
      guardrails: [guard("g", { evaluateResult: () => deny("no") })],
    });
    expect(await withheld("send", {})).toBe("Tool result withheld: no");
    const rewritten = guardExecutor(boom, {
      tools,
      guardrails: [guard("g", { evaluateResult: () => rewrite({ content: "***" }) })],
    });
    const thrown = await rewritten("send", {}).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ message: "***" });
    expect(everythingIn(thrown)).not.toContain("hunter2");
  });

  it("reads the call's id and the host's facts by `describe`, and rejects on its abort", async () => {
    const controller = new AbortController();
    const observer = spyObserver();
    const safe = guardExecutor(
      async (_name, _args, _session: string) => {
        controller.abort("enough");
        await idle();
        return "late";
      },
      {
        tools,
        guardrails: [allowAll()],
        observers: [observer],
        describe: (sessionId) => ({
          callId: "c7",
          context: { sessionId },
          agentName: "clerk",
          signal: controller.signal,
        }),
      },
    );
    await expect(safe("send", {}, "s1")).rejects.toMatchObject({
      code: "ERR_ABORTED",
      cause: "enough",
      outcomes: [{ status: "aborted", executed: "unknown" }],
    });
    expect(observer.records).toMatchObject([
      { callId: "c7", agentName: "clerk", context: { sessionId: "s1" } },
    ]);
  });

  it.each<[string, () => never]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["answers later", (async () => ({ agentName: "clerk" })) as never],
    ["says nothing", (() => undefined) as never],
    ["gives a list", (() => []) as never],
    ["gives a map", (() => new Map()) as never],
  ])(
    "P1 P2 stops a call, on record and without the host's words, where `describe` %s",
    async (_, describe) => {
      const { execute, runs } = spyExecutor(() => "done");
      const observer = spyObserver();
      const safe = guardExecutor(execute, {
        tools,
        guardrails: [allowAll()],
        observers: [observer],
        describe,
      });
      const pieces = safe.stream("send", {});
      const streamed = await pieces.next();
      expect(await safe("send", {})).toMatch(/^Tool call denied: /);
      expect(streamed).toMatchObject({ done: true, value: { status: "invalid" } });
      expect(runs).toEqual([]);
      expect(observer.records).toMatchObject([
        { outcome: { status: "invalid", code: "unreadable_context" } },
        { outcome: { status: "invalid", code: "unreadable_context" } },
      ]);
      expect(everythingIn([streamed, observer.records])).not.toContain("hunter2");
      const resumed = await safe.resume("a1").catch((error: unknown) => error);
      expect(resumed).toMatchObject({ code: "ERR_INVALID_OPTION" });
      expect(everythingIn(resumed)).not.toContain("hunter2");
    },
  );

  it("P5 needs a function, and checks its options as a runner does", () => {
    expect(() => guardExecutor("send" as never, { tools, guardrails: [] })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
    expect(() => guardExecutor(() => "", undefined as never)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
    expect(() =>
      guardExecutor(() => "", {
        tools: [{ name: "send", parameters: { required: ["to"] } }],
        guardrails: [allowAll()],
      }),
    ).toThrow(expect.objectContaining({ code: "ERR_UNCHECKED_TOOL" }));
  });

  it("P3 denies what no guardrail judged", async () => {
    const { execute, runs } = spyExecutor(() => "done");
    expect(await guardExecutor(execute, { tools, guardrails: [] })("send", {})).toContain(
      "allowAll()",
    );
    expect(runs).toEqual([]);
  });

  it("P6 gives the pieces as the judges left them, and then the outcome, to who reads piece by piece", async () => {
    const seen: unknown[] = [];
    const safe = guardExecutor(
      async function* (_name: string, { to }: JsonObject, session: string) {
        seen.push([to, session]);
        yield "hunter2";
        yield "done";
      } as never,
      {
        tools,
        guardrails: [
          {
            name: "rewrites",
            evaluate: ({ args }) => (args["to"] === "ada" ? allow() : modify({ to: "ada" })),
          },
          {
            name: "masks",
            evaluateResult: (_call, { content }) =>
              content === "hunter2" ? rewrite({ content: "***" }) : allow(),
          },
        ],
        describe: (session: string) => ({ callId: "c1", context: { sessionId: session } }),
      },
    );
    const reader = safe.stream("send", { to: "thief" }, "s1");
    expect(await reader.next()).toEqual({ done: false, value: "***" });
    expect(await reader.next()).toEqual({ done: false, value: "done" });
    expect(await reader.next()).toMatchObject({
      done: true,
      value: { status: "executed", callId: "c1", value: "done", usedArgs: { to: "ada" } },
    });
    expect(seen).toEqual([["ada", "s1"]]);
  });

  it("P9 resumes an approved call with the executor, and what else that is given, once", async () => {
    const { execute, runs } = spyExecutor(() => "paid");
    const grants = ["a1"];
    const human = approver(
      () => ({ decision: "pending", approvalId: "a1" }),
      () => grants.pop() !== undefined,
    );
    const safe = guardExecutor(execute, {
      tools: [{ name: "pay" }],
      guardrails: [gate()],
      approver: human,
      denied: (outcome: ToolOutcome) => JSON.stringify(outcome),
    });
    expect(await safe("pay", { cents: 9900 }, "first")).toContain('"approvalId":"a1"');
    expect(runs).toEqual([]);
    expect(await safe.resume("a1", "second")).toMatchObject({ status: "executed", value: "paid" });
    expect(runs).toEqual([["pay", { cents: 9900 }, "second"]]);
    expect(await safe.resume("a1", "third")).toMatchObject({ status: "denied" });
    expect(runs).toHaveLength(1);
  });
});

describe("P9 the wrapped executor's call that is resumed", () => {
  it.each<[string, object]>([
    ["no context", {}],
    ["a context", { context: { principal: "ada" } }],
    ["undefined as context", { context: undefined }],
    ["null as context", { context: null }],
  ])("P9 runs where the host describes it with %s", async (_, described) => {
    const answers: ApprovalAnswer[] = [{ decision: "pending", approvalId: "a1" }];
    const human = approver(() => answers[0] as ApprovalAnswer);
    let asking = true;
    const safe = guardExecutor(async () => "paid", {
      tools: [{ name: "pay" }],
      guardrails: [gate()],
      approver: human,
      describe: () => (asking ? {} : (described as object)),
    });
    await safe("pay", { cents: 1 });
    asking = false;
    expect(await safe.resume("a1")).toMatchObject({ status: "executed", value: "paid" });
  });
});
