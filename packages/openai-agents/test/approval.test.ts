import { Agent, type FunctionTool, RunContext, RunState, tool } from "@openai/agents";
import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { asking, read, runner } from "./scripted-run.js";

/** Payments above 100 EUR need somebody's approval. */
const limit: GuardrailProvider = {
  name: "limit",
  evaluate: ({ args }) =>
    Number(args["cents"]) > 10_000
      ? deny("above 100 EUR", { code: "large", approval: { summary: "A payment above 100 EUR" } })
      : allow(),
};

function payments(
  needsApproval = false,
  describe: () => object = () => ({
    context: { sessionId: "s1", traceparent: crypto.randomUUID() },
  }),
  store = memoryStore(),
  parameters: z.ZodObject = z.object({
    cents: z.number(),
    currency: z.string().default("EUR"),
  }),
) {
  const ran: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    parameters,
    needsApproval,
    execute: (args) => {
      ran.push(args);
      return "paid";
    },
  });
  const approver = approvals({ store });
  const observer = recordingObserver();
  const tools = guardTools([pay], {
    guardrails: [limit],
    approver,
    observers: [observer],
    unchecked: true,
    requestApproval: true,
    describe,
  });
  return { ran, approver, observer, agent: new Agent({ name: "support", tools }) };
}

const large = [["pay", { cents: 99_000 }, "c1"]] as const;

/** The run goes on, from its text, once the framework's user has said yes. */
async function goOn(agent: Agent, model: ReturnType<typeof asking>, text: string) {
  const state = await RunState.fromString(agent, text);
  for (const item of state.getInterruptions()) state.approve(item);
  return runner(model).run(agent, state);
}

describe("a denial that can be lifted, with requestApproval", () => {
  it("P9 interrupts the run, and runs the call once after both said yes", async () => {
    const { ran, approver, observer, agent } = payments();
    const model = asking(large);
    const interrupted = await runner(model).run(agent, "go");
    expect(interrupted.interruptions).toHaveLength(1);
    expect(ran).toEqual([]);

    const { records } = await approver.list();
    expect(records).toMatchObject([{ question: { args: { cents: 99_000 }, callId: "c1" } }]);
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    await goOn(agent, model, interrupted.state.toString());
    expect(ran).toEqual([{ cents: 99_000, currency: "EUR" }]);
    expect(read(model)).toEqual({ c1: "paid" });
    const runs = observer.records.map(({ runId, outcome }) => [runId, outcome?.status]);
    expect(runs.map(([, status]) => status)).toEqual(["denied", "executed"]);
    expect(new Set(runs.map(([runId]) => runId)).size).toBe(1);
  });

  it("P9 is not lifted by the framework's user alone: the model reads why", async () => {
    const { ran, agent } = payments();
    const model = asking(large);
    const interrupted = await runner(model).run(agent, "go");
    await goOn(agent, model, interrupted.state.toString());
    expect(ran).toEqual([]);
    expect(read(model)["c1"]).toContain("Tool call denied: above 100 EUR");
  });

  it("P9 runs the call once in another process that has the same store", async () => {
    const store = memoryStore();
    const model = asking(large);
    const { state } = await runner(model).run(payments(false, undefined, store).agent, "go");
    const other = payments(false, undefined, store);
    const { records } = await other.approver.list();
    await other.approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    await goOn(other.agent, model, state.toString());
    expect(other.ran).toEqual([{ cents: 99_000, currency: "EUR" }]);
    expect(read(model)).toEqual({ c1: "paid" });
    expect((await other.approver.list()).records).toEqual([]);
  });

  it.each([
    ["this process", false],
    ["another", true],
  ])(
    "P9 is refused for good by the approver's no, whose reason the model reads, in %s",
    async (_, isElsewhere) => {
      const store = memoryStore();
      const { ran, approver, agent } = payments(false, undefined, store);
      const model = asking(large);
      const { state } = await runner(model).run(agent, "go");
      const { records } = await approver.list();
      const no = { decision: "denied", by: "ann", reason: "the account is closed" } as const;
      await approver.answer(records[0]?.id ?? "", no);
      const elsewhere = payments(false, undefined, store);
      await goOn(isElsewhere ? elsewhere.agent : agent, model, state.toString());
      expect([...ran, ...elsewhere.ran]).toEqual([]);
      expect(read(model)).toEqual({
        c1: "Tool call denied: above 100 EUR; the account is closed",
      });
      expect((await approver.list()).records).toEqual([]);
    },
  );

  it("P9 is bound to its arguments: a later call of the same id and other arguments asks anew", async () => {
    const { ran, approver, agent } = payments();
    const first = await runner(asking(large)).run(agent, "go");
    expect(first.interruptions).toHaveLength(1);
    const { records } = await approver.list();
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });

    const model = asking([["pay", { cents: 88_000 }, "c1"]]);
    const second = await runner(model).run(agent, "go");
    expect(second.interruptions).toHaveLength(1);
    await goOn(agent, model, second.state.toString());
    expect(ran).toEqual([]);
  });

  it("P6 P9 of a call that never ran does not make a later one of its id run with its arguments", async () => {
    const { ran, approver, agent } = payments();
    await runner(asking(large)).run(agent, "go");
    const { records } = await approver.list();
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    await runner(asking([["pay", { cents: 5 }, "c1"]])).run(agent, "go");
    expect(ran).toEqual([{ cents: 5, currency: "EUR" }]);
  });

  it("P6 P9 nor one that runs without having been asked about, as its tool is approved for the whole run", async () => {
    const { ran, approver, agent } = payments();
    const model = asking(large, [["pay", { cents: 5 }, "c2"]]);
    const { state } = await runner(model).run(agent, "go");
    // Another conversation, of which nobody hears again.
    await runner(asking([["pay", { cents: 88_000 }, "c2"]])).run(agent, "go");
    const { records } = await approver.list();
    for (const { id } of records) await approver.answer(id, { decision: "approved", by: "ann" });
    for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: true });
    await runner(model).run(agent, state);
    expect(ran).toEqual([99_000, 5].map((cents) => ({ cents, currency: "EUR" })));
  });

  it("P6 P9 nor one that leaves out what was approved in another run, where the schema has a default for it", async () => {
    const parameters = z.object({ cents: z.number().default(5) });
    const { ran, approver, agent } = payments(false, undefined, undefined, parameters);
    await runner(asking([["pay", { cents: 88_000 }, "c2"]])).run(agent, "go");
    const model = asking(large, [["pay", {}, "c2"]]);
    const { state } = await runner(model).run(agent, "go");
    const { records } = await approver.list();
    for (const { id } of records) await approver.answer(id, { decision: "approved", by: "ann" });
    for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: true });
    await runner(model).run(agent, state);
    expect(ran).toEqual([{ cents: 99_000 }, { cents: 5 }]);
  });

  it("P6 P9 nor another of its own run, whichever was asked about first", async () => {
    const { ran, approver, agent } = payments();
    const [pay] = agent.tools as FunctionTool[];
    const context = new RunContext({});
    expect(await pay?.needsApproval(context, { cents: 99_000 } as never, "c1")).toBe(true);
    const { records } = await approver.list();
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    expect(await pay?.needsApproval(context, { cents: 5 } as never, "c1")).toBe(false);
    const toolCall = { type: "function_call", callId: "c1", name: "pay", arguments: "" } as const;
    await pay?.invoke(context, JSON.stringify({ cents: 5 }), { toolCall });
    expect(ran).toEqual([{ cents: 5, currency: "EUR" }]);
  });

  it("P1 denies a call of which the host's facts cannot be read, while another waits", async () => {
    let facts: () => object = () => ({ context: { sessionId: "s1" } });
    const { ran, agent } = payments(false, () => facts());
    await runner(asking(large)).run(agent, "go");
    facts = () => {
      throw new Error("no session");
    };
    const model = asking([["pay", { cents: 5 }, "c2"]]);
    await runner(model).run(agent, "go");
    expect(read(model)["c2"]).toContain("context cannot be read");
    expect(ran).toEqual([]);
  });

  it("interrupts nothing that the guards let pass, unless the tool itself asks", async () => {
    for (const own of [false, true]) {
      const { ran, agent } = payments(own);
      const small = asking([["pay", { cents: 5 }, "c1"]]);
      const { interruptions } = await runner(small).run(agent, "go");
      expect(interruptions).toHaveLength(own ? 1 : 0);
      expect(ran).toHaveLength(own ? 0 : 1);
    }
  });

  it("P5 needs an approver, and true or false", () => {
    const options = { guardrails: [limit], unchecked: true };
    const guard = (more: object) => () => guardTools([], { ...options, ...more });
    expect(guard({ requestApproval: true })).toThrow("'approver' must be an object with");
    expect(guard({ requestApproval: "yes" })).toThrow("must be a boolean, received string");
  });
});
