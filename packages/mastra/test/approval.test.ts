import { Mastra } from "@mastra/core";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, type Fault, type GuardrailProvider } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { type Asked, agentOf, asking, readBy } from "./scripted.js";

const limit: GuardrailProvider = {
  name: "limit",
  evaluate: ({ args }) =>
    Number(args.cents) > 5_000
      ? deny("above 50 EUR", { code: "large", approval: { summary: "A large payment" } })
      : allow(),
};

/** An agent that pays, of an application that keeps suspended runs. */
function paying(
  guardrails: readonly GuardrailProvider[] = [limit],
  { recall, onFault }: { recall?: () => never; onFault?: (fault: Fault) => void } = {},
  calls: readonly Asked[] = [["pay", { cents: 9_900 }, "c1"]],
) {
  const paid: [input: unknown, resumed: unknown][] = [];
  const pay = createTool({
    id: "pay",
    description: "Pay.",
    inputSchema: z.object({ cents: z.number() }),
    execute: async (input, context) => {
      paid.push([input, context.agent?.resumeData]);
      return { paid: true };
    },
  });
  const approver = approvals({ store: memoryStore() });
  const observer = recordingObserver();
  const model = asking(calls);
  const asked = recall === undefined ? approver : { ...approver, recall };
  const guarding = { guardrails, approver: asked, observers: [observer], onFault };
  const tools = guardTools({ pay }, { ...guarding, requestApproval: true });
  const agent = agentOf(model, { tools });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return { agent, approver, model, observer, paid };
}

/** The run of such an agent until it waits. */
async function waiting(of: ReturnType<typeof paying>) {
  const { runId, suspendPayload, finishReason } = await of.agent.generate("pay");
  const pending = (await suspendPayload) as {
    suspendPayload: { pendingApproval: { approvalId: string; toolName: string; reason: string } };
  };
  return { runId: runId as string, finishReason, ...pending.suspendPayload.pendingApproval };
}

describe("an approval", () => {
  it("P9 suspends the agent's run, and lets the call run once somebody has approved it", async () => {
    const of = paying();
    const { runId, approvalId, finishReason, reason, toolName } = await waiting(of);
    expect([finishReason, toolName, reason]).toEqual([
      "suspended",
      "pay",
      expect.stringContaining("above 50 EUR"),
    ]);
    expect(of.paid).toEqual([]);
    await of.approver.answer(approvalId, { decision: "approved", by: "ann" });
    const result = await of.agent.resumeGenerate({ go: true }, { runId, toolCallId: "c1" });
    expect(await result.text).toBe("done");
    // The tool was not suspended itself, and is told of no resumption.
    expect(of.paid).toEqual([[{ cents: 9_900 }, undefined]]);
    expect(readBy(of.model).c1).toEqual({ paid: true });
    expect(of.observer.records.map(({ outcome }) => outcome?.status)).toEqual([
      "denied",
      "executed",
    ]);
  });

  it("P9 of one denial suspends the run again for another", async () => {
    const second: GuardrailProvider = {
      name: "night",
      evaluate: () => deny("it is night", { approval: { summary: "A payment at night" } }),
    };
    const of = paying([limit, second]);
    const first = await waiting(of);
    await of.approver.answer(first.approvalId, { decision: "approved", by: "ann" });
    const options = { runId: first.runId, toolCallId: "c1" };
    const again = await of.agent.resumeGenerate({}, options);
    expect(again.finishReason).toBe("suspended");
    expect(of.paid).toEqual([]);
    const { records } = await of.approver.list();
    const other = records.find(({ id }) => id !== first.approvalId);
    await of.approver.answer(other?.id ?? "", { decision: "approved", by: "bob" });
    await of.agent.resumeGenerate({}, options);
    expect(of.paid).toEqual([[{ cents: 9_900 }, undefined]]);
  });

  it.each([
    ["not answered", "it has not been approved"],
    ["denied", "above 50 EUR; the approval was refused"],
  ] as const)(
    "P9 that was %s runs nothing, whatever the run is resumed with",
    async (answer, why) => {
      const of = paying();
      const { runId, approvalId } = await waiting(of);
      if (answer === "denied")
        await of.approver.answer(approvalId, { decision: "denied", by: "ann" });
      await of.agent.resumeGenerate({ approved: true }, { runId, toolCallId: "c1" });
      expect(of.paid).toEqual([]);
      expect(readBy(of.model).c1).toBe(`error: Tool call denied: ${why}`);
    },
  );

  it("P9 that was refused is final, the model reads why, and the record says who", async () => {
    const of = paying();
    const { runId, approvalId } = await waiting(of);
    const no = { decision: "denied", by: "ann", reason: "the account is closed" } as const;
    await of.approver.answer(approvalId, no);
    await of.agent.resumeGenerate({ approved: true }, { runId, toolCallId: "c1" });
    expect(of.paid).toEqual([]);
    expect(readBy(of.model).c1).toBe(
      "error: Tool call denied: above 50 EUR; the account is closed",
    );
    const records = of.observer.records.map(({ decisions }) => decisions.at(-1)?.reason);
    expect(records).toEqual([
      `approval '${approvalId}' is pending`,
      `approval '${approvalId}' was refused by 'ann'`,
    ]);
    expect((await of.approver.list()).records).toEqual([]);
  });

  it("P9 is waited for by each of two calls of one step, and no resume ends by an error", async () => {
    const of = paying([limit], {}, [
      ["pay", { cents: 9_900 }, "c1"],
      ["pay", { cents: 8_800 }, "c2"],
    ]);
    const { runId, finishReason } = await of.agent.generate("pay both");
    const reasons = [finishReason];
    for (const toolCallId of ["c1", "c2"]) {
      for (const { id, question } of (await of.approver.list()).records) {
        if (question.callId !== toolCallId) continue;
        await of.approver.answer(id, { decision: "approved", by: "ann" });
      }
      const options = { runId: runId as string, toolCallId };
      reasons.push((await of.agent.resumeGenerate({}, options)).finishReason);
    }
    expect(reasons).toEqual(["suspended", "suspended", "stop"]);
    expect(of.paid.map(([input]) => input)).toEqual([{ cents: 9_900 }, { cents: 8_800 }]);
  });

  it("P9 of another call does not let this one run", async () => {
    const of = paying();
    const { approvalId } = await waiting(of);
    await of.approver.answer(approvalId, { decision: "approved", by: "ann" });
    const [pay] = Object.values(await of.agent.listTools());
    const suspendPayload = { pendingApproval: { approvalId } };
    const context = { agent: { toolCallId: "c2", messages: [], suspendPayload, resumeData: {} } };
    const execute = (pay as { execute: (input: object, context: object) => unknown }).execute;
    await expect(execute({ cents: 1 }, context)).rejects.toThrow("it has not been approved");
    expect(of.paid).toEqual([]);
  });

  it("P9 of another run does not let this one's call of the same id run", async () => {
    const of = paying();
    const { approvalId, runId } = await waiting(of);
    await of.approver.answer(approvalId, { decision: "approved", by: "ann" });
    const [pay] = Object.values(await of.agent.listTools());
    const suspendPayload = { pendingApproval: { approvalId } };
    const agent = { agentId: "support", toolCallId: "c1", messages: [], suspendPayload };
    const execute = (pay as { execute: (input: object, context: object) => unknown }).execute;
    const other = execute({ cents: 9_900 }, { runId: "other", agent });
    await expect(other).rejects.toThrow("it has not been approved");
    expect(of.paid).toEqual([]);
    await execute({ cents: 9_900 }, { runId, agent });
    expect(of.paid).toHaveLength(1);
  });

  it("P2 that cannot be recalled denies, and the model reads nothing of why", async () => {
    const told: unknown[] = [];
    const failing = () => {
      throw new Error("postgres://user:password@host");
    };
    const of = paying([limit], {
      recall: failing,
      onFault: ({ source, phase }) => {
        told.push([source, phase]);
        throw new Error("nor does a listener that fails change it");
      },
    });
    const { runId } = await waiting(of);
    const result = await of.agent.resumeGenerate({}, { runId, toolCallId: "c1" });
    await result.text;
    expect(readBy(of.model).c1).toBe("error: Tool call denied: it has not been approved");
    expect(told).toEqual([[of.approver.name, "approval"]]);
    expect(of.paid).toEqual([]);
  });

  it("cannot suspend where no agent runs the tool: the call is denied", async () => {
    const of = paying();
    const [pay] = Object.values(await of.agent.listTools());
    const execute = (pay as { execute: (input: object, context: object) => unknown }).execute;
    await expect(execute({ cents: 9_900 }, {})).rejects.toThrow("Tool call denied: above 50 EUR");
  });
});
