import { allow, type Clock, deny, ToolRunner, type ToolRunnerOptions, tool } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { approvals, memoryStore } from "../src/index.js";
import { ApprovalRequests } from "../src/requests.js";

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
  const resumption = (request = call, facts: object = said) =>
    requests.resumption(request, facts, (id) => runner.resume(id));
  const failReading = () => {
    read = () => Promise.reject(new Error("out of reach"));
  };
  return { ran, failReading, approver, observer, requests, resumption };
}

async function approve({ approver }: ReturnType<typeof desk>): Promise<void> {
  const { records } = await approver.list();
  for (const { id } of records) await approver.answer(id, { decision: "approved", by: "ann" });
}

describe("a call that a framework asks its user about", () => {
  it("P9 is told by the summary, waits, and runs once after it was approved", async () => {
    const bank = desk();
    expect(await bank.requests.summaryOf(call, said)).toBe("A large transfer");
    expect(bank.ran).toEqual([]);
    await expect(bank.resumption()?.()).rejects.toMatchObject({ code: "ERR_APPROVAL" });

    await approve(bank);
    expect(await bank.resumption()?.()).toMatchObject({ status: "executed" });
    expect(bank.ran).toEqual([call.arguments]);
    expect(bank.resumption()).toBeUndefined();
  });

  it("is asked about once, however often the framework asks", async () => {
    const bank = desk();
    await bank.requests.summaryOf(call, said);
    expect(await bank.requests.summaryOf(call, said)).toBe("A large transfer");
    expect((await bank.approver.list()).records).toHaveLength(1);
    expect(bank.observer.records).toHaveLength(1);
  });

  it.each([
    ["was refused", "denied"],
    ["has expired", "expired"],
  ])("is asked about anew where the approval %s, and runs once that is given", async (_, how) => {
    let now = 1_000_000;
    const bank = desk({
      now: () => now,
      setTimeout,
      clearTimeout: (timer) => clearTimeout(timer as never),
    });
    await bank.requests.summaryOf(call, said);
    const [first] = (await bank.approver.list()).records;
    if (how === "expired") now += 900_000;
    else await bank.approver.answer(first?.id ?? "", { decision: "denied", by: "ann" });
    expect((await bank.approver.read(first?.id ?? "")).state).toBe(how);
    await expect(bank.resumption()?.()).rejects.toMatchObject({ code: "ERR_APPROVAL" });

    expect(await bank.requests.summaryOf(call, said)).toBe("A large transfer");
    await approve(bank);
    expect(await bank.resumption()?.()).toMatchObject({ status: "executed" });
    expect(bank.ran).toEqual([call.arguments]);
  });

  it("goes on waiting where the approver cannot be read", async () => {
    const bank = desk();
    await bank.requests.summaryOf(call, said);
    bank.failReading();
    expect(await bank.requests.summaryOf(call, said)).toBe("A large transfer");
    expect((await bank.approver.list()).records).toHaveLength(1);
  });

  it("P14 needs no approval where the guards allow it: nothing is on record, nothing waits", async () => {
    const bank = desk();
    const small = { ...call, arguments: { amount: 5 } };
    expect(await bank.requests.summaryOf(small, said)).toBeUndefined();
    expect(bank.observer.records).toEqual([]);
    expect(bank.resumption(small)).toBeUndefined();
  });

  it.each([
    ["another id", { ...call, callId: "c2" }, said],
    ["other arguments", { ...call, arguments: { amount: 8888 } }, said],
    ["another session", call, { context: { sessionId: "s2" } }],
    ["another agent", call, { ...said, agentName: "other" }],
  ])("P9 is taken up by no call of %s", async (_, request, facts) => {
    const bank = desk();
    await bank.requests.summaryOf(call, said);
    await approve(bank);
    expect(bank.resumption(request, facts)).toBeUndefined();
    expect(bank.resumption()).toBeDefined();
  });

  it("P17 is put out by 10,000 others, and is then a call like any other", async () => {
    const bank = desk();
    await bank.requests.summaryOf(call, said);
    for (let index = 0; index < 10_000; index++) {
      await bank.requests.summaryOf({ ...call, callId: `other ${index}` }, said);
    }
    expect(bank.resumption()).toBeUndefined();
    expect(bank.resumption({ ...call, callId: "other 9999" })).toBeDefined();
  }, 60_000);

  it("needs somebody who could approve", () => {
    expect(() => new ApprovalRequests({ tools: [], guardrails: [] })).toThrow("need an approver");
  });
});
