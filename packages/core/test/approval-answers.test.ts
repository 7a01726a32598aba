import { describe, expect, it } from "vitest";
import { type ApprovalAnswer, allow, type Fault, modify, ToolRunner } from "../src/index.js";
import type { Awaitable } from "../src/provider/index.js";
import { approver, approves, gate, request as payment, request } from "./support/approvals.js";
import { HandClock } from "./support/hand-clock.js";
import { idle } from "./support/promises.js";
import { guard, polluted, spyTool } from "./support/runners.js";

type Answers = () => Awaitable<ApprovalAnswer>;
type Consumes = () => Awaitable<boolean | { readonly by: string }>;

/** A call that a gate denies, in the hands of this approver, and the faults that operators are told of. */
async function asked(answer: Answers, consume?: Consumes, signal?: AbortSignal) {
  const pay = spyTool("pay");
  const faults: Fault[] = [];
  const runner = new ToolRunner({
    tools: [pay],
    guardrails: [gate()],
    approver: approver(answer, consume),
    onFault: (fault) => void faults.push(fault),
    clock: new HandClock(),
  });
  const outcome = await runner.run(request, signal === undefined ? {} : { signal });
  return { outcome, faults, pay };
}

describe("P9 an approver's answer", () => {
  it("is nothing that it inherits", async () => {
    const planted = { decision: "approved", approvalId: "a9" };
    const { outcome, pay } = await polluted(planted, () => asked(() => ({}) as never));
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "approval",
      reason: "payments need an approval; an approval could not be asked for",
    });
    expect(pay.runs).toEqual([]);
  });

  it.each<[ApprovalAnswer, readonly string[]]>([
    [{ decision: "pending", approvalId: "a1" }, ["approval 'a1' is pending"]],
    [{ decision: "denied", approvalId: "a1", by: "bob" }, ["approval 'a1' was refused by 'bob'"]],
    [{ decision: "denied", approvalId: "a1" }, ["approval 'a1' was refused"]],
    [{ decision: "denied", reason: "nobody was asked" }, []],
  ])("is a decision on record where it is about an approval: %j", async (answer, reasons) => {
    const { outcome } = await asked(() => answer);
    const { decisions } = outcome;
    const recorded = decisions.filter(({ basis }) => basis === "approval");
    expect(recorded.map(({ reason }) => reason)).toEqual(reasons);
    for (const each of recorded) expect(each).toMatchObject({ phase: "call", decision: "deny" });
  });

  it("counts where it comes later and the caller could give up", async () => {
    const { outcome, pay } = await asked(
      async () => approves(),
      undefined,
      new AbortController().signal,
    );
    expect(outcome.status).toBe("executed");
    expect(pay.runs).toHaveLength(1);
  });

  it("is not waited for when the caller gives up while it is asked for", async () => {
    const caller = new AbortController();
    const never = (): Promise<ApprovalAnswer> => {
      caller.abort();
      return new Promise(() => {});
    };
    await expect(asked(never, undefined, caller.signal)).rejects.toMatchObject({
      code: "ERR_ABORTED",
    });
  });

  it.each<[string, Answers]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["rejects", () => Promise.reject(new Error("hunter2"))],
  ])("is told of as its fault when it %s", async (_, answer) => {
    const { faults } = await asked(answer);
    expect(faults).toMatchObject([
      { source: "human", phase: "approval", error: { message: "hunter2" } },
    ]);
  });

  it.each<[string, Consumes]>([
    [
      "throws",
      () => {
        throw new Error("disk");
      },
    ],
    ["rejects", () => Promise.reject(new Error("disk"))],
  ])("is told of as its fault when using it up %s", async (_, consume) => {
    const { faults } = await asked(approves, consume);
    expect(faults).toMatchObject([
      { source: "human", phase: "approval", error: { message: "disk" } },
    ]);
  });

  it("that it has used nothing up denies, and is no fault, where it gives null", async () => {
    const { outcome, faults, pay } = await asked(approves, () => null as never);
    expect(outcome).toMatchObject({ status: "denied", code: "approval_not_valid" });
    expect(faults).toEqual([]);
    expect(pay.runs).toEqual([]);
  });
});

describe("P9 a call whose denial was asked to be lifted", () => {
  it("is decided anew from the arguments as asked, not from those that a guard has made", async () => {
    const pay = spyTool("pay");
    const human = approver(approves);
    const doubles = guard("doubles", {
      evaluate: ({ args }) => modify({ cents: Number(args["cents"]) * 2 }),
    });
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [doubles, gate()],
      approver: human,
    });
    const outcome = await runner.run({ ...request, arguments: { cents: 100 } });
    expect(outcome).toMatchObject({ status: "executed", modifiedBy: ["doubles"] });
    expect(pay.runs).toEqual([{ cents: 200 }]);
    expect(human.asked.map(({ args }) => args)).toEqual([{ cents: 200 }]);
  });

  it("is over with a refusal: no guard is asked again", async () => {
    const pay = spyTool("pay");
    let questions = 0;
    const counts = guard("counts", {
      evaluate: () => {
        questions++;
        return allow();
      },
    });
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [counts, gate()],
      approver: approver(() => ({ decision: "denied", reason: "not today" })),
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "denied", basis: "approval" });
    expect(questions).toBe(1);
    expect(outcome.decisions.map(({ provider }) => provider)).toEqual(["counts", "gate"]);
    expect(pay.runs).toEqual([]);
  });
});

describe("P9 an approver whose time is over", () => {
  it("is told of to operators, with the time that it had", async () => {
    const clock = new HandClock();
    const faults: string[] = [];
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: approver(approves, () => new Promise(() => {})),
      clock,
      timeoutMs: 20,
      onFault: ({ source, error }: Fault) =>
        void faults.push(`${source}: ${(error as Error).message}`),
    });
    const running = runner.run(payment);
    await idle();
    clock.pass(20);
    expect(await running).toMatchObject({ status: "denied", code: "approval_not_valid" });
    expect(faults).toEqual(["human: No answer within 20 ms."]);
  });
});
