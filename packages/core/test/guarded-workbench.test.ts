import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  forTools,
  modify,
  rewrite,
  type ToolResult,
  tool,
  toolResult,
} from "../src/index.js";
import { guardWorkbench, StaticWorkbench, type Workbench } from "../src/workbench/index.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { everythingIn, guard, told } from "./support/runners.js";
import { InnerBench, last, pieces } from "./support/workbenches.js";

const guardrails = [allowAll()];

const checked = { type: "object", required: ["q"] };

it("a guarded workbench gives the results among a stream's items as items, and the last as the result", async () => {
  const inner = new InnerBench("a");
  const result = (content: string) => ({ callId: "c", name: "a", isError: false, content });
  inner.callToolStream = async function* () {
    yield result("first");
    yield "piece";
    yield result("last");
  };
  const outer = guardWorkbench(inner, { guardrails: [allowAll()], unchecked: true });
  const items = await pieces(outer.callToolStream("a", {}));
  expect(items.slice(0, 2)).toEqual([result("first"), "piece"]);
  expect(items.slice(2)).toMatchObject([{ content: "last" }]);
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

  it.each([
    ["a text", "piece"],
    ["nothing", null],
    ["a result that does not say whether it is an error", { content: "x", name: "send" }],
    ["a result without content", { isError: false, name: "send" }],
  ])("fails a stream whose last item is %s", async (_, item) => {
    const inner = new InnerBench("send");
    inner.callToolStream = async function* () {
      yield item;
    };
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    expect(await last(bench.callToolStream("send"))).toMatchObject({
      isError: true,
      content: "The stream ended without a result.",
    });
  });

  it("awaits each step of the life cycle before the next", async () => {
    const log: string[] = [];
    const slow = (name: string) => async () => {
      log.push(`${name} begins`);
      await idle();
      log.push(`${name} ends`);
    };
    const inner = new InnerBench("send");
    const list = inner.listTools.bind(inner);
    Object.assign(inner, {
      start: slow("start"),
      stop: slow("stop"),
      listTools: () => {
        log.push("list");
        return list();
      },
      [Symbol.asyncDispose]: slow("dispose"),
    });
    const close = slow("close");
    const bench = guardWorkbench(inner, { guardrails: [allowAll(), guard("g", { close })] });
    await bench.start();
    expect(log.splice(0)).toEqual(["start begins", "start ends", "list"]);
    await bench[Symbol.asyncDispose]();
    expect(log).toEqual(
      ["close", "stop", "dispose"].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
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
