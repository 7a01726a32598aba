import { Command, MemorySaver } from "@langchain/langgraph";
import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { AIMessage } from "langchain";
import { describe, expect, it } from "vitest";
import {
  type Answered,
  asks,
  type Call,
  read,
  type Setting,
  sceneOf,
  toolMessage,
  ways,
} from "./support/agents.js";
import { toolOf } from "./support/tools.js";

/** Payments above 100 EUR need somebody's approval. */
const limit: GuardrailProvider = {
  name: "limit",
  evaluate: ({ args }) =>
    Number(args["cents"]) > 10_000
      ? deny("above 100 EUR", { code: "large", approval: { summary: "A payment above 100 EUR" } })
      : allow(),
};
const large = asks("c1", "pay", { cents: 990_000 });
const thread = { configurable: { thread_id: "t1" } };

function payments(turns: readonly Call[][] = [[large]], more: Partial<Setting> = {}) {
  const ran: unknown[] = [];
  const pay = toolOf("pay", async (args) => {
    ran.push(args);
    return "paid";
  });
  const approver = approvals({ store: memoryStore() });
  const observer = recordingObserver();
  const setting: Setting = {
    tools: [pay],
    turns,
    guardrails: [limit],
    approver,
    observers: [observer],
    checkpointer: new MemorySaver(),
    ...more,
  };
  return { ran, approver, observer, setting };
}

const asked = ({ __interrupt__ = [] }: Answered) =>
  __interrupt__.map(({ id, value }) => ({ id, ...value }) as { id: string; approvalId: string });
const statuses = (observer: ReturnType<typeof recordingObserver>) =>
  observer.records.map(({ outcome }) => outcome?.status);

describe.each(ways)("a denial that can be lifted, in %s", (_, scene) => {
  it("P9 interrupts the graph, and the call runs once when somebody has said yes", async () => {
    const { ran, approver, observer, setting } = payments();
    const { graph, play } = scene(setting);
    const waiting = await play(thread);
    const [question] = asked(waiting);
    expect(question).toMatchObject({
      type: "tool_approval",
      callId: "c1",
      toolName: "pay",
      args: { cents: 990_000 },
      summary: "A payment above 100 EUR",
      reason: "above 100 EUR",
      deniedBy: "limit",
      code: "large",
    });
    expect(ran).toEqual([]);
    const { records } = await approver.list();
    expect(records).toMatchObject([{ question: { callId: "c1", context: { sessionId: "t1" } } }]);

    const answer = { approvalId: question?.approvalId, decision: "approved", by: "ann" };
    const answered = await graph.invoke(new Command({ resume: answer }), thread);
    expect(ran).toEqual([{ cents: 990_000 }]);
    expect(read(answered)).toEqual({ c1: "paid" });
    expect(statuses(observer)).toEqual(["denied", "executed"]);
    expect(new Set(observer.records.map(({ runId }) => runId)).size).toBe(1);
    expect((await approver.list()).records).toEqual([]);
  });

  it("P9 stands where somebody says no, the model reads why, and the record says who", async () => {
    const { ran, approver, observer, setting } = payments();
    const { graph, play } = scene(setting);
    const [question] = asked(await play(thread));
    const answer = {
      approvalId: question?.approvalId,
      decision: "denied",
      by: "ann",
      reason: "ask for an invoice first",
    };
    const answered = await graph.invoke(new Command({ resume: answer }), thread);
    expect(ran).toEqual([]);
    expect(toolMessage(answered, "c1")).toMatchObject({
      content: "Tool call denied: above 100 EUR; ask for an invoice first",
      status: "error",
    });
    expect(statuses(observer)).toEqual(["denied", "denied"]);
    expect(JSON.stringify(observer.records[1]?.decisions)).toContain("was refused by 'ann'");
    expect((await approver.list()).records).toEqual([]);
  });

  it("P9 may be answered at the approver, and the graph is then told to go on", async () => {
    const { ran, approver, setting } = payments();
    const { graph, play } = scene(setting);
    const [question] = asked(await play(thread));
    const approvalId = question?.approvalId ?? "";
    await approver.answer(approvalId, { decision: "approved", by: "ann" });
    await graph.invoke(new Command({ resume: { approvalId } }), thread);
    expect(ran).toEqual([{ cents: 990_000 }]);
  });

  it("P9 stands where somebody says no at the approver, and the model reads why", async () => {
    const { ran, approver, setting } = payments();
    const { graph, play } = scene(setting);
    const [question] = asked(await play(thread));
    const approvalId = question?.approvalId ?? "";
    await approver.answer(approvalId, { decision: "denied", by: "ann", reason: "not this month" });
    const answered = await graph.invoke(new Command({ resume: { approvalId } }), thread);
    expect(ran).toEqual([]);
    expect(toolMessage(answered, "c1").content).toBe(
      "Tool call denied: above 100 EUR; not this month",
    );
    expect(approver.statistics()).toMatchObject({ questions: 1 });
  });

  it.each<[string, (approvalId: string) => unknown]>([
    ["true", () => true],
    ["a word", () => "approved"],
    ["of no approval", () => ({ decision: "approved", by: "ann" })],
    [
      "of another approval",
      () => ({ approvalId: "a".repeat(20), decision: "approved", by: "ann" }),
    ],
    ["by nobody", (approvalId) => ({ approvalId, decision: "approved" })],
    ["that is no decision", (approvalId) => ({ approvalId, decision: "yes", by: "ann" })],
    ["that nobody gave the approver", (approvalId) => ({ approvalId })],
    [
      "that is inherited",
      (approvalId) => Object.create({ approvalId, decision: "approved", by: "ann" }),
    ],
  ])("P9 is not lifted by an answer %s", async (_, answerOf) => {
    const { ran, setting } = payments();
    const { graph, play } = scene(setting);
    const [question] = asked(await play(thread));
    const resume = answerOf(question?.approvalId ?? "");
    const answered = await graph.invoke(new Command({ resume }), thread);
    expect(ran).toEqual([]);
    expect(toolMessage(answered, "c1").content).toContain("Tool call denied: ");
  });

  it("P9 is not lifted by the approval of another call", async () => {
    const { ran, approver, setting } = payments([[asks("c1", "pay", { cents: 20_000 })]]);
    const [other] = asked(await scene(setting).play({ configurable: { thread_id: "other" } }));
    const approvalId = other?.approvalId ?? "";
    await approver.answer(approvalId, { decision: "approved", by: "ann" });
    const { graph, play } = scene({ ...setting, turns: [[large]] });
    expect(asked(await play(thread))).toHaveLength(1);
    const answered = await graph.invoke(new Command({ resume: { approvalId } }), thread);
    expect(ran).toEqual([]);
    expect(toolMessage(answered, "c1").content).toContain("Tool call denied: ");
  });

  it("P9 is asked about once, and lifted, where another process takes the graph up again", async () => {
    const { ran, approver, observer, setting } = payments();
    const [question] = asked(await scene(setting).play(thread));
    const answer = { approvalId: question?.approvalId, decision: "approved", by: "ann" };
    const elsewhere = scene({ ...setting, turns: [] });
    elsewhere.model.respond(new AIMessage("done"));
    await elsewhere.graph.invoke(new Command({ resume: answer }), thread);
    expect(ran).toEqual([{ cents: 990_000 }]);
    expect(statuses(observer)).toEqual(["denied", "executed"]);
    expect(approver.statistics()).toMatchObject({ prompts: 1 });
  });

  it("P9 is lifted also where each pass is another trace", async () => {
    let traces = 0;
    const { ran, setting } = payments([[large]], {
      describe: () => ({ context: { sessionId: "s1", traceparent: `trace ${traces++}` } }),
    });
    const { graph, play } = scene(setting);
    const [question] = asked(await play(thread));
    const resume = { approvalId: question?.approvalId, decision: "approved", by: "ann" };
    await graph.invoke(new Command({ resume }), thread);
    expect(ran).toEqual([{ cents: 990_000 }]);
    expect(traces).toBe(2);
  });

  it("P9 of one thread answers no question of another, though it is alike", async () => {
    const describe = () => ({ context: { principal: "ann" } });
    const { approver, setting } = payments([[large]], { describe });
    const [first] = asked(await scene(setting).play(thread));
    const { graph, play } = scene({ ...setting, turns: [[large]] });
    const other = { configurable: { thread_id: "t2" } };
    const [second] = asked(await play(other));
    expect(second?.approvalId).not.toBe(first?.approvalId);
    const resume = { approvalId: second?.approvalId, decision: "approved", by: "ann" };
    await graph.invoke(new Command({ resume }), other);
    const { records } = await approver.list();
    expect(records).toMatchObject([{ id: first?.approvalId }]);
    expect(records[0]?.answer).toBeUndefined();
  });

  it("P9 stands where nothing keeps the state of the graph", async () => {
    const { ran, setting } = payments();
    const { checkpointer: _, ...without } = setting;
    const answered = await scene(without).play(thread);
    expect(ran).toEqual([]);
    expect(read(answered)["c1"]).toContain("above 100 EUR; an approval has been asked for");
  });

  it("P9 needs each of two approvals that two guards ask for", async () => {
    const night: GuardrailProvider = {
      name: "night",
      evaluate: () => deny("it is night", { approval: { summary: "A payment at night" } }),
    };
    const { ran, observer, setting } = payments([[large]], { guardrails: [limit, night] });
    const { graph, play } = scene(setting);
    let answered = await play(thread);
    const summaries: unknown[] = [];
    for (let left = 2; left > 0; left--) {
      expect(ran).toEqual([]);
      const [question] = asked(answered);
      summaries.push((question as unknown as { summary: string }).summary);
      const resume = { approvalId: question?.approvalId, decision: "approved", by: "ann" };
      answered = await graph.invoke(new Command({ resume }), thread);
    }
    expect(summaries).toEqual(["A payment above 100 EUR", "A payment at night"]);
    expect(ran).toEqual([{ cents: 990_000 }]);
    expect(read(answered)).toEqual({ c1: "paid" });
    expect(new Set(observer.records.map(({ runId }) => runId)).size).toBe(1);
  });

  it("P9 counts for the arguments as the guards had left them", async () => {
    const cents = (most: number): GuardrailProvider => ({
      name: "most",
      evaluate: ({ args }) => (Number(args["cents"]) > most ? modify({ cents: most }) : allow()),
    });
    const { ran, setting } = payments([[large]], { guardrails: [cents(50_000), limit] });
    const { graph, play } = scene(setting);
    const [question] = asked(await play(thread));
    expect(question).toMatchObject({ args: { cents: 50_000 } });
    const resume = { approvalId: question?.approvalId, decision: "approved", by: "ann" };
    await graph.invoke(new Command({ resume }), thread);
    expect(ran).toEqual([{ cents: 50_000 }]);
  });
});

describe("two calls of one turn that need an approval", () => {
  const two = [large, asks("c2", "pay", { cents: 880_000 }), asks("c3", "pay", { cents: 5 })];

  it("P9 are asked about at once, each once, and each runs by its own", async () => {
    const { ran, approver, observer, setting } = payments([two]);
    const { graph, play } = sceneOf(setting);
    const questions = asked(await play(thread));
    expect(questions).toHaveLength(2);
    expect(ran).toEqual([{ cents: 5 }]);

    const [second, first] = questions.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const resume = (question = second) => ({
      [question?.id ?? ""]: { approvalId: question?.approvalId, decision: "approved", by: "ann" },
    });
    const again = await graph.invoke(new Command({ resume: resume() }), thread);
    expect(ran).toHaveLength(2);
    expect(asked(again).map(({ approvalId }) => approvalId)).toEqual([first?.approvalId]);
    expect(approver.statistics()).toMatchObject({ questions: 2 });

    const answered = await graph.invoke(new Command({ resume: resume(first) }), thread);
    expect(read(answered)).toEqual({ c1: "paid", c2: "paid", c3: "paid" });
    expect(ran).toHaveLength(3);
    expect(statuses(observer).sort()).toEqual([
      ...["denied", "denied"],
      ...["executed", "executed", "executed"],
    ]);
  });

  it.each<[string, boolean]>([
    ["this process", false],
    ["another process", true],
  ])(
    "P9 wait each for its own answer: one that the graph hands to both stops neither, in %s",
    async (_, isElsewhere) => {
      const { ran, setting } = payments([two]);
      const here = sceneOf(setting);
      const questions = asked(await here.play(thread));
      const of = (callId: string, all = questions) =>
        all.find((each) => (each as { callId?: string }).callId === callId)?.approvalId;
      let graph = here.graph;
      if (isElsewhere) {
        const other = sceneOf({ ...setting, turns: [] });
        other.model.respond(new AIMessage("done"));
        graph = other.graph;
      }
      const approved = { approvalId: of("c2"), decision: "approved", by: "ann" };
      const again = await graph.invoke(new Command({ resume: approved }), thread);
      expect(ran).toEqual([{ cents: 5 }, { cents: 880_000 }]);
      expect(asked(again)).toMatchObject([{ callId: "c1" }]);

      const denied = {
        approvalId: of("c1", asked(again)),
        decision: "denied",
        by: "ann",
        reason: "no",
      };
      const answered = await graph.invoke(new Command({ resume: denied }), thread);
      expect(read(answered)).toEqual({
        c1: "Tool call denied: above 100 EUR; no",
        c2: "paid",
        c3: "paid",
      });
      expect(ran).toHaveLength(2);
    },
  );

  it.each(ways.slice(1))(
    "P10 in one node are denied, as no call may be run again: %s",
    async (_, scene) => {
      const { ran, setting } = payments([two]);
      const answered = await scene(setting).play(thread);
      expect(ran).toEqual([{ cents: 5 }]);
      expect(read(answered)["c1"]).toContain("an approval has been asked for");
    },
  );
});

describe("an approver that answers at once", () => {
  it("P9 lifts the denial without an interrupt", async () => {
    const approver = approvals({
      store: memoryStore(),
      ask: { name: "ann", ask: async () => ({ decision: "approved", by: "ann" }) },
    });
    const { ran, setting } = payments([[large]], { approver });
    const answered = await sceneOf(setting).play(thread);
    expect(asked(answered)).toEqual([]);
    expect(ran).toEqual([{ cents: 990_000 }]);
  });
});
