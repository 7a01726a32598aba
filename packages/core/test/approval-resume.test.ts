import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  allow,
  deny,
  type GuardrailProvider,
  modify,
  ToolRunner,
} from "../src/index.js";
import { approval, approver, approves, gate, request } from "./support/approvals.js";
import { HandClock } from "./support/hand-clock.js";
import { spyTool } from "./support/runners.js";

/** A question as an approver keeps it. */
const kept = {
  ...{ runId: "r", callId: "c", requestedName: "pay", provider: "gate", reason: "x" },
  ...{ args: {}, askedArgs: {}, context: {}, approval: { summary: "s" }, runnerAgents: [] },
};

describe("a call that waits for an approval", () => {
  const pends = (): ApprovalAnswer => ({ decision: "pending", approvalId: "a1" });

  it("P9 is denied with the id, and runs as the same run when it is resumed on another runner", async () => {
    const pay = spyTool("pay");
    const human = approver(pends);
    const make = () => new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human });
    const context = { sessionId: "s", attributes: { plan: "free" } };
    const options = { agentName: "buyer", context };
    const denied = await make().run({ ...request, receipt: "r" }, options);
    expect(denied).toMatchObject({ status: "denied", basis: "approval", approvalId: "a1" });
    expect(pay.runs).toEqual([]);

    const outcome = await make().resume("a1");
    expect(outcome).toMatchObject({ status: "executed", runId: denied.runId, callId: "c1" });
    expect(human.consumed[0]?.[1]).toEqual(human.asked[0]);
    expect(pay.runs).toEqual([{ cents: 9900 }]);
  });

  it("P9 is asked of all guards again when it is resumed", async () => {
    const pay = spyTool("pay");
    const human = approver(pends);
    let closed = false;
    const shop: GuardrailProvider = {
      name: "shop",
      evaluate: () => (closed ? deny("closed") : allow()),
    };
    const runner = new ToolRunner({ tools: [pay], guardrails: [shop, gate()], approver: human });
    await runner.run(request);
    closed = true;
    expect(await runner.resume("a1")).toMatchObject({ status: "denied", decidedBy: "shop" });
    expect(human.consumed).toEqual([]);
    expect(pay.runs).toEqual([]);
  });

  it("P9 comes to its end, whichever of two approvals resumes it, and uses each for its own guard", async () => {
    for (const last of ["a1", "a2"]) {
      const pay = spyTool("pay");
      // One approver per id, as one that keeps what it approved: "a1" is of "one", "a2" of "two".
      const ids = new Map([
        ["one", "a1"],
        ["two", "a2"],
      ]);
      const approved = new Set<string>();
      const human = approver(({ provider }) => {
        const approvalId = ids.get(provider) as string;
        return { decision: approved.has(approvalId) ? "approved" : "pending", approvalId };
      });
      const recalls = (approvalId: string) =>
        human.asked.find(({ provider }) => ids.get(provider) === approvalId);
      const runner = new ToolRunner({
        tools: [pay],
        guardrails: [gate("one"), gate("two")],
        approver: { ...human, recall: recalls },
      });
      expect(await runner.run(request)).toMatchObject({ status: "denied", approvalId: "a1" });
      approved.add("a1");
      expect(await runner.resume("a1")).toMatchObject({ status: "denied", approvalId: "a2" });
      expect(pay.runs).toEqual([]);
      approved.add("a2");
      expect((await runner.resume(last)).status).toBe("executed");
      expect(pay.runs).toHaveLength(1);
      expect(human.consumed.map(([id, { provider }]) => [id, provider]).sort()).toEqual([
        ["a1", "one"],
        ["a2", "two"],
      ]);
    }
  });

  it("P9 P10 uses approvals up in the order of the guards, whichever it was taken up by", async () => {
    const ids = new Map([
      ["one", "a1"],
      ["two", "a2"],
    ]);
    const human = approver(({ provider }) => ({
      decision: "approved",
      approvalId: ids.get(provider) as string,
    }));
    const recall = (id: string) => human.asked.find(({ provider }) => ids.get(provider) === id);
    const make = () =>
      new ToolRunner({
        tools: [spyTool("pay")],
        guardrails: [gate("one"), gate("two")],
        approver: { ...human, recall },
      });
    await make().run(request);
    for (const takenUpBy of ["a1", "a2"]) {
      human.consumed.splice(0);
      expect((await make().resume(takenUpBy)).status).toBe("executed");
      expect(human.consumed.map(([id]) => id)).toEqual(["a1", "a2"]);
    }
  });

  it("P9 P10 runs once, and uses its approval up, where no guard denies it any more", async () => {
    const pay = spyTool("pay");
    let left = 1;
    const human = approver(pends, () => left-- > 0);
    let open = false;
    const hours: GuardrailProvider = {
      name: "hours",
      evaluate: () => (open ? allow() : deny("closed", { approval })),
    };
    const runner = new ToolRunner({ tools: [pay], guardrails: [hours], approver: human });
    await runner.run(request);
    open = true;
    expect((await runner.resume("a1")).status).toBe("executed");
    expect(await runner.resume("a1")).toMatchObject({ code: "approval_not_valid" });
    expect(human.consumed.map(([id]) => id)).toEqual(["a1", "a1"]);
    expect(pay.runs).toHaveLength(1);
  });

  it("P9 is not run with other arguments than were approved, though no guard denies them", async () => {
    const pay = spyTool("pay");
    const human = approver(pends, () => false);
    const cheap: GuardrailProvider = { name: "cheap", evaluate: () => modify({ cents: 1 }) };
    const bound = {
      ...human,
      consume: (_: string, { args }: ApprovalQuestion) => args.cents === 9900,
    };
    await new ToolRunner({ tools: [pay], guardrails: [gate()], approver: bound }).run(request);
    const later = new ToolRunner({ tools: [pay], guardrails: [cheap], approver: bound });
    expect(await later.resume("a1")).toMatchObject({ code: "approval_not_valid" });
    expect(pay.runs).toEqual([]);
  });

  it("P9 runs once when it is resumed eight times at once, as its approval is used up once", async () => {
    const pay = spyTool("pay");
    let left = 1;
    const human = approver(pends, async () => {
      await Promise.resolve();
      return left-- > 0;
    });
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human });
    await runner.run({ name: "pay" });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => runner.resume("a1")));
    expect(outcomes.filter(({ status }) => status === "executed")).toHaveLength(1);
    expect(pay.runs).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a text", "a1"],
    [
      "a question without arguments",
      { runId: "r", callId: "c", requestedName: "pay", provider: "gate", reason: "x" },
    ],
    ...["args", "askedArgs", "context", "approval"].map((name): [string, unknown] => [
      `a question whose ${name} is a text`,
      { ...kept, [name]: "x" },
    ]),
    ...["args", "askedArgs", "context", "approval"].map((name): [string, unknown] => [
      `a question whose ${name} is null`,
      { ...kept, [name]: null },
    ]),
    ...["runId", "callId", "requestedName", "provider", "reason"].map((name): [string, unknown] => [
      `a question whose ${name} is none`,
      { ...kept, [name]: 7 },
    ]),
  ])("P9 is an error when it is resumed and the approver recalls %s", async (_, recalled) => {
    const human = { ...approver(pends), recall: () => recalled as never };
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: human,
    });
    await expect(runner.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
  });

  it.each<[string, () => unknown]>([
    ["throws", () => thrown()],
    ["rejects", async () => thrown()],
    ["never answers", () => new Promise(() => {})],
  ])(
    "P2 says nothing of what the approver has to say where it %s, and tells operators",
    async (_, fails) => {
      const clock = new HandClock();
      const told: unknown[] = [];
      const runner = new ToolRunner({
        tools: [spyTool("pay")],
        guardrails: [gate()],
        approver: { ...approver(pends), recall: fails as never },
        onFault: ({ source, phase }) => told.push([source, phase]),
        clock,
      });
      const resumed = runner.resume("a1");
      clock.pass(5_000);
      const said = "The approver could not be asked.";
      await expect(resumed).rejects.toMatchObject({ code: "ERR_APPROVAL", message: said });
      expect(told).toEqual([["human", "approval"]]);
    },
  );

  it("P7 waits for no approver any more when whoever resumes it gives up", async () => {
    const pay = spyTool("pay");
    const human = { ...approver(pends), recall: () => new Promise<undefined>(() => {}) };
    const clock = new HandClock();
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human, clock });
    const caller = new AbortController();
    const resumed = runner.resume("a1", { signal: caller.signal });
    caller.abort("enough");
    await expect(resumed).rejects.toMatchObject({ code: "ERR_ABORTED", cause: "enough" });
    expect(pay.runs).toEqual([]);
  });

  it("P9 is an error when it is resumed and what the approver recalls cannot be read", async () => {
    const human = approver(pends);
    const approval = {
      get summary(): never {
        throw new Error("hunter2");
      },
    };
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: { ...human, recall: () => ({ ...(human.asked[0] as ApprovalQuestion), approval }) },
    });
    await runner.run(request);
    await expect(runner.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    await runner.close();
  });

  it.each([
    ["that JSON cannot hold", (args: object) => Object.assign(args, { n: 1n })],
    ["without end", (args: object) => Object.assign(args, { args })],
  ])(
    "P9 is an error when it is resumed and the approver recalls arguments %s",
    async (_, spoil) => {
      const human = approver(pends);
      const recall = () => ({ ...human.asked[0], args: spoil({}) }) as never;
      const runner = new ToolRunner({
        tools: [spyTool("pay")],
        guardrails: [gate()],
        approver: { ...human, recall },
      });
      await runner.run(request);
      await expect(runner.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    },
  );

  it("P9 is an error to resume without an approver", async () => {
    const runner = new ToolRunner({ tools: [spyTool("pay")], guardrails: [gate()] });
    await expect(runner.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
  });

  it("P5 refuses an approver that is none, at load", () => {
    const wrong = { name: "human", ask: approves };
    expect(() => new ToolRunner({ guardrails: [], approver: wrong as never })).toThrowError(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
  });
});

function thrown(): never {
  throw new Error("postgres://user:password@host");
}
