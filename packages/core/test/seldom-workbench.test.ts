import { describe, expect, it } from "vitest";
import { allowAll, deny, type Fault, forTools, liveChain, ToolRunner } from "../src/index.js";
import { guardWorkbench, StaticWorkbench, type Workbench } from "../src/workbench/index.js";
import { deferred, idle } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";
import { InnerBench } from "./support/workbenches.js";

const guardrails = [allowAll()];
const checked = { type: "object", required: ["q"] };

function told() {
  const faults: string[] = [];
  const onFault = ({ source, phase, error }: Fault): void =>
    void faults.push(`${source} ${phase}: ${(error as Error).message}`);
  return { faults, onFault };
}

describe("a guarded workbench", () => {
  it("P5 tells operators of each tool that is left off its list, and why", async () => {
    const { faults, onFault } = told();
    const picky = guard("picky", {
      register: ({ name }) => {
        // A code of somebody else's is none of Toolstile's.
        if (name === "bad") throw Object.assign(new Error("no"), { code: "ERR_UNCHECKED_TOOL" });
        if (name === "worse") throw undefined;
      },
    });
    const inner = new InnerBench("twice", "good", "bad", "worse", "twice");
    const bench = guardWorkbench(inner, { guardrails: [picky], onFault });
    await bench.start();
    expect(faults).toEqual([
      "core register: refused 'twice': Two tools are named 'twice'.",
      "picky register: refused 'bad'",
      "picky register: refused 'worse'",
    ]);
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["good"]);
  });

  it("P5 asks for the tools that its guards name until a first list could be loaded", async () => {
    const inner = new InnerBench("send", "typed");
    inner.tools = [{ name: "send" }, { name: "typed", parameters: checked }];
    const limited = forTools(["send"], guard("limited", { evaluate: () => deny("no") }));
    const bench = guardWorkbench(inner, { guardrails: [allowAll(), limited] });
    await expect(bench.start()).rejects.toMatchObject({ code: "ERR_UNCHECKED_TOOL" });
    inner.tools = [{ name: "other" }];
    await expect(bench.start()).rejects.toMatchObject({ code: "ERR_UNKNOWN_TOOL" });
  });

  it("gives each item of a stream before the next one comes", async () => {
    const hold = deferred();
    const inner = Object.assign(new InnerBench("send"), {
      async *callToolStream(): AsyncGenerator<unknown, void> {
        yield "first";
        await hold.promise;
        yield { callId: "", name: "send", isError: false, content: "done" };
      },
    }) as unknown as Workbench;
    const stream = guardWorkbench(inner, { guardrails }).callToolStream("send");
    const first = stream.next();
    expect(
      await Promise.race([
        first,
        idle()
          .then(idle)
          .then(() => "late"),
      ]),
    ).toEqual({
      done: false,
      value: "first",
    });
    hold.resolve();
    expect((await stream.next()).value).toMatchObject({ content: "done" });
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

describe("a tool that is declared with each call", () => {
  it("is told to guards once, where it cannot change, and is decided on each time", async () => {
    const names: string[] = [];
    const noting = guard("notes", { register: ({ name }) => void names.push(name) });
    const runner = new ToolRunner({ guardrails: [noting] });
    const tools = [Object.freeze({ name: "send" })];
    for (let time = 0; time < 3; time++) {
      const opened = await runner.open({ name: "send" }, { tools });
      if (opened.permit === undefined) throw new Error("the call was stopped");
      await opened.close({ value: "sent" });
    }
    expect(names).toEqual(["send"]);
  });
});

describe("guardrails that many runners have", () => {
  it("keep their tools apart from an exchange in which one of them fails", () => {
    const { faults, onFault } = told();
    const live = liveChain([allowAll()]);
    const runner = new ToolRunner({ guardrails: [live.guardrail], onFault });
    runner.setTools([{ name: "typed", parameters: checked, unchecked: true }]);
    live.replace([
      guard("strict", {
        register: () => {
          throw new Error("secret");
        },
      }),
    ]);
    expect(faults).toEqual(["strict register: refused 'typed'"]);
  });
});
