import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  forTools,
  guardWorkbench,
  type JsonObject,
  modify,
  rewrite,
  type StatefulTool,
  StaticWorkbench,
  type ToolDefinition,
  type ToolResult,
  tool,
  toolResult,
  type Workbench,
  type WorkbenchCallOptions,
} from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import {
  deferred,
  everythingIn,
  guard,
  idle,
  spyObserver,
  spyTool,
  ticks,
} from "./support/runners.js";

/** A workbench as somebody else would write one: no guards, no runner. */
class InnerBench implements Workbench {
  tools: ToolDefinition[];
  readonly calls: [name: string, args: unknown, options: WorkbenchCallOptions][] = [];
  readonly log: string[] = [];
  state: JsonObject = {};
  answer: (name: string, args: unknown) => Partial<ToolResult> | Promise<Partial<ToolResult>> =
    () => ({ content: "done" });

  constructor(...names: string[]) {
    this.tools = names.map((name) => ({ name }));
  }
  async listTools(): Promise<readonly ToolDefinition[]> {
    this.log.push("listTools");
    return this.tools;
  }
  async callTool(name: string, args: unknown, options: WorkbenchCallOptions): Promise<ToolResult> {
    this.calls.push([name, args, options]);
    return {
      callId: options.callId ?? "",
      name,
      isError: false,
      content: "",
      ...(await this.answer(name, args)),
    };
  }
  async *callToolStream(
    name: string,
    args: unknown,
    options: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void> {
    yield "piece";
    yield await this.callTool(name, args, options);
  }
  async start(): Promise<void> {
    this.log.push("start");
  }
  async stop(): Promise<void> {
    this.log.push("stop");
  }
  async reset(): Promise<void> {
    this.log.push("reset");
  }
  async saveState(): Promise<JsonObject> {
    return this.state;
  }
  async loadState(state: JsonObject): Promise<void> {
    this.state = state;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.log.push("dispose");
  }
}

async function pieces(stream: AsyncGenerator<unknown, void>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const piece of stream) all.push(piece);
  return all;
}
const last = async (stream: AsyncGenerator<unknown, void>): Promise<ToolResult> =>
  (await pieces(stream)).at(-1) as ToolResult;

/** Both kinds of workbench, with one tool that counts its runs. */
const benches: [
  string,
  (options: ConstructorParameters<typeof StaticWorkbench>[1]) => {
    bench: Workbench;
    runs: () => number;
  },
][] = [
  [
    "a static workbench",
    (options) => {
      const send = spyTool();
      return { bench: new StaticWorkbench([send], options), runs: () => send.runs.length };
    },
  ],
  [
    "a guarded workbench",
    (options) => {
      const inner = new InnerBench("send");
      return { bench: guardWorkbench(inner, options), runs: () => inner.calls.length };
    },
  ],
];
const denies = () => guard("no", { evaluate: () => deny("no", { code: "nope" }) });

describe.each(benches)("%s", (_kind, make) => {
  it("P11 A asks the same guards on both ways of calling, so that neither goes round them", async () => {
    let asked = 0;
    const { bench, runs } = make({
      guardrails: [
        guard("g", {
          evaluate: () => {
            asked++;
            return deny("no");
          },
        }),
      ],
    });
    expect(await bench.callTool("send")).toMatchObject({
      isError: true,
      content: "Tool call denied: no",
      name: "send",
    });
    expect(await last(bench.callToolStream("send"))).toMatchObject({
      isError: true,
      content: "Tool call denied: no",
      name: "send",
    });
    expect([asked, runs()]).toEqual([2, 0]);
  });

  it("P11 B a guard that fails never makes a call reject or hang", async () => {
    const clock = new HandClock();
    for (const evaluate of [
      () => {
        throw new Error("hunter2");
      },
      () => Promise.reject(new Error("hunter2")),
      () => new Promise<never>(() => {}),
    ]) {
      const { bench, runs } = make({ guardrails: [guard("g", { evaluate })], clock });
      const results = Promise.all([bench.callTool("send"), last(bench.callToolStream("send"))]);
      await idle();
      clock.pass(5_000);
      for (const result of await results) {
        expect(result).toMatchObject({ isError: true });
        expect(everythingIn(result)).not.toContain("hunter2");
      }
      expect(runs()).toBe(0);
    }
  });

  it("P11 C a denial is an error result", async () => {
    const { bench } = make({ guardrails: [denies()] });
    expect((await bench.callTool("send")).isError).toBe(true);
    expect((await last(bench.callToolStream("send"))).isError).toBe(true);
  });

  it("P11 D an override's name works on both ways, and the guard sees both names", async () => {
    const seen: unknown[] = [];
    const { bench, runs } = make({
      guardrails: [
        guard("g", {
          evaluate: ({ toolName, requestedName }) => {
            seen.push([toolName, requestedName]);
            return allow();
          },
        }),
      ],
      overrides: { send: { name: "mail", description: "Send mail." } },
    });
    expect(await bench.listTools()).toMatchObject([{ name: "mail", description: "Send mail." }]);
    for (const name of ["mail", "send"]) {
      expect(await bench.callTool(name)).toMatchObject({ isError: false, name });
      expect(await last(bench.callToolStream(name))).toMatchObject({ isError: false, name });
    }
    expect(seen).toEqual([
      ["send", "mail"],
      ["send", "mail"],
      ["send", "send"],
      ["send", "send"],
    ]);
    expect(runs()).toBe(4);
  });

  it("P4 E a call that was cancelled before runs no tool and rejects", async () => {
    const { bench, runs } = make({ guardrails: [allowAll()] });
    const signal = AbortSignal.abort("gone");
    await expect(bench.callTool("send", {}, { signal })).rejects.toMatchObject({
      code: "ERR_ABORTED",
      cause: "gone",
    });
    await expect(pieces(bench.callToolStream("send", {}, { signal }))).rejects.toMatchObject({
      code: "ERR_ABORTED",
    });
    expect(runs()).toBe(0);
  });

  it("an unknown tool is an error result under the requested name", async () => {
    const { bench } = make({ guardrails: [allowAll()] });
    const expected = {
      isError: true,
      name: "ghost",
      content: "Tool 'ghost' not found.",
      callId: "c1",
    };
    expect(await bench.callTool("ghost", {}, { callId: "c1" })).toMatchObject(expected);
    expect(await last(bench.callToolStream("ghost", {}, { callId: "c1" }))).toMatchObject(expected);
  });

  it("P3 without a guardrail denies everything", async () => {
    const { bench, runs } = make({ guardrails: [] });
    expect((await bench.callTool("send")).content).toContain("allowAll()");
    expect((await last(bench.callToolStream("send"))).content).toContain("allowAll()");
    expect(runs()).toBe(0);
  });

  it("P15 tells observers who called", async () => {
    const observer = spyObserver();
    const { bench } = make({ guardrails: [allowAll()], observers: [observer] });
    const options = { callId: "c1", agentName: "clerk", context: { sessionId: "s1" } };
    await bench.callTool("send", '{"to":"ada"}', options);
    await last(bench.callToolStream("send", { to: "ada" }, options));
    expect(observer.records).toHaveLength(2);
    for (const record of observer.records) {
      expect(record).toMatchObject({
        ...options,
        args: { to: "ada" },
        outcome: { status: "executed" },
      });
    }
  });

  it("P4 a reader of the stream who leaves settles the call once", async () => {
    const observer = spyObserver();
    const { bench } = make({ guardrails: [allowAll()], observers: [observer] });
    for await (const _piece of bench.callToolStream("send", {}, { callId: "c1" })) break;
    await bench.callToolStream("send").return(undefined as never);
    expect(observer.records).toHaveLength(1);
    expect((await bench.callTool("send", {}, { callId: "c1" })).isError).toBe(false);
  });

  it("denies what comes after it was disposed of", async () => {
    const { bench, runs } = make({ guardrails: [allowAll()] });
    await bench.start();
    await bench[Symbol.asyncDispose]();
    expect(await bench.callTool("send")).toMatchObject({
      isError: true,
      content: "Tool call denied: the tool runner is closed",
    });
    expect(runs()).toBe(0);
  });

  it("disposing of it waits for what runs, then closes the guards", async () => {
    const hold = deferred();
    const closed: string[] = [];
    const { bench } = make({
      guardrails: [
        guard("g", {
          evaluateResult: async () => {
            await hold.promise;
            return allow();
          },
          close: () => void closed.push("g"),
        }),
      ],
    });
    const running = bench.callTool("send");
    await idle();
    const disposing = bench[Symbol.asyncDispose]();
    await idle();
    expect(closed).toEqual([]);
    hold.resolve();
    expect((await running).isError).toBe(false);
    await disposing;
    expect(closed).toEqual(["g"]);
  });
});

describe("a tool that streams", () => {
  it("P11 G is guarded on both ways", async () => {
    const tools = [
      spyTool("count", async function* () {
        yield 1;
        yield 2;
      }),
    ];
    const denied = new StaticWorkbench(tools, { guardrails: [denies()] });
    expect(await pieces(denied.callToolStream("count"))).toMatchObject([{ isError: true }]);
    expect(await denied.callTool("count")).toMatchObject({ isError: true });
    expect(tools[0]?.runs).toEqual([]);
    const bench = new StaticWorkbench(tools, { guardrails: [allowAll()] });
    expect(await pieces(bench.callToolStream("count"))).toMatchObject([
      1,
      2,
      { isError: false, structured: 2 },
    ]);
    expect(await bench.callTool("count")).toMatchObject({ isError: false, structured: 2 });
  });

  it("P11 F a handoff that is a tool is a call like any other", async () => {
    let asked = 0;
    const bench = new StaticWorkbench([spyTool("transfer_to_clerk")], {
      guardrails: [
        guard("g", {
          evaluate: () => {
            asked++;
            return allow();
          },
        }),
      ],
    });
    await bench.callTool("transfer_to_clerk");
    expect(asked).toBe(1);
  });
});

describe("P5 overrides", () => {
  const made = (overrides: object) => () =>
    new StaticWorkbench([spyTool("a"), spyTool("b")], {
      guardrails: [allowAll()],
      overrides: overrides as never,
    });

  it.each<[string, object, string]>([
    ["take the name of another tool", { a: { name: "b" } }, "ERR_DUPLICATE_TOOL"],
    [
      "take the name that another override takes",
      { a: { name: "x" }, b: { name: "x" } },
      "ERR_DUPLICATE_TOOL",
    ],
    ["swap names", { a: { name: "b" }, b: { name: "a" } }, "ERR_DUPLICATE_TOOL"],
    ["are of no tool", { aa: { name: "x" } }, "ERR_UNKNOWN_TOOL"],
    ["have a member that is misspelt", { a: { nmae: "x" } }, "ERR_UNKNOWN_OPTION"],
    ["are nothing", { a: null }, "ERR_INVALID_OPTION"],
    ["have a name that is empty", { a: { name: "" } }, "ERR_INVALID_OPTION"],
    ["have a description that is no text", { a: { description: 5 } }, "ERR_INVALID_OPTION"],
  ])("P5 that %s are refused", (_what, overrides, code) => {
    expect(made(overrides)).toThrow(expect.objectContaining({ code }));
  });

  it("may keep the name and change the description, or the other way round", async () => {
    const bench = new StaticWorkbench([{ ...spyTool("a"), description: "first" }, spyTool("b")], {
      guardrails: [allowAll()],
      overrides: { a: { name: "x" }, b: { name: "b", description: "second" } },
    });
    expect(await bench.listTools()).toMatchObject([
      { name: "x", description: "first" },
      { name: "b", description: "second" },
    ]);
  });

  it("P5 of a guarded workbench are checked when its list is first known", async () => {
    const bench = guardWorkbench(new InnerBench("send"), {
      guardrails: [allowAll()],
      overrides: { sned: { name: "x" } },
    });
    await expect(bench.start()).rejects.toMatchObject({
      code: "ERR_UNKNOWN_TOOL",
      message: expect.stringContaining("Did you mean 'send'?"),
    });
  });

  it("P8 that would be taken by a tool that comes later keep their tool, and the later one is left off", async () => {
    const inner = new InnerBench("send");
    const bench = guardWorkbench(inner, {
      guardrails: [allowAll()],
      overrides: { send: { name: "mail" } },
    });
    await bench.start();
    inner.tools = [{ name: "send" }, { name: "mail" }];
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["mail"]);
    await bench.callTool("mail");
    expect(inner.calls.map(([name]) => name)).toEqual(["send"]);
  });
});

describe("a static workbench's state", () => {
  const counter = (name: string, more: Partial<StatefulTool> = {}) => {
    let count = 0;
    return {
      name,
      count: () => count,
      execute: () => ++count,
      saveState: () => count,
      loadState: (state: unknown) => {
        count = state as number;
      },
      ...more,
    };
  };

  it("is keyed by the tools' own names, whatever they are called by", async () => {
    const options = { guardrails: [allowAll()], overrides: { a: { name: "alpha" } } };
    const tools = (list: ReturnType<typeof counter>[]) =>
      list.map(({ count: _count, ...each }) => each);
    const before = new StaticWorkbench(
      [...tools([counter("a"), counter("b")]), spyTool("c")],
      options,
    );
    await before.callTool("alpha");
    await before.callTool("alpha");
    const state = await before.saveState();
    expect(state).toEqual({ tools: { a: 2, b: 0 } });
    const [a, b] = [counter("a"), counter("b")];
    const after = new StaticWorkbench(tools([a, b]), options);
    await after.loadState(JSON.parse(JSON.stringify(state)) as JsonObject);
    expect([a.count(), b.count()]).toEqual([2, 0]);
  });

  it("P5 of a tool that is not there, or keeps none, is refused before anything is loaded", async () => {
    const a = counter("a");
    const bench = new StaticWorkbench(
      [{ name: a.name, saveState: a.saveState, loadState: a.loadState }, spyTool("c")],
      { guardrails: [allowAll()] },
    );
    for (const tools of [
      { a: 5, ghost: 1 },
      { a: 5, c: 1 },
      { a: 5, toString: 1 },
    ]) {
      await expect(bench.loadState({ tools })).rejects.toMatchObject({ code: "ERR_UNKNOWN_TOOL" });
    }
    expect(a.count()).toBe(0);
  });
});

describe("a guarded workbench", () => {
  it("P13 hides the inner one", async () => {
    const inner = new InnerBench("send");
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    const reachable = new Set<unknown>();
    for (
      let each: object | null = bench;
      each !== null && each !== Object.prototype;
      each = Object.getPrototypeOf(each)
    ) {
      for (const key of Reflect.ownKeys(each)) reachable.add(Reflect.get(each, key, bench));
    }
    expect(reachable.has(inner)).toBe(false);
    expect(everythingIn(bench)).toBe("{}");
  });

  it("passes the decided arguments on under the tool's own name, with the call's id and facts", async () => {
    const inner = new InnerBench("send");
    const bench = guardWorkbench(inner, {
      guardrails: [guard("g", { evaluate: () => modify({ to: "bob" }) })],
      overrides: { send: { name: "mail" } },
    });
    await bench.start();
    const result = await bench.callTool(
      "mail",
      { to: "ada" },
      { callId: "c1", agentName: "clerk", context: { tenant: "acme" } },
    );
    expect(result).toMatchObject({ name: "mail", callId: "c1", content: "done" });
    const [name, args, options] = inner.calls[0] ?? [];
    expect([name, args]).toEqual(["send", { to: "bob" }]);
    expect(options).toMatchObject({
      callId: "c1",
      agentName: "clerk",
      context: { tenant: "acme" },
    });
    expect(options?.signal).toBeInstanceOf(AbortSignal);
  });

  it("P19 shows judges the inner answer under the name that was asked for, if it is under the tool's own", async () => {
    const inner = new InnerBench("send");
    const seen: string[] = [];
    const bench = guardWorkbench(inner, {
      guardrails: [
        guard("g", {
          evaluateResult: (call, { name }) => {
            seen.push(name);
            return name === call.requestedName ? allow() : deny("not yours");
          },
        }),
      ],
      overrides: { send: { name: "mail" } },
    });
    expect(await bench.callTool("mail")).toMatchObject({ isError: false });
    expect(await last(bench.callToolStream("mail"))).toMatchObject({ isError: false });
    inner.answer = () => ({ name: "rm" });
    expect(await bench.callTool("mail")).toMatchObject({ isError: true });
    expect([...new Set(seen)]).toEqual(["mail", "rm"]);
  });

  it("judges the inner result, with the identity that it claims, and passes on its error and its parts", async () => {
    const inner = new InnerBench("send");
    const seen: ToolResult[] = [];
    const bench = guardWorkbench(inner, {
      guardrails: [
        guard("g", {
          evaluateResult: (_call, result) => {
            seen.push(result);
            return allow();
          },
        }),
      ],
    });
    inner.answer = () => ({
      callId: "other",
      name: "rm",
      isError: true,
      content: [{ type: "text", text: "x" }],
      structured: { n: 1 },
    });
    const result = await bench.callTool("send", {}, { callId: "c1" });
    expect(seen).toMatchObject([{ callId: "other", name: "rm", isError: true }]);
    expect(result).toMatchObject({
      callId: "c1",
      name: "send",
      isError: true,
      content: [{ type: "text", text: "x" }],
      structured: { n: 1 },
    });
    inner.answer = () => {
      throw new Error("connection lost");
    };
    expect(await bench.callTool("send")).toMatchObject({
      isError: true,
      content: "connection lost",
    });
    expect(await last(bench.callToolStream("send"))).toMatchObject({
      isError: true,
      content: "connection lost",
    });
  });

  it("gives a stream's pieces and its result last, both judged", async () => {
    const inner = new InnerBench("send");
    inner.answer = () => ({ content: "whole" });
    const open = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect(await pieces(open.callToolStream("send"))).toMatchObject([
      "piece",
      { content: "whole", isError: false },
    ]);
    const judged = guardWorkbench(inner, {
      guardrails: [
        guard("g", {
          evaluateResult: (_call, { content }) =>
            rewrite({ content: String(content).toUpperCase() }),
        }),
      ],
    });
    expect(await pieces(judged.callToolStream("send"))).toMatchObject([
      "PIECE",
      { content: "WHOLE" },
    ]);
    const strict = guardWorkbench(inner, {
      guardrails: [
        guard("g", {
          evaluateResult: (_call, { content }) => (content === "whole" ? deny("no") : allow()),
        }),
      ],
    });
    expect(await pieces(strict.callToolStream("send"))).toMatchObject([
      { isError: true, content: "Tool result withheld: no" },
    ]);
  });

  it("fails a stream that ends without a result", async () => {
    const inner = new InnerBench("send");
    inner.callToolStream = async function* () {
      yield "piece";
    };
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect(await last(bench.callToolStream("send"))).toMatchObject({
      isError: true,
      content: "The stream ended without a result.",
    });
  });

  it("P13 follows the inner list: new tools are guarded, lost ones are not found, and none is listed a call", async () => {
    const inner = new InnerBench("a");
    const asked: string[] = [];
    const bench = guardWorkbench(inner, {
      guardrails: [
        guard("g", {
          evaluate: ({ toolName }) => {
            asked.push(toolName);
            return allow();
          },
        }),
      ],
    });
    await bench.start();
    await bench.callTool("a");
    await bench.callTool("a");
    expect(inner.log).toEqual(["start", "listTools"]);
    inner.tools = [{ name: "b" }];
    expect((await bench.callTool("b")).isError).toBe(false);
    expect(await bench.callTool("a")).toMatchObject({
      isError: true,
      content: "Tool 'a' not found.",
    });
    expect(asked).toEqual(["a", "a", "b", "a"]);
    expect(inner.calls.map(([name]) => name)).toEqual(["a", "a", "b"]);
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["b"]);
  });

  it("P13 a tool left off the list is denied all the same", async () => {
    const inner = new InnerBench("ok", "bad", "twice", "twice");
    const observer = spyObserver();
    const bench = guardWorkbench(inner, {
      guardrails: [
        guard("picky", {
          register: ({ name }) => {
            if (name === "bad") throw new Error("no");
          },
        }),
      ],
      observers: [observer],
    });
    await bench.start();
    inner.tools.push({ name: "typed", parameters: { type: "object", required: ["x"] } });
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["ok"]);
    for (const name of ["bad", "twice", "typed"]) {
      expect(await bench.callTool(name)).toMatchObject({ isError: true });
      expect(await last(bench.callToolStream(name))).toMatchObject({ isError: true });
    }
    expect(inner.calls).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(Array(6).fill("denied"));
  });

  it("P13 takes from the inner list no more than definitions", async () => {
    const inner = new InnerBench();
    inner.tools = [
      {
        name: "typed",
        parameters: { type: "object", required: ["x"] },
        unchecked: true,
        guardrails: [allowAll()],
        execute: () => "theirs",
      } as ToolDefinition,
    ];
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect(await bench.callTool("typed")).toMatchObject({
      isError: true,
      content: expect.stringContaining("refused"),
    });
    await expect(bench.start()).rejects.toMatchObject({ code: "ERR_UNCHECKED_TOOL" });
    expect(inner.calls).toEqual([]);
  });

  it("P13 one definition that cannot be read does not hide the others", async () => {
    const inner = new InnerBench("ok");
    inner.tools.push({ name: "broken", annotations: { size: 1n } as never });
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect((await bench.callTool("ok")).isError).toBe(false);
    expect((await bench.callTool("broken")).isError).toBe(true);
    expect(inner.calls.map(([name]) => name)).toEqual(["ok"]);
  });

  it("P5 a guard that is configured for a tool that is not there stops all, also where nobody started it", async () => {
    const inner = new InnerBench("send");
    const options = { guardrails: [allowAll(), forTools(["sned"], denies())] };
    await expect(guardWorkbench(inner, options).start()).rejects.toMatchObject({
      code: "ERR_UNKNOWN_TOOL",
    });
    const bench = guardWorkbench(inner, options);
    expect(await bench.callTool("send")).toMatchObject({ isError: true });
    expect(await last(bench.callToolStream("send"))).toMatchObject({ isError: true });
    await expect(bench.listTools()).rejects.toMatchObject({ code: "ERR_UNKNOWN_TOOL" });
    expect(inner.calls).toEqual([]);
  });

  it("goes on when the inner list cannot be had, to a tool that nobody declared", async () => {
    const inner = new InnerBench("send");
    inner.listTools = async () => {
      throw new Error("offline");
    };
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect(await bench.callTool("send")).toMatchObject({
      isError: true,
      content: "Tool 'send' not found.",
    });
    await expect(bench.listTools()).rejects.toThrow("offline");
  });

  it("passes its life cycle and its state on", async () => {
    const inner = new InnerBench("send");
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    await bench.start();
    await bench.loadState({ n: 1 });
    expect(await bench.saveState()).toEqual({ n: 1 });
    await bench.reset();
    await bench.stop();
    await bench[Symbol.asyncDispose]();
    expect(inner.log).toEqual([
      "start",
      "listTools",
      "reset",
      "listTools",
      "stop",
      "stop",
      "dispose",
    ]);
  });

  it("P11 a sealed tool inside a guarded inner workbench runs once, and both judge", async () => {
    const asked: string[] = [];
    const spy = (name: string) =>
      guard(name, {
        evaluate: () => {
          asked.push(name);
          return allow();
        },
      });
    let runs = 0;
    const inner = new StaticWorkbench(
      [
        tool({
          name: "send",
          sealed: true,
          execute: () => {
            runs++;
            return toolResult({ content: "x" });
          },
        }),
      ],
      { guardrails: [spy("inner")] },
    );
    const bench = guardWorkbench(inner, { guardrails: [spy("outer")] });
    expect(await bench.callTool("send")).toMatchObject({ isError: false, content: "x" });
    expect(await last(bench.callToolStream("send"))).toMatchObject({
      isError: false,
      content: "x",
    });
    expect([asked, runs]).toEqual([["outer", "inner", "outer", "inner"], 2]);
    await ticks(1);
  });
});
