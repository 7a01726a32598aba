import { allow, type Deny, deny, ToolRunner, tool } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { expect, it } from "vitest";
import { type ApprovalStore, approvals, byFunction, fileStore, memoryStore } from "../src/index.js";
import type { PromptAnswer } from "../src/prompt/prompt.js";
import { temporaryFolder } from "./temporary.js";

const yes = { decision: "approved", by: "ann" } as const;

function agent(store: ApprovalStore, answer?: () => PromptAnswer, policyVersion = "1") {
  const ran: unknown[] = [];
  const desk = approvals({
    store,
    clock: fakeClock(0),
    ...(answer === undefined ? {} : { ask: byFunction(answer) }),
  });
  const runner = new ToolRunner({
    tools: [tool({ name: "transfer", execute: (args: unknown) => ran.push(args) })],
    guardrails: [
      {
        name: "limits",
        evaluate: ({ args }) =>
          Number(args["amount"]) > 100
            ? deny("above 100", { code: "over_limit", approval: { summary: "A large transfer" } })
            : allow(),
      },
    ],
    observers: [desk.observer],
    approver: desk,
    policyVersion,
  });
  return { ran, desk, runner };
}

const call = { name: "transfer", arguments: { to: "Bob", amount: 9999 }, callId: "call_1" };
const said = {
  agentName: "payments",
  context: { sessionId: "s1", principal: "ann", attributes: { desk: 7 } },
};

it("P9 runs once what somebody approves, and not what they deny", async () => {
  const approved = agent(memoryStore(), () => yes);
  expect((await approved.runner.run(call, said)).status).toBe("executed");
  expect(approved.ran).toEqual([call.arguments]);
  expect(approved.desk.statistics()).toMatchObject({ used: 1, calls: 1, promptsPer100Calls: 100 });
  const denied = agent(memoryStore(), () => ({ ...yes, decision: "denied" }));
  expect(await denied.runner.run(call, said)).toMatchObject({
    status: "denied",
    basis: "approval",
  });
  expect(denied.ran).toEqual([]);
});

it("P9 resumes after a restart what was approved in the meantime, once among eight", async () => {
  const folder = temporaryFolder();
  const outcome = await agent(fileStore(folder)).runner.run(call, said);
  expect(outcome).toMatchObject({ status: "denied", basis: "approval" });
  const id = outcome.status === "denied" ? (outcome.approvalId ?? "") : "";

  const restarted = agent(fileStore(folder));
  await expect(restarted.runner.resume(id)).rejects.toThrow();
  expect((await restarted.desk.answer(id, yes)).answered).toEqual([id]);
  const others = Array.from({ length: 7 }, () => agent(fileStore(folder)));
  const all = [restarted, ...others];
  const outcomes = await Promise.allSettled(all.map(({ runner }) => runner.resume(id)));
  const executed = outcomes.filter(
    (each) => each.status === "fulfilled" && each.value.status === "executed",
  );
  expect(executed).toHaveLength(1);
  expect(executed[0]).toMatchObject({ value: { runId: outcome.runId } });
  expect(all.flatMap(({ ran }) => ran)).toEqual([call.arguments]);
  await expect(restarted.runner.resume(id)).rejects.toThrow();
});

it("P9 does not resume under another version of the policy", async () => {
  const store = memoryStore();
  const outcome = await agent(store).runner.run(call, said);
  const id = outcome.status === "denied" ? (outcome.approvalId ?? "") : "";
  const later = agent(store, undefined, "2");
  await later.desk.answer(id, yes);
  expect(await later.runner.resume(id)).toMatchObject({ status: "denied", basis: "approval" });
  expect(later.ran).toEqual([]);
});

it("P9 does not run by a yes to something else what the same guard has come to say", async () => {
  const denials: readonly Deny[] = [
    deny("above 100", { approval: { summary: "A large transfer" } }),
    deny("deletes everything", { approval: { summary: "A large transfer" } }),
    deny("above 100", { approval: { summary: "Erase all" } }),
    deny("above 100"),
  ];
  for (const later of denials) {
    let says = denials[0] as Deny;
    const ran: unknown[] = [];
    const desk = approvals({ store: memoryStore(), clock: fakeClock(0) });
    const runner = new ToolRunner({
      tools: [tool({ name: "transfer", execute: (args: unknown) => ran.push(args) })],
      guardrails: [{ name: "limits", evaluate: () => says }],
      approver: desk,
    });
    const asked = await runner.run(call, said);
    const id = asked.status === "denied" ? (asked.approvalId ?? "") : "";
    await desk.answer(id, yes);
    says = later;
    const outcome = await runner.resume(id);
    expect(outcome.status).toBe(later === denials[0] ? "executed" : "denied");
    expect(ran).toHaveLength(later === denials[0] ? 1 : 0);
    // What is another question waits for an answer of its own; what is none takes no answer.
    const { records } = await desk.list();
    const pending = records.filter(({ answer }) => answer === undefined);
    const isAnother = later !== denials[0] && later.approval !== undefined;
    expect(pending.map(({ question }) => question.reason)).toEqual(isAnother ? [later.reason] : []);
  }
});

it("tells the application where an approval stands, who answered it and why", async () => {
  const { desk, runner } = agent(memoryStore());
  const asked = await runner.run(call, said);
  const id = asked.status === "denied" ? (asked.approvalId ?? "") : "";
  expect(await desk.read(id)).toMatchObject({ state: "pending", record: { id } });

  await desk.answer(id, { decision: "denied", by: "bob", reason: "ask me on Monday" });
  const answer = { decision: "denied", by: "bob", reason: "ask me on Monday" };
  expect(await desk.read(id)).toMatchObject({ state: "denied", record: { answer } });
  expect(await desk.read("no such id")).toEqual({ state: "unknown" });
});

it("P9 P15 leaves in the record of a call who approved it, and by which approval", async () => {
  const { desk, runner } = agent(memoryStore());
  const asked = await runner.run(call, said);
  const id = asked.status === "denied" ? (asked.approvalId ?? "") : "";
  await desk.answer(id, { decision: "approved", by: "bob" });
  const { status, decisions } = await runner.resume(id);
  expect(status).toBe("executed");
  expect(decisions).toContainEqual({
    provider: desk.name,
    phase: "admit",
    decision: "allow",
    basis: "approval",
    reason: `approval '${id}' by 'bob'`,
  });
  expect(await desk.read(id)).toMatchObject({ state: "used", record: { answer: { by: "bob" } } });
});
