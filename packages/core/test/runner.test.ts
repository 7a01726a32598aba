import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type GuardrailProvider,
  type ToolOutcome,
  ToolRunner,
} from "../src/index.js";
import { guard, request, spyObserver, spyTool } from "./support/runners.js";

function opened(outcome: ToolOutcome): boolean {
  return outcome.executed !== false;
}

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
