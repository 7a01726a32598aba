import { MemorySaver } from "@langchain/langgraph";
import { allow, allowAll, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { HumanMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { asks, read, sceneOf, toolMessage, ways } from "./support/agents.js";
import { mailTools, toolOf } from "./support/tools.js";

/** Mail goes to the customer, and nothing is removed. */
const houseRules: GuardrailProvider = {
  name: "house-rules",
  evaluate: ({ toolName, args }) => {
    if (toolName === "remove") return deny("nothing is removed here");
    return args["to"] === "ann" ? allow() : modify({ ...args, to: "ann" });
  },
};

const recorder = (asked: unknown[][]): GuardrailProvider => ({
  name: "recorder",
  evaluate: ({ callId, args }) => {
    asked.push([callId, args]);
    return allow();
  },
});

const turn = [asks("c1", "send", { to: "thief" }), asks("c2", "remove", { path: "/" })];

describe.each(ways)("two calls of one turn, in %s", (_, scene) => {
  it.each<[string, object]>([
    ["invoke", {}],
    ["stream of values", { streamMode: "values" }],
    ["stream of updates", { streamMode: "updates" }],
    ["stream of messages", { streamMode: "messages" }],
    ["stream of several modes", { streamMode: ["custom", "debug", "tasks"] }],
  ])(
    "P11 with %s, one runs with the rewritten arguments, and the model reads why the other did not",
    async (way, config) => {
      const { ran, tools } = mailTools();
      const asked: unknown[][] = [];
      const observer = recordingObserver();
      const guardrails = [recorder(asked), houseRules];
      const { graph, model, play } = scene({
        tools,
        turns: [turn],
        guardrails,
        observers: [observer],
      });
      if (way === "invoke") await play();
      else
        for await (const _ of await graph.stream({ messages: [new HumanMessage("go")] }, config));

      expect(ran).toEqual([["send", { to: "ann", urgent: false }]]);
      expect(asked.filter(([id]) => id === "c1").at(-1)).toEqual([
        "c1",
        { to: "ann", urgent: false },
      ]);
      const told = { messages: model.calls.at(-1)?.messages ?? [] };
      expect(read(told)).toEqual({
        c1: "Sent to ann.",
        c2: "Tool call denied: nothing is removed here",
      });
      expect(toolMessage(told, "c1").status).toBe("success");
      expect(toolMessage(told, "c2")).toMatchObject({ status: "error", name: "remove" });
      const records = observer.records.map(({ callId, outcome }) => [callId, outcome?.status]);
      expect(records.sort()).toEqual([
        ["c1", "executed"],
        ["c2", "denied"],
      ]);
      const [first, second] = observer.records.map(({ turnId }) => turnId);
      expect(first).toEqual(expect.any(String));
      expect(second).toBe(first);
    },
  );
});

describe.each(ways)("a guard in %s", (_, scene) => {
  it.each<[string, string, () => unknown]>([
    [
      "throws",
      "error",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["rejects", "error", () => Promise.reject(new Error("hunter2"))],
    ["hangs", "timeout", () => new Promise(() => {})],
    ["answers what is no decision", "malformed", () => ({ decision: "ALLOW", reason: "hunter2" })],
  ])("P1 P2 that %s denies, and what it said stays with it", async (_, basis, evaluate) => {
    const { ran, tools } = mailTools();
    const observer = recordingObserver();
    const guard = { name: "bad", evaluate } as GuardrailProvider;
    const { play } = scene({
      tools,
      turns: [turn],
      guardrails: [guard],
      observers: [observer],
      timeoutMs: 5,
    });
    const answered = await play();
    expect(ran).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome)).toMatchObject([{ basis }, { basis }]);
    expect(toolMessage(answered, "c1").content).toContain("Tool call denied: ");
    expect(JSON.stringify(answered.messages)).not.toContain("hunter2");
  });

  it("P6 sees what the schema makes of the arguments, and the tool gets just that", async () => {
    const { ran, tools } = mailTools();
    const asked: unknown[][] = [];
    const { play } = scene({
      tools,
      turns: [[asks("c1", "send", { to: " ann ", other: 1 })]],
      guardrails: [recorder(asked)],
    });
    await play();
    expect(asked).toEqual([["c1", { to: "ann", urgent: false }]]);
    expect(ran).toEqual([["send", { to: "ann", urgent: false }]]);
  });

  it("P6 that rewrites to what the schema refuses runs nothing", async () => {
    const { ran, tools } = mailTools();
    const guard: GuardrailProvider = { name: "bad", evaluate: () => modify({ to: 7 }) };
    const { play } = scene({ tools, turns: [[turn[0] as never]], guardrails: [guard] });
    expect(read(await play())["c1"]).toContain("do not match its schema at /to: expected string");
    expect(ran).toEqual([]);
  });

  it("P3 that has no say about a tool does not let it run", async () => {
    const { ran, tools } = mailTools();
    const { play } = scene({ tools, turns: [turn], guardrails: [] });
    expect(read(await play())["c1"]).toContain("no guardrail judged tool 'send'");
    expect(ran).toEqual([]);
  });
});

describe.each(ways)("a call in %s", (_, scene) => {
  it("of a tool that is not there is answered and on record, whoever allows it", async () => {
    const observer = recordingObserver();
    const { play } = scene({
      tools: mailTools().tools,
      turns: [[asks("c1", "constructor", {})]],
      guardrails: [allowAll()],
      observers: [observer],
    });
    expect(read(await play())).toEqual({ c1: "Tool 'constructor' not found." });
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["not_found"]);
  });

  it("P10 that has the id of an earlier one of its turn is denied", async () => {
    const ran: unknown[] = [];
    const observer = recordingObserver();
    const note = toolOf("note", (args) => ran.push(args) && "noted");
    const twice = [asks("c1", "note", { n: 1 }), asks("c1", "note", { n: 2 })];
    const { play } = scene({
      tools: [note],
      turns: [twice],
      guardrails: [allowAll()],
      observers: [observer],
    });
    await play();
    expect(ran).toEqual([{ n: 1 }]);
    const statuses = observer.records.map(({ outcome }) => outcome?.status);
    expect(statuses.sort()).toEqual(["denied", "executed"]);
  });

  it("P10 that is alike to the last argument to another of its id is denied, as that one is", async () => {
    const ran: unknown[] = [];
    const note = toolOf("note", (args) => ran.push(args) && "noted");
    const alike = [asks("c1", "note", { n: 1 }), asks("c1", "note", { n: 1 })];
    const { play } = scene({ tools: [note], turns: [alike], guardrails: [allowAll()] });
    await play();
    expect(ran.length).toBeLessThan(2);
  });
});

describe("a call of an agent", () => {
  it("P10 may have the id of one of an earlier turn, also in one thread", async () => {
    const ran: unknown[] = [];
    const note = toolOf("note", (args) => ran.push(args) && "noted");
    const turns = [[asks("c1", "note", { n: 1 })], [asks("c1", "note", { n: 2 })]];
    const checkpointer = new MemorySaver();
    const { play } = sceneOf({ tools: [note], turns, guardrails: [allowAll()], checkpointer });
    const thread = { configurable: { thread_id: "t1" } };
    await play(thread);
    const { messages } = await play(thread);
    expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
    expect(messages.map((message) => message.getType())).toEqual([
      ...["human", "ai", "tool", "ai"],
      ...["human", "ai", "tool", "ai"],
    ]);
  });
});

describe.each(ways)("an abort in %s", (_, scene) => {
  const reason = new Error("enough");

  it("P4 before runs nothing", async () => {
    const { ran, tools } = mailTools();
    const { play } = scene({ tools, turns: [turn], guardrails: [allowAll()] });
    await expect(play({ signal: AbortSignal.abort(reason) })).rejects.toThrow();
    expect(ran).toEqual([]);
  });

  it("P4 while a guard decides runs nothing", async () => {
    const { ran, tools } = mailTools();
    const caller = new AbortController();
    const observer = recordingObserver();
    const guard: GuardrailProvider = {
      name: "slow",
      evaluate: async () => {
        caller.abort(reason);
        return allow();
      },
    };
    const { play } = scene({
      tools,
      turns: [[turn[0] as never]],
      guardrails: [guard],
      observers: [observer],
    });
    await expect(play({ signal: caller.signal })).rejects.toThrow();
    expect(ran).toEqual([]);
  });

  it("P4 while the tool runs reaches it, and the call is on record as aborted", async () => {
    const caller = new AbortController();
    let settled = (_: unknown): void => {};
    const record = new Promise((resolve) => (settled = resolve));
    const observer = {
      name: "observer",
      settle: (each: { outcome?: { status: string } | undefined }) => settled(each.outcome?.status),
    };
    let heard = false;
    const slow = toolOf("slow", async (_, { signal }: { signal: AbortSignal }) => {
      const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
      caller.abort(reason);
      await left;
      heard = true;
      return "too late";
    });
    const { play } = scene({
      tools: [slow],
      turns: [[asks("c1", "slow")]],
      guardrails: [allowAll()],
      observers: [observer],
    });
    await expect(play({ signal: caller.signal })).rejects.toThrow();
    expect(await record).toBe("aborted");
    expect(heard).toBe(true);
  });

  it("after leaves the call as it was", async () => {
    const { ran, tools } = mailTools();
    const caller = new AbortController();
    const { play } = scene({ tools, turns: [[turn[0] as never]], guardrails: [allowAll()] });
    const answered = await play({ signal: caller.signal });
    caller.abort(reason);
    expect(read(answered)).toEqual({ c1: "Sent to thief." });
    expect(ran).toHaveLength(1);
  });
});
