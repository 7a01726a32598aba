import { describe, expect, it } from "vitest";
import { type ApprovalQuestion, type CallRecord, ToolRunner } from "../src/index.js";
import { approver, gate, request } from "./support/approvals.js";
import { spyTool } from "./support/runners.js";

interface Scene {
  /** The part of the question that the approver kept, in place of all of it. */
  readonly question?: (asked: ApprovalQuestion) => unknown;
  readonly answer?: unknown;
  readonly read?: undefined;
}

/** A call that was denied and asked about, and the approval refused meanwhile. */
async function refused({ question = (asked) => asked, answer = no, ...more }: Scene = {}) {
  const pay = spyTool("pay");
  const records: CallRecord[] = [];
  const human = {
    ...approver(() => ({ decision: "pending", approvalId: "a1" })),
    recall: () => undefined,
  };
  const read = () => ({
    state: "denied",
    record: { id: "a1", question: question(human.asked[0] as ApprovalQuestion), answer } as never,
  });
  const runner = new ToolRunner({
    tools: [pay],
    guardrails: [gate()],
    approver: { ...human, read, ...more },
    observers: [{ name: "log", settle: (record) => void records.push(record) }],
  });
  const context = { sessionId: "s" };
  const denied = await runner.run(request, { agentName: "buyer", context });
  return { pay, human, records, runner, denied };
}

const no = { decision: "denied", by: "ann", reason: "the account is closed" };

describe("a call that is resumed after its approval was refused", () => {
  it("P9 is denied for the human's reason, as the same run, and asks nobody again", async () => {
    const { pay, human, runner, denied } = await refused();
    expect(await runner.resume("a1")).toMatchObject({
      status: "denied",
      basis: "approval",
      decidedBy: "gate",
      code: "needs_approval",
      runId: denied.runId,
      callId: "c1",
      approvalId: undefined,
      result: {
        content: "Tool call denied: payments need an approval; the account is closed",
      },
    });
    expect(human.asked).toHaveLength(1);
    expect(human.consumed).toEqual([]);
    expect(pay.runs).toEqual([]);
  });

  it("P15 leaves a record that says who refused it, with the call's agent, session and arguments", async () => {
    const { records, runner } = await refused();
    await runner.resume("a1");
    const { decision, reason } = records[1]?.decisions.at(-1) ?? {};
    expect([decision, reason]).toEqual(["deny", "approval 'a1' was refused by 'ann'"]);
    expect(records[1]).toMatchObject({
      agentName: "buyer",
      context: { sessionId: "s" },
      askedArgs: request.arguments,
    });
  });

  it("P9 says that it was refused where no reason was given, and is denied each time", async () => {
    const { pay, runner } = await refused({ answer: { decision: "denied" } });
    for (const _ of ["once", "again"]) {
      const reason = "payments need an approval; the approval was refused";
      expect(await runner.resume("a1")).toMatchObject({ status: "denied", reason });
    }
    expect(pay.runs).toEqual([]);
  });

  it.each<[string, Scene]>([
    ["is pending", { answer: null }],
    ["was given, and the approver does not recall it", { answer: { decision: "approved" } }],
    ["was refused, and the approver has no read", { read: undefined }],
    ["was refused, and the question is lost", { question: () => undefined }],
    [
      "was refused, and the question names no tool",
      { question: ({ requestedName: _, ...rest }) => rest },
    ],
  ])("P9 is an error where it %s", async (_, given) => {
    const { pay, runner } = await refused(given);
    await expect(runner.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    expect(pay.runs).toEqual([]);
  });

  it("P9 is an error on the runner of another agent", async () => {
    const { runner } = await refused();
    const other = runner.forAgent("other").resume("a1");
    await expect(other).rejects.toMatchObject({ code: "ERR_APPROVAL" });
  });

  it("P2 tells operators only what the approver has to say where it cannot be read", async () => {
    const told: unknown[] = [];
    const fails = () => {
      throw new Error("postgres://user:password@host");
    };
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: {
        ...approver(() => ({ decision: "denied" })),
        recall: () => undefined,
        read: fails,
      },
      onFault: ({ source, phase }) => told.push([source, phase]),
    });
    const said = "The approver could not be asked.";
    await expect(runner.resume("a1")).rejects.toMatchObject({ message: said });
    expect(told).toEqual([["human", "approval"]]);
  });
});
