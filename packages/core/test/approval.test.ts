import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  allow,
  allowAll,
  deny,
  type Fault,
  failOpen,
  type GuardrailProvider,
  modify,
  parallel,
  type ToolCall,
  ToolRunner,
  tool,
} from "../src/index.js";
import type { Awaitable } from "../src/provider/index.js";
import { approval, approver, approves, gate, request } from "./support/approvals.js";
import { HandClock } from "./support/hand-clock.js";
import { spyTool } from "./support/runners.js";

describe("a denial that can be lifted", () => {
  it("P9 lets the call run when the approver says so, and uses the approval up for exactly this call", async () => {
    const pay = spyTool("pay");
    const human = approver(approves);
    const guardrails = [allowAll(), gate()];
    const runner = new ToolRunner({
      tools: [pay],
      guardrails,
      approver: human,
      policyVersion: "7",
    });
    const context = { sessionId: "s", principal: "ann" };
    const outcome = await runner.run(request, { agentName: "buyer", context });
    expect(outcome.status).toBe("executed");
    expect(pay.runs).toHaveLength(1);
    const [question] = human.asked as [ApprovalQuestion];
    expect(question).toMatchObject({
      runId: outcome.runId,
      callId: "c1",
      toolName: "pay",
      requestedName: "pay",
      agentName: "buyer",
      context,
      args: { cents: 9900 },
      askedArgs: { cents: 9900 },
      provider: "gate",
      code: "needs_approval",
      reason: "payments need an approval",
      approval,
      policyVersion: "7",
    });
    expect(human.consumed).toEqual([["a1", question]]);
    expect(Object.isFrozen(question)).toBe(true);
    expect(
      outcome.decisions.map(({ provider, decision, basis }) => [provider, decision, basis]),
    ).toEqual([
      ["allow-all", "allow", "policy"],
      ["gate", "deny", "policy"],
      ["allow-all", "allow", "policy"],
      ["gate", "deny", "policy"],
      ["gate", "allow", "approval"],
      ["human", "allow", "approval"],
    ]);
    expect(outcome.decisions.at(-1)?.reason).toBe("approval 'a1'");
  });

  it("P9 P15 is on record with who lifted it, where the approver says so by its own words", async () => {
    const by = (consumed: object) =>
      new ToolRunner({
        tools: [spyTool("pay")],
        guardrails: [gate()],
        approver: approver(approves, () => consumed as { by: string }),
      }).run(request);
    const { status, decisions } = await by({ by: "ann" });
    expect(status).toBe("executed");
    expect(decisions.at(-1)).toMatchObject({ phase: "admit", reason: "approval 'a1' by 'ann'" });
    const none = [{}, { by: "" }, { by: 7 }, Object.create({ by: "ann" }), ["ann"]];
    for (const said of none) {
      expect(await by(said)).toMatchObject({ status: "denied", code: "approval_not_valid" });
    }
  });

  it("P9 is a denial like others where there is no approver", async () => {
    const pay = spyTool("pay");
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate()] });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "policy" });
    expect(pay.runs).toEqual([]);
  });

  it.each<[string, () => Awaitable<ApprovalAnswer>]>([
    ["says no", () => ({ decision: "denied", reason: "not today" })],
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["rejects", () => Promise.reject(new Error("hunter2"))],
    ["gives nothing", () => undefined as never],
    ["gives true", () => true as never],
    ["approves without an id", () => ({ decision: "approved" }) as never],
    ["approves with an empty id", () => ({ decision: "approved", approvalId: "" })],
    ["misspells it", () => ({ decision: "APPROVED", approvalId: "a1" }) as never],
  ])("P9 stands when the approver %s, and leaks no cause", async (_, answer) => {
    const pay = spyTool("pay");
    const faults: Fault[] = [];
    const onFault = (fault: Fault): void => void faults.push(fault);
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [gate()],
      approver: approver(answer),
      onFault,
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "approval",
      decidedBy: "gate",
      code: "needs_approval",
    });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
    expect(pay.runs).toEqual([]);
  });

  it.each<[string, () => Awaitable<boolean>]>([
    ["is used already", () => false],
    [
      "cannot be used up",
      () => {
        throw new Error("disk");
      },
    ],
    ["is answered by garbage", () => "true" as never],
    ["is answered by a late false", () => Promise.resolve(false)],
  ])("P9 stands when its approval %s", async (_, consume) => {
    const pay = spyTool("pay");
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [gate()],
      approver: approver(approves, consume),
    });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      basis: "approval",
      decidedBy: "human",
      code: "approval_not_valid",
    });
    expect(pay.runs).toEqual([]);
  });

  it("P9 stands when the approver does not say in time that the approval is used up", async () => {
    const clock = new HandClock();
    const pay = spyTool("pay");
    const human = approver(approves, () => new Promise(() => {}));
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human, clock });
    const running = runner.run(request);
    while (clock.waiting === 0) await Promise.resolve();
    clock.pass(5_000);
    expect(await running).toMatchObject({ status: "denied", basis: "approval" });
    expect(pay.runs).toEqual([]);
  });

  it("has no deadline while a human thinks, and holds no quota", async () => {
    const clock = new HandClock();
    const events: string[] = [];
    let answer: (answer: ApprovalAnswer) => void = () => {};
    const human = approver(() => new Promise((resolve) => (answer = resolve)));
    const limiter: GuardrailProvider = {
      name: "limiter",
      evaluate: () => allow(),
      admit: () => {
        events.push("admit");
        return allow();
      },
    };
    const pay = tool({ name: "pay", execute: () => void events.push("pay") });
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [limiter, gate()],
      approver: human,
      clock,
    });
    const running = runner.run(request);
    while (human.asked.length === 0) await Promise.resolve();
    clock.pass(86_400_000);
    expect(events).toEqual([]);
    answer(approves());
    expect((await running).status).toBe("executed");
    expect(events).toEqual(["admit", "pay"]);
  });

  it("P4 ends as aborted when the caller gives up while the approver is asked, whatever it says later", async () => {
    const pay = spyTool("pay");
    const abort = new AbortController();
    let answer: (answer: ApprovalAnswer) => void = () => {};
    let seen: AbortSignal | undefined;
    const human = approver((_, signal) => {
      seen = signal;
      return new Promise((resolve) => (answer = resolve));
    });
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human });
    const running = runner.run(request, { signal: abort.signal });
    while (human.asked.length === 0) await Promise.resolve();
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(seen?.aborted).toBe(true);
    answer(approves());
    await Promise.resolve();
    expect(pay.runs).toEqual([]);
  });

  it("P9 stands for the other guards: an approval lifts one denial", async () => {
    const pay = spyTool("pay");
    const other: GuardrailProvider = { name: "other", evaluate: () => deny("never") };
    const human = approver(approves);
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate(), other], approver: human });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      basis: "policy",
      decidedBy: "other",
    });
    expect(human.consumed).toEqual([]);
    expect(pay.runs).toEqual([]);
  });

  it("P9 has each of several lifted by an approval of its own", async () => {
    const pay = spyTool("pay");
    let ids = 0;
    const human = approver(() => ({ decision: "approved", approvalId: `a${++ids}` }));
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [gate("one"), gate("two")],
      approver: human,
    });
    expect((await runner.run(request)).status).toBe("executed");
    expect(human.consumed.map(([id, { provider }]) => [id, provider])).toEqual([
      ["a1", "one"],
      ["a2", "two"],
    ]);
  });

  it("P9 is asked about anew when its arguments are others than were approved", async () => {
    const pay = spyTool("pay");
    let ids = 0;
    const human = approver(() => ({ decision: "approved", approvalId: `a${++ids}` }));
    // Changes its mind after the first approval, as no guard should.
    let cents = 1;
    const shifting: GuardrailProvider = {
      name: "shifting",
      evaluate: (call: ToolCall) => {
        if (human.asked.length === 1) cents = 2;
        return call.args["cents"] === cents ? allow() : modify({ cents });
      },
    };
    const runner = new ToolRunner({
      tools: [pay],
      guardrails: [shifting, gate()],
      approver: human,
    });
    const outcome = await runner.run(request);
    expect(outcome).toMatchObject({ status: "executed", usedArgs: { cents: 2 } });
    expect(human.asked.map(({ args }) => args)).toEqual([{ cents: 1 }, { cents: 2 }]);
    expect(human.consumed.map(([id, { args }]) => [id, args])).toEqual([["a2", { cents: 2 }]]);
  });

  it("P9 gives up on a guard that finds another code for each approval", async () => {
    const pay = spyTool("pay");
    let codes = 0;
    const moody: GuardrailProvider = {
      name: "moody",
      evaluate: () => deny("no", { code: `c${++codes}`, approval }),
    };
    const human = approver(approves);
    const runner = new ToolRunner({ tools: [pay], guardrails: [moody], approver: human });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "approval" });
    expect(human.asked).toHaveLength(8);
    expect(pay.runs).toEqual([]);
  });

  it("P9 inside parallel is lifted only where no other guard in it denies or changes anything", async () => {
    const never: GuardrailProvider = { name: "never", evaluate: () => deny("never") };
    const trims: GuardrailProvider = {
      name: "trims",
      evaluate: ({ args }) => (args["cents"] === 1 ? allow() : modify({ cents: 1 })),
    };
    const statusWith = async (guards: GuardrailProvider[]) => {
      const pay = spyTool("pay");
      const guardrails = [parallel(guards)];
      const runner = new ToolRunner({ tools: [pay], guardrails, approver: approver(approves) });
      return (await runner.run(request)).status;
    };
    expect(await statusWith([gate(), allowAll()])).toBe("executed");
    expect(await statusWith([gate(), never])).toBe("denied");
    expect(await statusWith([gate(), gate("second")])).toBe("denied");
    expect(await statusWith([gate(), trims])).toBe("denied");
  });

  it("P9 inside parallel is asked about once where its approval is not enough to lift it", async () => {
    const human = approver(approves);
    const guardrails = [parallel([gate(), gate("second")])];
    const runner = new ToolRunner({ tools: [spyTool("pay")], guardrails, approver: human });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      basis: "approval",
      reason: "payments need an approval; its approval is not enough to lift it",
    });
    expect(human.asked.map(({ provider }) => provider)).toEqual(["gate"]);
    expect(human.consumed).toEqual([]);
  });

  it("P9 is not lifted where the guard failed, whatever it once asked for", async () => {
    const pay = spyTool("pay");
    const human = approver(approves);
    const failing: GuardrailProvider = {
      name: "gate",
      evaluate: () => {
        throw Object.assign(new Error("x"), { approval });
      },
    };
    const runner = new ToolRunner({ tools: [pay], guardrails: [failing], approver: human });
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "error" });
    expect(human.asked).toEqual([]);
  });

  it("P9 stands behind failOpen, and can be lifted there", async () => {
    const pay = spyTool("pay");
    const guardrails = [failOpen(gate()), allowAll()];
    const runner = new ToolRunner({ tools: [pay], guardrails, approver: approver(approves) });
    expect((await runner.run(request)).status).toBe("executed");
  });
});

describe("an approval that lifted a denial which is not there any more", () => {
  it("P9 is not used up with the one that lifts what is decided now", async () => {
    let asked = 0;
    const twice: GuardrailProvider = {
      name: "first",
      evaluate: (call) => (asked++ < 2 ? gate().evaluate(call) : allow()),
    };
    const human = approver(({ provider }) => ({ decision: "approved", approvalId: provider }));
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [allowAll(), twice, gate("second")],
      approver: human,
    });
    expect((await runner.run(request)).status).toBe("executed");
    expect(human.consumed.map(([id]) => id)).toEqual(["second"]);
  });
});

describe("a caller that aborts while an approval is used up", () => {
  it("P4 has aborted the call, which is not said to be denied", async () => {
    const caller = new AbortController();
    const pay = spyTool("pay");
    const human = approver(approves, () => {
      caller.abort();
      return new Promise<boolean>(() => {});
    });
    const runner = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human });
    await expect(runner.run(request, { signal: caller.signal })).rejects.toMatchObject({
      code: "ERR_ABORTED",
      outcomes: [{ status: "aborted", executed: false }],
    });
    expect(pay.runs).toEqual([]);
  });
});
