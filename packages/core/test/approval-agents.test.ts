import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  allow,
  deny,
  type GuardrailProvider,
  ToolRunner,
} from "../src/index.js";
import { approver, gate, request } from "./support/approvals.js";
import { spyTool } from "./support/runners.js";

/** Three agents' runners and the one that they come from, as a process has them. */
function office(
  human = approver((): ApprovalAnswer => ({ decision: "pending", approvalId: "a1" })),
) {
  const pay = spyTool("pay");
  const judged: string[] = [];
  const strict = (name: string): GuardrailProvider => ({
    name,
    evaluate: () => {
      judged.push(name);
      return allow();
    },
  });
  const base = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human });
  const billing = base.forAgent("billing", { guardrails: [strict("billing-rules")] });
  const runners = {
    base,
    billing,
    other: base.forAgent("other"),
    nested: base.forAgent("desk").forAgent("billing"),
    deeper: billing.forAgent("billing"),
  };
  return { human, pay, judged, runners };
}

type Name = keyof ReturnType<typeof office>["runners"];
const names: readonly Name[] = ["base", "billing", "other", "nested", "deeper"];
const pairs = names.flatMap((asks) => names.map((resumes) => [asks, resumes] as const));

describe("a call that was denied by the runner of an agent", () => {
  it.each(pairs)(
    "P9 of %s runs when it is resumed by %s only if they are the same, also after a restart",
    async (asks, resumes) => {
      const before = office();
      await before.runners[asks].run(request);
      expect(before.human.asked).toHaveLength(1);
      for (const { human, pay, runners } of [before, office(before.human)]) {
        human.consumed.length = 0;
        const resuming = runners[resumes].resume("a1");
        if (asks === resumes) {
          expect((await resuming).status).toBe("executed");
          expect(human.consumed).toEqual([["a1", human.asked[0]]]);
        } else {
          await expect(resuming).rejects.toMatchObject({ code: "ERR_APPROVAL" });
          expect(human.consumed).toEqual([]);
          expect(pay.runs).toEqual([]);
        }
      }
    },
  );

  it("P9 is refused elsewhere with the names of both, and asks no guard there", async () => {
    const { runners, judged } = office();
    await runners.billing.run(request);
    judged.length = 0;
    await expect(runners.base.resume("a1")).rejects.toThrow(
      "for a call of the runner of agent 'billing', and this is a runner that belongs to no agent",
    );
    await expect(runners.nested.resume("a1")).rejects.toThrow(
      "this is the runner of agent 'desk' > 'billing'",
    );
    expect(judged).toEqual([]);
  });

  it.each<[Name, string]>([
    ["base", "billing"],
    ["billing", "somebody"],
  ])("P9 goes on at %s though the call itself named agent '%s'", async (name, agentName) => {
    const { human, runners, judged } = office();
    await runners[name].run(request, { agentName });
    expect(human.asked[0]).toMatchObject({ agentName });
    judged.length = 0;
    expect((await runners[name].resume("a1")).status).toBe("executed");
    expect(judged).toEqual(name === "billing" ? ["billing-rules"] : []);
    for (const other of names.filter((each) => each !== name)) {
      await expect(runners[other].resume("a1"), other).rejects.toMatchObject({
        code: "ERR_APPROVAL",
      });
    }
  });

  it.each<[string, unknown]>([
    ["does not say", undefined],
    ["says it as a text", "billing"],
    ["says with a number", [7]],
  ])(
    "P9 is refused where what the approver kept %s whose runner asked",
    async (_, runnerAgents) => {
      const { human, runners } = office();
      await runners.billing.run(request);
      const kept = { ...human, recall: () => ({ ...human.asked[0], runnerAgents }) as never };
      const again = office(kept).runners;
      for (const name of names) {
        await expect(again[name].resume("a1"), name).rejects.toThrow(
          "must keep the whole question",
        );
      }
    },
  );

  it("P8 is refused elsewhere though a planted toJSON makes all lists look alike", async () => {
    const { runners } = office();
    await runners.billing.run(request);
    const planted = Object.assign(Array.prototype, { toJSON: () => "alike" });
    try {
      await expect(runners.base.resume("a1")).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    } finally {
      delete (planted as { toJSON?: unknown }).toJSON;
    }
  });

  it("P9 is asked of the agent's own guards when it is resumed", async () => {
    const pay = spyTool("pay");
    let closed = false;
    const human = approver((): ApprovalAnswer => ({ decision: "pending", approvalId: "a1" }));
    const base = new ToolRunner({ tools: [pay], guardrails: [gate()], approver: human });
    const shut: GuardrailProvider = {
      name: "shut",
      evaluate: () => (closed ? deny("shut") : allow()),
    };
    const runner = base.forAgent("billing", { guardrails: [shut] });
    await runner.run(request);
    closed = true;
    expect(await runner.resume("a1")).toMatchObject({ status: "denied", decidedBy: "shut" });
    expect(pay.runs).toEqual([]);
  });
});
