import { allow, type Clock, deny, ToolRunner, type ToolRunnerOptions, tool } from "@toolstile/core";
import { ApprovalRequests } from "@toolstile/core/host";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { approvals, memoryStore } from "../src/index.js";

const call = { name: "transfer", arguments: { amount: 9999 }, callId: "c1" };
const said = { context: { sessionId: "s1" } };

function desk(clock?: Clock) {
  const ran: unknown[] = [];
  const taken: string[] = [];
  const store = memoryStore();
  let read = store.read;
  const approver = approvals({
    store: { ...store, read: (id) => read(id) },
    maxPending: 20_000,
    clock,
  });
  const observer = recordingObserver();
  const options: ToolRunnerOptions = {
    tools: [tool({ name: "transfer", execute: (args: unknown) => ran.push(args) })],
    guardrails: [
      {
        name: "limits",
        evaluate: ({ args }) =>
          Number(args["amount"]) > 100
            ? deny("above 100", { code: "over_limit", approval: { summary: "A large transfer" } })
            : allow(),
        admit: ({ callId }) => {
          taken.push(callId);
          return allow();
        },
        settle: ({ callId }, { status }) => {
          if (status === "released") taken.splice(taken.indexOf(callId), 1);
        },
      },
    ],
    approver,
    observers: [observer],
  };
  const runner = new ToolRunner(options);
  const requests = new ApprovalRequests(options);
  const resumed = (request = call, facts: object = said) =>
    requests.resumed(request, facts, (id) => runner.resume(id));
  const failReading = () => {
    read = () => Promise.reject(new Error("out of reach"));
  };
  return { ran, failReading, approver, observer, options, requests, resumed };
}

async function approve({ approver }: ReturnType<typeof desk>): Promise<void> {
  const { records } = await approver.list();
  for (const { id } of records) await approver.answer(id, { decision: "approved", by: "ann" });
}

describe("a call that a framework asks its user about", () => {
  it("P9 is told by the summary, waits, and runs once after it was approved", async () => {
    const bank = desk();
    expect(await bank.requests.neededFor(call, said)).toMatchObject({
      summary: "A large transfer",
    });
    expect(bank.ran).toEqual([]);
    expect(await bank.resumed()).toBeUndefined();

    await approve(bank);
    expect(await bank.resumed()).toMatchObject({ status: "executed" });
    expect(bank.ran).toEqual([call.arguments]);
    expect(await bank.resumed()).toBeUndefined();
  });

  it("is asked about once, however often the framework asks", async () => {
    const bank = desk();
    await bank.requests.neededFor(call, said);
    expect(await bank.requests.neededFor(call, said)).toMatchObject({
      summary: "A large transfer",
    });
    expect((await bank.approver.list()).records).toHaveLength(1);
    expect(bank.observer.records).toHaveLength(1);
  });

  it("is asked about anew where the approval has expired, and runs once that is given", async () => {
    let now = 1_000_000;
    const bank = desk({
      now: () => now,
      setTimeout,
      clearTimeout: (timer) => clearTimeout(timer as never),
    });
    await bank.requests.neededFor(call, said);
    now += 900_000;
    expect(await bank.resumed()).toBeUndefined();
    expect(await bank.requests.neededFor(call, said)).toMatchObject({
      summary: "A large transfer",
    });
    await approve(bank);
    expect(await bank.resumed()).toMatchObject({ status: "executed" });
    expect(bank.ran).toEqual([call.arguments]);
  });

  it.each([
    ["this process", false],
    ["another", true],
  ])(
    "P9 is refused for good by a no, whose reason is the call's denial, in %s",
    async (_, isElsewhere) => {
      const bank = desk();
      await bank.requests.neededFor(call, said);
      const [first] = (await bank.approver.list()).records;
      const no = { decision: "denied", by: "ann", reason: "the account is closed" } as const;
      await bank.approver.answer(first?.id ?? "", no);
      const requests = isElsewhere ? new ApprovalRequests(bank.options) : bank.requests;
      expect(await requests.neededFor(call, said)).toMatchObject({ isRefused: true });
      const runner = new ToolRunner({ ...bank.options, approver: requests.approver });
      const outcome = await runner.run(call, said);
      expect(outcome).toMatchObject({
        status: "denied",
        reason: "above 100; the account is closed",
      });
      expect(outcome).toMatchObject({ approvalId: undefined });
      expect((await bank.approver.list()).records).toEqual([]);
      expect(bank.approver.statistics()).toMatchObject({ questions: 1 });
    },
  );

  it("P9 runs once where another process asked about it, found by its session", async () => {
    const bank = desk();
    await bank.requests.neededFor(call, said);
    await approve(bank);
    const other = new ApprovalRequests(bank.options);
    const runner = new ToolRunner({ ...bank.options, approver: other.approver });
    const outcome = await runner.run(call, said);
    expect(outcome).toMatchObject({ status: "denied" });
    const lifted = await other.lifted(outcome, call, said, (id) => runner.resume(id));
    expect(lifted).toMatchObject({ status: "executed" });
    expect(bank.ran).toEqual([call.arguments]);
    expect(bank.approver.statistics()).toMatchObject({ questions: 1 });
  });

  it("P9 of no session is not found by another process: ids of calls may repeat", async () => {
    const bank = desk();
    await bank.requests.neededFor(call, {});
    await approve(bank);
    const other = new ApprovalRequests(bank.options);
    const runner = new ToolRunner({ ...bank.options, approver: other.approver });
    const outcome = await runner.run(call, {});
    expect(await other.lifted(outcome, call, {}, (id) => runner.resume(id))).toBe(outcome);
    expect(bank.ran).toEqual([]);
  });

  it("goes on waiting where the approver cannot be read", async () => {
    const bank = desk();
    await bank.requests.neededFor(call, said);
    bank.failReading();
    expect(await bank.requests.neededFor(call, said)).toMatchObject({
      summary: "A large transfer",
    });
    expect((await bank.approver.list()).records).toHaveLength(1);
  });

  it("P14 needs no approval where the guards allow it: nothing is on record, nothing waits", async () => {
    const bank = desk();
    const small = { ...call, arguments: { amount: 5 } };
    expect(await bank.requests.neededFor(small, said)).toBeUndefined();
    expect(bank.observer.records).toEqual([]);
    expect(await bank.resumed(small)).toBeUndefined();
  });

  it.each([
    ["another id", { ...call, callId: "c2" }, said],
    ["other arguments", { ...call, arguments: { amount: 8888 } }, said],
    ["another session", call, { context: { sessionId: "s2" } }],
    ["another agent", call, { ...said, agentName: "other" }],
  ])("P9 is taken up by no call of %s", async (_, request, facts) => {
    const bank = desk();
    await bank.requests.neededFor(call, said);
    await approve(bank);
    expect(await bank.resumed(request, facts)).toBeUndefined();
    expect(await bank.resumed()).toBeDefined();
  });

  it("P9 is taken up in another trace", async () => {
    const bank = desk();
    const traced = (traceparent: string) => ({ context: { ...said.context, traceparent } });
    await bank.requests.neededFor(call, traced("00-1"));
    await approve(bank);
    expect(await bank.resumed(call, traced("00-2"))).toMatchObject({ status: "executed" });
    expect(bank.ran).toEqual([call.arguments]);
  });

  it("P17 is put out by 10,000 others, and is then a call like any other", {
    tags: "long",
  }, async () => {
    const bank = desk();
    await bank.requests.neededFor(call, {});
    for (let index = 0; index < 10_000; index++) {
      await bank.requests.neededFor({ ...call, callId: `other ${index}` }, {});
    }
    const last = (await bank.approver.list()).records.at(-1);
    await bank.approver.answer(last?.id ?? "", { decision: "approved", by: "ann" }, { only: true });
    expect(await bank.resumed(call, {})).toBeUndefined();
    expect(await bank.resumed({ ...call, callId: "other 9999" }, {})).toBeDefined();
  });

  it("needs somebody who could approve", () => {
    expect(() => new ApprovalRequests({ tools: [], guardrails: [] })).toThrow(
      "'approver' must be an object with",
    );
  });
});
