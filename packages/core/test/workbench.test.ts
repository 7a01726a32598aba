import { describe, expect, it } from "vitest";
import { allow, allowAll, deny } from "../src/index.js";
import { guardWorkbench, StaticWorkbench, type Workbench } from "../src/workbench/index.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle } from "./support/promises.js";
import { everythingIn, guard, spyObserver, spyTool } from "./support/runners.js";
import { denies, InnerBench, last, pieces } from "./support/workbenches.js";

const guardrails = [allowAll()];

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

describe("a static workbench", () => {
  it("runs a stateful tool whose functions are those of its class", async () => {
    class Counter {
      readonly name = "count";
      #count = 0;
      execute = () => ++this.#count;
      saveState() {
        return this.#count;
      }
      loadState(state: unknown) {
        this.#count = Number(state);
      }
    }
    const bench = new StaticWorkbench([new Counter()], { guardrails });
    await bench.loadState({ tools: { count: 5 } });
    expect((await bench.callTool("count")).content).toBe("6");
    expect(await bench.saveState()).toEqual({ tools: { count: 6 } });
  });

  it("may have several overrides that change descriptions alone", async () => {
    const overrides = { a: { description: "A" }, b: { description: "B" } };
    const bench = new StaticWorkbench([spyTool("a"), spyTool("b")], { guardrails, overrides });
    expect((await bench.listTools()).map(({ name, description }) => [name, description])).toEqual([
      ["a", "A"],
      ["b", "B"],
    ]);
  });
});
