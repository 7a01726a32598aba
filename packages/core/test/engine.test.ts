import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  deny,
  forTools,
  type GuardrailProvider,
  guardExecutor,
  guardWorkbench,
  type JsonObject,
  StaticWorkbench,
  type Tool,
  type ToolDefinition,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
  tool,
} from "../src/index.js";
import {
  deferred,
  everythingIn,
  guard,
  idle,
  spyObserver,
  spyTool,
  textOf,
} from "./support/runners.js";

const error = (code: string, ...parts: string[]) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(
      parts.map((part) => part.replace(/[.?()'[\]]/g, "\\$&")).join(".*"),
    ),
  });
const made = (options: object) => () =>
  new ToolRunner({ guardrails: [], ...options } as ToolRunnerOptions);

describe("P5 a typo", () => {
  it.each([
    ["tool", "tools"],
    ["guardrail", "guardrails"],
    ["gaurdrails", "guardrails"],
    ["observer", "observers"],
    ["policyversion", "policyVersion"],
    ["alias", "aliases"],
    ["uncheked", "unchecked"],
    ["timeoutMS", "timeoutMs"],
    ["limit", "limits"],
    ["maxOpenCall", "maxOpenCalls"],
    ["clocks", "clock"],
  ])("P5 in an option is named, with the nearest: %s", (typo, meant) => {
    expect(made({ [typo]: 1 })).toThrow(
      error("ERR_UNKNOWN_OPTION", `ToolRunner has no option '${typo}'`, `Did you mean '${meant}'?`),
    );
  });

  it("P5 in an option of a wrapped executor, or of a workbench, offers theirs", () => {
    const options = { guardrails: [], tools: [] };
    expect(() => guardExecutor(() => "", { ...options, descibe: 1 } as never)).toThrow(
      error(
        "ERR_UNKNOWN_OPTION",
        "guardExecutor() has no option 'descibe'",
        "Did you mean 'describe'?",
      ),
    );
    for (const workbench of [
      (more: object) => new StaticWorkbench([], { guardrails: [], ...more }),
      (more: object) =>
        guardWorkbench(new StaticWorkbench([], { guardrails: [] }), { guardrails: [], ...more }),
    ]) {
      expect(() => workbench({ overides: {} })).toThrow(
        error("ERR_UNKNOWN_OPTION", "no option 'overides'", "Did you mean 'overrides'?"),
      );
      // They would be silently off.
      expect(() => workbench({ aliases: {} })).toThrow(error("ERR_UNKNOWN_OPTION", "'aliases'"));
      expect(() => workbench({ tools: [] })).toThrow(error("ERR_UNKNOWN_OPTION", "'tools'"));
    }
  });

  it.each<[string, object, string]>([
    ["no options", null as never, "ERR_INVALID_OPTION"],
    ["no guardrails", { guardrails: undefined }, "ERR_INVALID_OPTION"],
    ["a guardrail that is not in a list", { guardrails: allowAll() }, "ERR_INVALID_OPTION"],
    ["a factory that was not called", { guardrails: [allowAll] }, "ERR_INVALID_PROVIDER"],
    ["an observer among the guardrails", { guardrails: [spyObserver()] }, "ERR_INVALID_PROVIDER"],
    ["a time of 0", { timeoutMs: 0 }, "ERR_INVALID_OPTION"],
    ["a time that is text", { timeoutMs: "5" }, "ERR_INVALID_OPTION"],
    ["a time that is NaN", { timeoutMs: Number.NaN }, "ERR_INVALID_OPTION"],
    ["limits of 0", { limits: { maxDepth: 0 } }, "ERR_INVALID_OPTION"],
    ["room for 0 calls", { maxOpenCalls: 0 }, "ERR_INVALID_OPTION"],
    ["room for text calls", { maxOpenCalls: "many" }, "ERR_INVALID_OPTION"],
    ["room for NaN calls", { maxOpenCalls: Number.NaN }, "ERR_INVALID_OPTION"],
    ["a policy version that is no text", { policyVersion: 7 }, "ERR_INVALID_OPTION"],
    ["tools that are no list", { tools: { send: spyTool() } }, "ERR_INVALID_OPTION"],
    ["observers that are no list", { observers: spyObserver() }, "ERR_INVALID_OPTION"],
    ["aliases that are a list", { aliases: ["send"] }, "ERR_INVALID_OPTION"],
    ["unchecked by more than true", { unchecked: "yes" }, "ERR_INVALID_OPTION"],
    ["a clock that has no hands", { clock: { now: () => 0 } }, "ERR_INVALID_OPTION"],
    ["a clock that is a function", { clock: Date.now }, "ERR_INVALID_OPTION"],
    ["limits that are fractions", { limits: { maxNodes: 1.5 } }, "ERR_INVALID_OPTION"],
    ["limits misspelt", { limits: { maxDept: 3 } }, "ERR_UNKNOWN_OPTION"],
    ["a tool without a name", { tools: [{}] }, "ERR_INVALID_TOOL"],
    ["a tool that is nothing", { tools: [undefined] }, "ERR_INVALID_TOOL"],
    ["two tools of one name", { tools: [spyTool(), spyTool()] }, "ERR_DUPLICATE_TOOL"],
    ["an alias of no tool", { tools: [spyTool()], aliases: { x: "sned" } }, "ERR_UNKNOWN_TOOL"],
    [
      "an alias that is a tool's name",
      { tools: [spyTool()], aliases: { send: "send" } },
      "ERR_DUPLICATE_TOOL",
    ],
    [
      "a tool's time of 0",
      { tools: [spyTool("send", () => 1, { timeoutMs: 0 })] },
      "ERR_INVALID_OPTION",
    ],
    [
      "two guardrails of one name",
      { guardrails: [allowAll(), chain([allowAll()])] },
      "ERR_DUPLICATE_PROVIDER",
    ],
    [
      "a tool's guardrail of the name of one of the runner's",
      { guardrails: [allowAll()], tools: [spyTool("send", () => 1, { guardrails: [allowAll()] })] },
      "ERR_DUPLICATE_PROVIDER",
    ],
  ])("P5 %s is refused", (_what, options, code) => {
    expect(options === null ? () => new ToolRunner(null as never) : made(options)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it("P5 in a tool's name is found in forTools, in a guard's `tools` and in aliases, with the nearest", () => {
    const tools = [spyTool("send_mail")];
    for (const options of [
      { tools, guardrails: [forTools(["send_mial"], allowAll())] },
      { tools, guardrails: [guard("g", { tools: ["send_mial"] })] },
      { tools, guardrails: [chain([guard("g", { tools: ["send_mial"] })])] },
      { tools, aliases: { mail: "send_mial" } },
    ]) {
      expect(made(options)).toThrow(
        error("ERR_UNKNOWN_TOOL", "'send_mial'", "Did you mean 'send_mail'?"),
      );
    }
  });

  it.each([
    ["evalute", "evaluate"],
    ["evaluateResults", "evaluateResult"],
    ["admits", "admit"],
    ["settled", "settle"],
    ["regster", "register"],
    ["checkArguments", "checksArguments"],
  ])("P5 in a member of a guardrail is named, with the nearest: %s", (typo, meant) => {
    expect(made({ guardrails: [{ ...guard("g"), [typo]: () => allow() }] })).toThrow(
      error("ERR_UNKNOWN_MEMBER", `'${typo}'`, `Did you mean '${meant}'?`),
    );
  });

  it("P5 in a member of a tool is named, with the nearest", () => {
    expect(() => tool({ name: "send", seald: true } as never)).toThrow(
      error("ERR_UNKNOWN_OPTION", "tool() has no option 'seald'", "Did you mean 'sealed'?"),
    );
    expect(() => tool({ name: "" })).toThrow(error("ERR_INVALID_TOOL"));
  });

  it("P5 no error holds the value of an option", () => {
    const secret = "hunter2";
    for (const options of [
      { timeoutMs: secret },
      { limits: { maxDepth: secret } },
      { guardrails: secret },
      { tools: [spyTool("send", () => 1, { timeoutMs: secret as never })] },
      { guardrails: [guard("g", { timeoutMs: secret as never })] },
      { guardrails: [guard("g", { tools: secret as never })] },
    ]) {
      let thrown: unknown;
      try {
        made(options)();
      } catch (caught) {
        thrown = caught;
      }
      expect(thrown).toBeInstanceOf(ToolstileError);
      expect(everythingIn(thrown)).not.toContain(secret);
    }
  });
});

describe("P5 a tool's schema", () => {
  const schema = { type: "object", properties: { to: { type: "string" } } };
  const checking = (tools?: string[]): GuardrailProvider =>
    guard("schema", { checksArguments: ({ name }) => tools?.includes(name) ?? true });
  const typed = (more: Partial<Tool> = {}): Tool => ({
    ...spyTool("send"),
    parameters: schema,
    ...more,
  });

  it("P5 that nobody holds arguments to is an error that says the two ways out", () => {
    expect(made({ tools: [typed()], guardrails: [allowAll()] })).toThrow(
      error("ERR_UNCHECKED_TOOL", "'send'", "schemaValidation()", "unchecked: true"),
    );
  });

  it.each<[string, object]>([
    ["a guardrail does", { guardrails: [checking()] }],
    ["a guardrail in a chain does", { guardrails: [chain([checking()])] }],
    ["a guardrail for this tool does", { guardrails: [forTools(["send"], checking())] }],
    ["a guardrail of the tool's own does", { tools: [typed({ guardrails: [checking()] })] }],
    ["the tool says it is unchecked", { tools: [typed({ unchecked: true })] }],
    ["the runner says all are unchecked", { unchecked: true }],
    ["the schema is true", { tools: [typed({ parameters: true })] }],
    ["the schema says any object", { tools: [typed({ parameters: { type: "object" } })] }],
    [
      "the schema says any object at length",
      {
        tools: [
          typed({
            parameters: {
              $schema: "x",
              title: "t",
              type: "object",
              properties: {},
              required: [],
              additionalProperties: true,
            },
          }),
        ],
      },
    ],
  ])("is fine where %s", (_what, options) => {
    expect(made({ tools: [typed()], guardrails: [allowAll()], ...options })).not.toThrow();
  });

  it.each<[string, object]>([
    ["the schema is false", { tools: [typed({ parameters: false })] }],
    ["the schema is of another type", { tools: [typed({ parameters: { type: "array" } })] }],
    [
      "the schema closes the object",
      { tools: [typed({ parameters: { type: "object", additionalProperties: false } })] },
    ],
    [
      "the schema has a keyword that is not known",
      { tools: [typed({ parameters: { type: "object", minProperties: 1 } })] },
    ],
    [
      "the guardrail is for another tool",
      { tools: [typed(), spyTool("other")], guardrails: [forTools(["other"], checking())] },
    ],
    ["the guardrail says no", { guardrails: [checking([])] }],
    [
      "the guardrail says yes by more than true",
      { guardrails: [guard("g", { checksArguments: (() => "yes") as never })] },
    ],
    [
      "the guardrail throws when asked",
      {
        guardrails: [
          guard("g", {
            checksArguments: () => {
              throw new Error("x");
            },
          }),
        ],
      },
    ],
  ])("P5 is an error where %s", (_what, options) => {
    expect(made({ tools: [typed()], guardrails: [allowAll()], ...options })).toThrow(
      error("ERR_UNCHECKED_TOOL"),
    );
  });
});

describe("a changed list of tools", () => {
  it("P13 refuses what no longer fits, tells of it, and denies its calls", async () => {
    const tools = [spyTool("a"), spyTool("b")];
    const runner = new ToolRunner({
      tools,
      guardrails: [
        guard("picky", {
          register: ({ name }) => {
            if (name === "bad") throw new Error("no");
          },
        }),
      ],
    });
    const bad = spyTool("bad");
    const twice = spyTool("twice");
    const typed: Tool = { ...spyTool("typed"), parameters: { type: "object", required: ["x"] } };
    const broken: Tool = { ...spyTool("broken"), annotations: { size: 1n } as never };
    const clash: Tool = { ...spyTool("clash"), guardrails: [guard("picky")] };
    const refused = runner.setTools([
      tools[0] as Tool,
      bad,
      twice,
      twice,
      typed,
      broken,
      clash,
      {} as Tool,
      undefined as never,
    ]);
    expect(refused.map(({ name, refusedBy }) => [name, refusedBy])).toEqual([
      ["bad", "picky"],
      ["twice", "core"],
      ["typed", "core"],
      ["broken", "core"],
      ["clash", "core"],
      ["", "core"],
      ["", "core"],
    ]);
    expect(runner.tools.map(({ name }) => name)).toEqual(["a"]);
    expect((await runner.run({ name: "a" })).status).toBe("executed");
    expect(await runner.run({ name: "bad" })).toMatchObject({
      status: "denied",
      code: "tool_refused",
      decidedBy: "picky",
    });
    expect(await runner.run({ name: "twice" })).toMatchObject({
      status: "denied",
      decidedBy: "core",
    });
    expect(await runner.run({ name: "typed" })).toMatchObject({
      status: "denied",
      decidedBy: "core",
    });
    for (const name of ["broken", "clash"]) {
      expect(await runner.run({ name })).toMatchObject({
        status: "denied",
        reason: `tool '${name}' was refused when it was declared: its definition is not right`,
      });
    }
    expect(await runner.run({ name: "b" })).toMatchObject({ status: "not_found" });
    expect([...bad.runs, ...twice.runs]).toEqual([]);
  });

  it("P5 a guard that refuses a tool at construction is an error that names both", () => {
    const cause = new Error("x");
    const refuses = guard("picky", {
      register: () => {
        throw cause;
      },
    });
    expect(made({ tools: [spyTool()], guardrails: [refuses] })).toThrow(
      expect.objectContaining({
        code: "ERR_TOOL_REFUSED",
        cause,
        message: expect.stringMatching(/'send'.*'picky'/),
      }),
    );
    expect(
      made({
        tools: [spyTool("a"), spyTool()],
        guardrails: [forTools(["a"], guard("x")), forTools(["a"], refuses)],
      }),
    ).toThrow();
    expect(
      made({
        tools: [spyTool("a"), spyTool()],
        guardrails: [
          forTools(
            ["a"],
            guard("x", {
              register: ({ name }) => {
                if (name !== "a") throw cause;
              },
            }),
          ),
        ],
      }),
    ).not.toThrow();
  });

  it("A8 a call under way keeps the tool that it was decided for", async () => {
    const hold = deferred();
    const before = spyTool("send", () => "before");
    const after = spyTool("send", () => "after");
    const runner = new ToolRunner({
      tools: [before],
      guardrails: [
        guard("g", {
          evaluate: async ({ tool: known }) => {
            await hold.promise;
            return known?.name === "send" ? allow() : deny("no");
          },
        }),
      ],
    });
    const running = runner.run({ name: "send" });
    await idle();
    runner.setTools([after]);
    hold.resolve();
    expect(await running).toMatchObject({ status: "executed", value: "before" });
    expect(await runner.run({ name: "send" })).toMatchObject({ value: "after" });
  });

  it("is not changed by what is done to a definition later", async () => {
    const given = { ...spyTool(), annotations: { readOnly: true } };
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [given],
      guardrails: [
        guard("g", {
          evaluate: (call) => {
            seen.push(call.tool?.annotations);
            return allow();
          },
        }),
      ],
    });
    given.annotations.readOnly = false;
    await runner.run({ name: "send" });
    expect(seen).toEqual([{ readOnly: true }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });
});

describe("aliases", () => {
  it("P8 are resolved once: guards see both names, the result carries the requested one", async () => {
    const seen: unknown[] = [];
    const mail = spyTool("send_mail");
    const runner = new ToolRunner({
      tools: [mail],
      aliases: { mail: "send_mail" },
      guardrails: [
        forTools(
          ["send_mail"],
          guard("g", {
            evaluate: (call) => {
              seen.push([call.requestedName, call.toolName]);
              return allow();
            },
          }),
        ),
      ],
    });
    expect(await runner.run({ name: "mail" })).toMatchObject({
      status: "executed",
      result: { name: "mail" },
    });
    expect(seen).toEqual([["mail", "send_mail"]]);
    expect(mail.contexts[0]).toMatchObject({ requestedName: "mail", toolName: "send_mail" });
  });
});

describe("tools of one call", () => {
  it("are decided on and released, never run, and their schema must be held", async () => {
    const ran: unknown[] = [];
    const declared: ToolDefinition & Tool<JsonObject> = {
      name: "theirs",
      parameters: true,
      execute: () => ran.push(1),
    };
    const runner = new ToolRunner({ tools: [], guardrails: [allowAll()] });
    expect(await runner.run({ name: "theirs" }, { tools: [declared] })).toMatchObject({
      status: "released",
      executed: "unknown",
      result: { isError: false, content: "" },
    });
    expect(await runner.run({ name: "theirs" })).toMatchObject({ status: "not_found" });
    // What the request says of its own tool beside the definition counts for nothing.
    const typed = {
      name: "theirs",
      parameters: { type: "object", required: ["x"] },
      unchecked: true,
      guardrails: [],
    } as Tool;
    expect(await runner.run({ name: "theirs" }, { tools: [typed as never] })).toMatchObject({
      status: "denied",
      code: "tool_refused",
    });
    const opened = await runner.open({ name: "theirs" }, { tools: [declared] });
    if (opened.outcome !== undefined) throw new Error("stopped");
    expect(opened.call.tool).toMatchObject({ name: "theirs" });
    expect(await opened.close({ released: true })).toMatchObject({ status: "released" });
    expect(ran).toEqual([]);
  });
});

describe("open and close", () => {
  const opened = async (runner: ToolRunner) => {
    const call = await runner.open({ name: "send", arguments: { to: "ada" }, callId: "c1" });
    if (call.outcome !== undefined) throw new Error(`stopped: ${textOf(call.outcome)}`);
    return call;
  };

  it("P7 open decides, admits and announces, but never dispatches", async () => {
    const order: string[] = [];
    const tool = spyTool();
    const observer = spyObserver();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [
        guard("g", {
          admit: () => {
            order.push("admit");
            return allow();
          },
          settle: () => void order.push("settle"),
          evaluateResult: () => {
            order.push("judge");
            return allow();
          },
        }),
      ],
      observers: [observer],
    });
    const { call, close } = await opened(runner);
    await idle();
    expect(order).toEqual(["admit"]);
    expect([observer.announced.length, observer.records.length]).toEqual([1, 0]);
    expect(call).toMatchObject({ args: { to: "ada" }, toolName: "send", callId: "c1" });
    const outcome = await close({ value: { ok: true } });
    expect(outcome).toMatchObject({
      status: "executed",
      value: { ok: true },
      result: { callId: "c1", name: "send" },
    });
    expect(order).toEqual(["admit", "judge", "settle"]);
    expect(observer.records).toHaveLength(1);
    expect(tool.runs).toEqual([]);
  });

  it("close takes an error as a failure, judges it, and takes released as unknown", async () => {
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("g", {
          evaluateResult: (_call, { content, isError }) => {
            seen.push([content, isError]);
            return allow();
          },
        }),
      ],
    });
    const error = new Error("disk full");
    expect(await (await opened(runner)).close({ error })).toMatchObject({
      status: "failed",
      error,
      result: { isError: true, content: "disk full" },
    });
    expect(await (await opened(runner)).close({ error: undefined })).toMatchObject({
      status: "failed",
      result: { isError: true },
    });
    expect(await (await opened(runner)).close({ released: true })).toMatchObject({
      status: "released",
      executed: "unknown",
    });
    expect(await (await opened(runner)).close({ value: undefined })).toMatchObject({
      status: "executed",
      result: { content: "" },
    });
    expect(seen).toEqual([
      ["disk full", true],
      ["Tool 'send' failed.", true],
      ["", false],
    ]);
  });

  it("close twice is an error, and settles once", async () => {
    const observer = spyObserver();
    const { close } = await opened(
      new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], observers: [observer] }),
    );
    const first = close({ value: 1 });
    await expect(async () => close({ value: 2 })).rejects.toMatchObject({ code: "ERR_CLOSED" });
    expect(await first).toMatchObject({ value: 1 });
    await expect(async () => close({ released: true })).rejects.toMatchObject({
      code: "ERR_CLOSED",
    });
    expect(observer.records).toHaveLength(1);
  });

  it.each([
    undefined,
    null,
    {},
    { values: 1 },
    { released: false },
    { value: 1, error: 2 },
    "done",
  ])("P5 close does not take %j for an answer, and leaves the call open", async (answer) => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const { close } = await opened(runner);
    await expect(async () => close(answer as never)).rejects.toMatchObject({
      code: expect.stringMatching(/ERR_(INVALID|UNKNOWN)_OPTION/),
    });
    expect(await close({ value: "done" })).toMatchObject({ status: "executed" });
    await runner.close();
  });
});

describe("closing a runner", () => {
  it("waits for what runs, its agents' too, denies what comes, and closes each once, the agent's own by the agent", async () => {
    const log: string[] = [];
    const hold = deferred();
    const agents = deferred();
    const closing = (name: string) => guard(name, { close: async () => void log.push(name) });
    const runner = new ToolRunner({
      tools: [spyTool("send", ({ who }) => (who === "agent" ? agents.promise : hold.promise))],
      guardrails: [closing("a"), closing("b")],
      observers: [spyObserver({ close: () => void log.push("observer") })],
    });
    const agent = runner.forAgent("clerk", { guardrails: [closing("c")] });
    await runner.forAgent("temp", { guardrails: [closing("d")] }).close();
    expect(log.splice(0)).toEqual(["d"]);
    const running = runner.run({ name: "send" });
    const runningAgent = agent.run({ name: "send", arguments: { who: "agent" } });
    await idle();
    const closed = runner.close();
    await idle();
    for (const each of [runner, agent]) {
      expect(await each.run({ name: "send" })).toMatchObject({
        status: "denied",
        basis: "error",
        code: "runner_closed",
      });
    }
    expect(log).toEqual([]);
    hold.resolve();
    expect((await running).status).toBe("executed");
    await idle();
    expect(log).toEqual([]);
    agents.resolve();
    expect((await runningAgent).status).toBe("executed");
    await closed;
    expect(log).toEqual(["a", "b", "observer"]);
    await agent.close();
    await runner.close();
    await runner[Symbol.asyncDispose]();
    expect(log).toEqual(["a", "b", "observer", "c"]);
  });

  it("waits for a call that is open", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const call = await runner.open({ name: "send" });
    let over = false;
    const closing = runner.close().then(() => {
      over = true;
    });
    await idle();
    expect(over).toBe(false);
    if (call.outcome === undefined) await call.close({ released: true });
    await closing;
    expect(over).toBe(true);
  });

  it("closes the rest when one fails, and tells of it", async () => {
    const log: unknown[] = [];
    const runner = new ToolRunner({
      guardrails: [
        guard("a", {
          close: () => {
            throw new Error("x");
          },
        }),
        guard("b", { close: () => void log.push("b") }),
      ],
    });
    runner.on("fault", ({ source, phase }) => void log.push([source, phase]));
    await runner.close();
    expect(log).toEqual([["a", "close"], "b"]);
  });
});
