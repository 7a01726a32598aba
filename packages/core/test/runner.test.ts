import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  deny,
  forTools,
  type GuardrailProvider,
  modify,
  parallel,
  shadow,
  type ToolOutcome,
  ToolRunner,
  when,
} from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import {
  deferred,
  everythingIn,
  guard,
  idle,
  quota,
  spyObserver,
  spyTool,
  textOf,
  ticks,
} from "./support/runners.js";

const request = { name: "send", arguments: '{"to":"ada"}', callId: "c1" };

function opened(outcome: ToolOutcome): boolean {
  return outcome.executed !== false;
}

/** What a provider may do wrong, and the basis it is denied on. */
const misdeeds: readonly (readonly [string, () => unknown, string])[] = [
  [
    "throws an error",
    () => {
      throw new Error("hunter2");
    },
    "error",
  ],
  [
    "throws undefined",
    () => {
      throw undefined;
    },
    "error",
  ],
  [
    "throws a string",
    () => {
      throw "hunter2";
    },
    "error",
  ],
  [
    "throws a frozen object",
    () => {
      throw Object.freeze({ hunter2: true });
    },
    "error",
  ],
  [
    "throws an error whose message throws",
    () => {
      throw Object.defineProperty(new Error(), "message", {
        get: () => {
          throw new Error("hunter2");
        },
      });
    },
    "error",
  ],
  ["rejects", () => Promise.reject(new Error("hunter2")), "error"],
  ["rejects without a reason", () => Promise.reject(undefined), "error"],
  ["answers undefined", () => undefined, "malformed"],
  ["answers null", () => null, "malformed"],
  ["answers true", () => true, "malformed"],
  ["answers the word allow", () => "allow", "malformed"],
  ["answers in capitals", () => ({ decision: "ALLOW" }), "malformed"],
  ["answers { allow: true }", () => ({ allow: true }), "malformed"],
  ["answers an unknown decision", () => ({ decision: "skip" }), "malformed"],
  ["answers a boxed decision", () => ({ decision: new String("allow") }), "malformed"],
  [
    "answers an allow with modifiedArgs",
    () => ({ decision: "allow", modifiedArgs: {} }),
    "malformed",
  ],
  ["answers a promise of a function", () => Promise.resolve(() => allow()), "malformed"],
  [
    "answers through a getter",
    () => ({
      get decision() {
        return "allow";
      },
    }),
    "malformed",
  ],
  ["answers with an inherited decision", () => Object.create({ decision: "allow" }), "malformed"],
  [
    "answers a proxy whose traps throw",
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("hunter2");
          },
        },
      ),
    "malformed",
  ],
  [
    "answers what throws whatever is read of it",
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("hunter2");
          },
        },
      ),
    "error",
  ],
];

describe("P1 a provider that misbehaves denies", () => {
  it.each(misdeeds)("P1 denies when evaluate %s", async (_what, evaluate, basis) => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll(), guard("bad", { evaluate: evaluate as never })],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "denied", executed: false, basis, decidedBy: "bad" });
    expect(tool.runs).toEqual([]);
    expect(everythingIn(outcome)).not.toContain("hunter2");
  });

  it.each(misdeeds)("P1 denies when admit %s", async (_what, admit, basis) => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [guard("bad", { admit: admit as never })],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "denied", executed: false, basis, decidedBy: "bad" });
    expect(tool.runs).toEqual([]);
    expect(everythingIn(outcome)).not.toContain("hunter2");
  });

  it.each(misdeeds)("P1 withholds when evaluateResult %s", async (_what, judge, basis) => {
    const tool = spyTool("send", () => "the secret answer");
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll(), { name: "bad", evaluateResult: judge as never }],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "withheld", executed: true, basis, decidedBy: "bad" });
    expect(everythingIn(outcome)).not.toMatch(/hunter2|secret answer/);
    expect(tool.runs).toHaveLength(1);
  });

  it("P1 denies a MODIFY from admit, which may not change what was decided", async () => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [guard("bad", { admit: () => modify({ to: "eve" }) as never })],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "malformed" });
    expect(tool.runs).toEqual([]);
  });

  it.each(["evaluate", "admit", "evaluateResult"] as const)(
    "P1 cuts a provider that hangs in %s after its time, and drops its late answer",
    async (phase) => {
      const clock = new HandClock();
      const late = deferred<ReturnType<typeof allow>>();
      const tool = spyTool();
      const runner = new ToolRunner({
        tools: [tool],
        guardrails: [guard("slow", { [phase]: () => late.promise })],
        clock,
      });
      const running = runner.run(request);
      await idle();
      clock.pass(4_999);
      await idle();
      expect(await Promise.race([running, "still waiting"])).toBe("still waiting");
      clock.pass(1);
      const outcome = await running;
      expect(outcome).toMatchObject({
        status: phase === "evaluateResult" ? "withheld" : "denied",
        basis: "timeout",
        decidedBy: "slow",
      });
      const before = JSON.stringify(outcome);
      late.resolve(allow());
      await idle();
      expect(JSON.stringify(outcome)).toBe(before);
      expect(tool.runs).toHaveLength(phase === "evaluateResult" ? 1 : 0);
      expect(clock.waiting).toBe(0);
    },
  );

  it("P1 takes timeoutMs of the runner, and of the provider over it", async () => {
    const clock = new HandClock();
    const hang = { evaluate: () => new Promise<never>(() => {}) };
    const outcomeAt = async (guardrail: GuardrailProvider, at: number): Promise<ToolOutcome> => {
      const runner = new ToolRunner({ guardrails: [guardrail], clock, timeoutMs: 20 });
      const running = runner.run(request);
      await idle();
      clock.pass(at - 1);
      await idle();
      expect(clock.waiting).toBe(1);
      clock.pass(1);
      return running;
    };
    expect(await outcomeAt(guard("slow", hang), 20)).toMatchObject({ basis: "timeout" });
    expect(await outcomeAt(guard("slow", { ...hang, timeoutMs: 7 }), 7)).toMatchObject({
      basis: "timeout",
    });
  });

  it("P1 leaves no unhandled rejection behind when a provider rejects after its time", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listen);
    try {
      const clock = new HandClock();
      const late = deferred<never>();
      const runner = new ToolRunner({
        guardrails: [guard("slow", { evaluate: () => late.promise })],
        clock,
      });
      const running = runner.run(request);
      await idle();
      clock.pass(5_000);
      await running;
      late.reject(new Error("too late"));
      await idle();
      await idle();
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });
});

describe("P2 what the model and the records are told", () => {
  const secret = "hunter2-s3cret";

  it("P2 keeps thrown secrets and argument values out of outcomes and records", async () => {
    const observer = spyObserver();
    const thrower = (): never => {
      throw new Error(`cannot connect with ${secret}`);
    };
    for (const members of [
      { evaluate: thrower },
      { admit: thrower },
      { evaluateResult: thrower },
      { evaluate: () => ({ decision: secret }) as never },
      { evaluate: () => ({ decision: "modify", modifiedArgs: { [secret]: 1n } }) as never },
      { evaluate: () => deny("no", { code: 5 as never }) },
    ]) {
      const runner = new ToolRunner({
        tools: [spyTool()],
        guardrails: [guard("bad", members)],
        observers: [observer],
      });
      const outcome = await runner.run({ name: "send", arguments: {} });
      expect(outcome.status).toMatch(/denied|withheld/);
      expect(everythingIn(outcome)).not.toContain(secret);
    }
    expect(everythingIn([observer.records, observer.announced])).not.toContain(secret);
  });

  it.each([
    `{"pin":"${secret}"`,
    `{"${secret}":1,"${secret}":2}`,
    `["${secret}"]`,
    `"${secret}"`,
    secret,
    `{"a":9007199254740993,"b":"${secret}"}`,
    `{"__proto__":"${secret}"}`,
  ])("P2 quotes nothing of arguments that cannot be read: %s", async (text) => {
    const observer = spyObserver();
    const runner = new ToolRunner({ guardrails: [allowAll()], observers: [observer] });
    const outcome = await runner.run({ name: "send", arguments: text });
    expect(outcome.status).toBe("invalid");
    expect(everythingIn([outcome, observer.records])).not.toContain(secret);
  });

  it("P2 quotes no argument value in core's own denials", async () => {
    const tool = spyTool();
    const shifty = (name: string, to: string): GuardrailProvider =>
      guard(name, { evaluate: () => modify({ pin: secret, to }) });
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [shifty("one", "a"), shifty("two", "b")],
    });
    const outcome = await runner.run({ name: "send", arguments: { pin: secret } });
    expect(outcome).toMatchObject({ status: "denied", basis: "unstable" });
    expect(textOf(outcome)).not.toContain(secret);
    expect("reason" in outcome && outcome.reason).not.toContain(secret);
  });

  it("P2 treats the text of the tool's own error as content, which the judges see", async () => {
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [
        spyTool("send", () => {
          throw new Error(`disk ${secret}`);
        }),
      ],
      guardrails: [
        allowAll(),
        {
          name: "redact",
          evaluateResult: (_call, { content, isError }) => {
            seen.push([content, isError]);
            return content === "disk ***"
              ? allow()
              : { decision: "modify", modifiedResult: { content: "disk ***" } };
          },
        },
      ],
    });
    const outcome = await runner.run(request);
    expect(seen[0]).toEqual([`disk ${secret}`, true]);
    expect(outcome).toMatchObject({
      status: "failed",
      result: { isError: true, content: "disk ***" },
    });
  });
});

describe("P3 a call that no guardrail judged", () => {
  const judges = { name: "results", evaluateResult: () => allow() };

  it.each<[string, ConstructorParameters<typeof ToolRunner>[0]]>([
    ["there is no guardrail", { guardrails: [] }],
    ["there are only observers", { guardrails: [], observers: [spyObserver()] }],
    ["there are only result guardrails", { guardrails: [judges] }],
    ["all are shadowed", { guardrails: [shadow(allowAll())] }],
    ["a shadowed chain is all", { guardrails: [shadow(chain([allowAll()]))] }],
    ["none covers the tool", { guardrails: [forTools(["other"], allowAll())] }],
    ["the condition is false", { guardrails: [when(() => false, allowAll())] }],
    ["a parallel of shadows is all", { guardrails: [parallel([shadow(allowAll())])] }],
  ])("P3 is denied when %s, and told the way out", async (_what, options) => {
    const tool = spyTool();
    const runner = new ToolRunner({ ...options, tools: [tool, spyTool("other")] });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "no_provider",
      code: "no_provider",
      decidedBy: "core",
    });
    expect(textOf(outcome)).toContain("allowAll()");
    expect(tool.runs).toEqual([]);
  });

  it("P3 is denied for an unknown tool too, before it is said not to exist", async () => {
    const outcome = await new ToolRunner({ guardrails: [] }).run({ name: "ghost" });
    expect(outcome).toMatchObject({ status: "denied", basis: "no_provider" });
  });

  it("P3 an admit alone does not count as having judged", async () => {
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [when(() => false, guard("limits", { admit: () => allow() }))],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "no_provider" });
  });

  it("P3 a guardrail of the tool alone is enough", async () => {
    const tool = spyTool("send", () => "done", { guardrails: [allowAll()] });
    const runner = new ToolRunner({ tools: [tool], guardrails: [] });
    expect(await runner.run(request)).toMatchObject({ status: "executed", value: "done" });
  });
});

describe("the one path", () => {
  it("decides, admits, announces, runs, judges and settles, in this order", async () => {
    const order: string[] = [];
    const note = (what: string) => (): void => void order.push(what);
    const observer = spyObserver({ intent: note("intent"), settle: note("record") });
    const runner = new ToolRunner({
      tools: [
        spyTool("send", () => {
          order.push("tool");
          return "done";
        }),
      ],
      guardrails: [
        guard("g", {
          evaluate: () => {
            order.push("evaluate");
            return allow();
          },
          admit: () => {
            order.push("admit");
            return allow();
          },
          evaluateResult: () => {
            order.push("evaluateResult");
            return allow();
          },
          settle: note("settle"),
        }),
      ],
      observers: [observer],
    });
    runner.on("executed", note("executed")).on("settled", note("settled"));
    await runner.run(request);
    expect(order).toEqual([
      "evaluate",
      "admit",
      "intent",
      "tool",
      "evaluateResult",
      "settle",
      "record",
      "executed",
      "settled",
    ]);
  });

  it("asks no provider after a DENY, admits nobody and runs nothing", async () => {
    const asked: string[] = [];
    const spy = (name: string, decision: "allow" | "deny"): GuardrailProvider => ({
      name,
      evaluate: () => {
        asked.push(name);
        return decision === "allow" ? allow() : deny("no");
      },
      admit: () => {
        asked.push(`admit ${name}`);
        return allow();
      },
    });
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [spy("a", "allow"), spy("b", "deny"), spy("c", "allow")],
    });
    const outcome = await runner.run(request);
    expect(asked).toEqual(["a", "b"]);
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "policy",
      decidedBy: "b",
      reason: "no",
      result: { callId: "c1", name: "send", isError: true, content: "Tool call denied: no" },
    });
    expect(outcome.decisions.map(({ provider, decision }) => [provider, decision])).toEqual([
      ["a", "allow"],
      ["b", "deny"],
    ]);
    expect(tool.runs).toEqual([]);
  });

  it("lets a denial say what the model reads in place of the reason", async () => {
    const runner = new ToolRunner({
      guardrails: [
        guard("g", { evaluate: () => deny("no", { code: "nope", replacement: "Ask a human." }) }),
      ],
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({
      code: "nope",
      reason: "no",
      result: { isError: true, content: "Ask a human." },
    });
  });

  it("denies the same call each time it is asked again", async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("g", { evaluate: () => deny("no") })],
    });
    for (let index = 0; index < 5; index++) {
      expect(opened(await runner.run(request))).toBe(false);
    }
  });

  it.each([
    ["absent", undefined],
    ["null", null],
    ["empty text", ""],
    ["blank text", " \n"],
    ["{}", "{}"],
    ["an empty object", {}],
  ])("takes arguments that are %s for no arguments", async (_what, args) => {
    const tool = spyTool();
    const outcome = await new ToolRunner({ tools: [tool], guardrails: [allowAll()] }).run({
      name: "send",
      arguments: args,
    });
    expect(outcome).toMatchObject({ status: "executed", askedArgs: {}, usedArgs: {} });
    expect(tool.runs).toEqual([{}]);
  });

  it.each<[string, unknown]>([
    ["over 1 MiB", JSON.stringify({ a: "x".repeat(5 * 2 ** 20) })],
    ["an object over 1 MiB", { a: "x".repeat(5 * 2 ** 20) }],
    ["nested 129 deep", `${'{"a":'.repeat(129)}1${"}".repeat(129)}`],
    ["an array", [1]],
    ["a number", 5],
    ["a class instance", new Map()],
    [
      "cyclic",
      (() => {
        const a: Record<string, unknown> = {};
        a.a = a;
        return a;
      })(),
    ],
    [
      "a proxy whose traps throw",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
    ],
  ])("calls arguments that are %s invalid, and asks nobody", async (_what, args) => {
    let asked = 0;
    const observer = spyObserver();
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      observers: [observer],
      guardrails: [
        guard("g", {
          evaluate: () => {
            asked++;
            return allow();
          },
        }),
      ],
    });
    const outcome = await runner.run({ name: "send", arguments: args, callId: "c1" });
    expect(outcome).toMatchObject({
      status: "invalid",
      executed: false,
      result: { isError: true, callId: "c1" },
    });
    expect(outcome.askedArgs).toBeUndefined();
    expect([asked, tool.runs.length, observer.records.length]).toEqual([0, 0, 1]);
  });

  it("says under the requested name that a tool is not there, when the guards would allow it", async () => {
    const outcome = await new ToolRunner({ guardrails: [allowAll()] }).run({
      name: "ghost",
      callId: "c9",
    });
    expect(outcome).toMatchObject({
      status: "not_found",
      executed: false,
      code: "not_found",
      reason: "Tool 'ghost' not found.",
      result: { callId: "c9", name: "ghost", isError: true, content: "Tool 'ghost' not found." },
    });
  });

  it.each([undefined, null, 5, "send", {}, { name: 5 }, { name: undefined }])(
    "calls a request that names no tool invalid: %j",
    async (given) => {
      const runner = new ToolRunner({ guardrails: [allowAll()], tools: [spyTool()] });
      expect(await runner.run(given as never)).toMatchObject({
        status: "invalid",
        executed: false,
      });
      const [one, two] = await runner.runAll([given as never, { name: "send" }]);
      expect([one?.status, two?.status]).toEqual(["invalid", "executed"]);
    },
  );

  it("mints an id where the model gave none, and none is like another", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const outcomes = await runner.runAll([
      { name: "send" },
      { name: "send" },
      { name: "send", callId: "" },
      { name: "send", callId: "" },
      { name: "send", callId: null as never },
      { name: "send", callId: null as never },
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill("executed"));
    expect(new Set(outcomes.map(({ callId }) => callId)).size).toBe(6);
    expect(new Set(outcomes.map(({ runId }) => runId)).size).toBe(6);
    for (const { callId, result } of outcomes) expect(result.callId).toBe(callId);
  });
});

describe("quota is taken by admit", () => {
  const boom = (): never => {
    throw new Error("boom");
  };

  it("P14 is given back when a later admit denies", async () => {
    const limit = quota("limit", 1);
    let open = false;
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [limit, guard("gate", { admit: () => (open ? allow() : deny("not yet")) })],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", decidedBy: "gate" });
    expect(limit.taken()).toBe(0);
    open = true;
    expect(await runner.run(request)).toMatchObject({ status: "executed" });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      decidedBy: "limit",
      code: "quota",
    });
    expect(limit.taken()).toBe(1);
  });

  it("P14 is given back when a required observer fails at intent", async () => {
    const limit = quota("limit", 1);
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [limit],
      observers: [spyObserver({ required: true, intent: boom })],
    });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "audit" });
    expect(limit.taken()).toBe(0);
  });

  it("P14 is not taken by a call that is denied, not found, invalid or of a repeated id", async () => {
    const limit = quota("limit", 100);
    let takes = 0;
    const counting = guard("counting", {
      admit: () => {
        takes++;
        return allow();
      },
    });
    const hold = deferred();
    const runner = new ToolRunner({
      tools: [spyTool("send", () => hold.promise)],
      guardrails: [
        limit,
        counting,
        guard("no", { evaluate: ({ toolName }) => (toolName === "bad" ? deny("no") : allow()) }),
      ],
    });
    await runner.run({ name: "bad" });
    await runner.run({ name: "ghost" });
    await runner.run({ name: "send", arguments: "[" });
    expect([limit.taken(), takes]).toEqual([0, 0]);
    const first = runner.run(request);
    await idle();
    await runner.run(request);
    expect([limit.taken(), takes]).toEqual([1, 1]);
    hold.resolve();
    await first;
  });

  it("P14 each admit is asked once, in order, with the final arguments", async () => {
    const asked: unknown[] = [];
    const spy = (name: string): GuardrailProvider =>
      guard(name, {
        admit: async ({ args }) => {
          await ticks(2);
          asked.push([name, args]);
          return allow();
        },
      });
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [spy("a"), guard("m", { evaluate: () => modify({ to: "bob" }) }), spy("b")],
    });
    await runner.run(request);
    expect(asked).toEqual([
      ["a", { to: "bob" }],
      ["b", { to: "bob" }],
    ]);
  });

  it("P14 a call that ran keeps what it took, however its tool ended", async () => {
    const limit = quota("limit", 10);
    const runner = new ToolRunner({
      tools: [spyTool(), spyTool("fails", boom)],
      guardrails: [
        limit,
        {
          name: "withholds",
          evaluateResult: ({ args }) => (args.to === "eve" ? deny("no") : allow()),
        },
      ],
    });
    await runner.run({ name: "send" });
    await runner.run({ name: "fails" });
    await runner.run({ name: "send", arguments: { to: "eve" } });
    expect(limit.taken()).toBe(3);
  });
});

describe("P12 the calls of one turn", () => {
  it("P12 keeps their order, whatever order they end in, and isolates a failing one", async () => {
    const holds = [deferred(), deferred(), deferred()];
    const tool = spyTool("send", async ({ n }) => {
      await holds[n as number]?.promise;
      if (n === 1) throw new Error("one fails");
      return n;
    });
    const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
    const running = runner.runAll(
      [0, 1, 2].map((n) => ({ name: "send", arguments: { n }, callId: `c${n}` })),
    );
    await idle();
    for (const hold of [...holds].reverse()) {
      hold.resolve();
      await idle();
    }
    const outcomes = await running;
    expect(outcomes.map(({ callId, status }) => [callId, status])).toEqual([
      ["c0", "executed"],
      ["c1", "failed"],
      ["c2", "executed"],
    ]);
  });

  it("P12 runs at most `concurrency` at once, and a nested run under 1 does not wait for itself", async () => {
    let atOnce = 0;
    let most = 0;
    const runner: ToolRunner = new ToolRunner({
      tools: [
        spyTool("outer", async () => {
          most = Math.max(most, ++atOnce);
          const inner = await runner.runAll([{ name: "inner" }], { concurrency: 1 });
          atOnce--;
          return inner[0]?.status;
        }),
        spyTool("inner", () => ticks(3)),
      ],
      guardrails: [allowAll()],
    });
    const outcomes = await runner.runAll(
      Array.from({ length: 5 }, () => ({ name: "outer" })),
      { concurrency: 2 },
    );
    expect(most).toBe(2);
    expect(outcomes.map((outcome) => "value" in outcome && outcome.value)).toEqual(
      Array(5).fill("executed"),
    );
  });

  it("tells the guards which turn a call is of", async () => {
    const turns: (string | undefined)[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("g", {
          evaluate: ({ turnId }) => {
            turns.push(turnId);
            return allow();
          },
        }),
      ],
    });
    await runner.runAll([{ name: "send" }, { name: "send" }]);
    await runner.runAll([{ name: "send" }]);
    await runner.run({ name: "send" });
    expect(turns[0]).toBe(turns[1]);
    expect(turns[2]).not.toBe(turns[0]);
    expect(turns[3]).toBeUndefined();
  });
});
