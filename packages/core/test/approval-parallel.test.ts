import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type GuardrailProvider,
  modify,
  parallel,
  shadow,
  ToolRunner,
} from "../src/index.js";
import { approver, approves, gate, request } from "./support/approvals.js";
import { guard, spyTool } from "./support/runners.js";

/** Runs a call that a gate denies and a human approves, with others that are asked at once. */
async function approvedBeside(...others: readonly GuardrailProvider[]) {
  const pay = spyTool("pay");
  const human = approver(approves);
  const guardrails = [parallel([gate(), ...others])];
  const runner = new ToolRunner({ tools: [pay], guardrails, approver: human });
  return { outcome: await runner.run(request), pay, human };
}

describe("P9 an approval of one guard among several that are asked at once", () => {
  it.each<[string, GuardrailProvider]>([
    ["allows", allowAll()],
    ["allows and says why", guard("says", { evaluate: () => allow({ reason: "known" }) })],
    ["would deny, in the shadow", shadow(guard("dark", { evaluate: () => deny("no") }))],
    [
      "would change, in the shadow",
      shadow(guard("dark", { evaluate: () => modify({ cents: 1 }) })),
    ],
  ])("lifts its denial where another %s", async (_, other) => {
    const { outcome, pay, human } = await approvedBeside(other);
    expect(outcome.status).toBe("executed");
    expect(pay.runs).toEqual([request.arguments]);
    expect(human.consumed).toHaveLength(1);
    expect(outcome.decisions).toContainEqual(
      expect.objectContaining({ provider: "gate", basis: "approval", decision: "allow" }),
    );
  });

  it.each<[string, GuardrailProvider]>([
    ["denies too", guard("other", { evaluate: () => deny("no") })],
    ["would have changed the arguments", guard("other", { evaluate: () => modify({ cents: 1 }) })],
  ])("P9 is not enough where another %s", async (_, other) => {
    const { outcome, pay, human } = await approvedBeside(other);
    expect(outcome).toMatchObject({
      status: "denied",
      basis: "approval",
      reason: "payments need an approval; its approval is not enough to lift it",
    });
    expect(human.asked).toHaveLength(1);
    expect(human.consumed).toEqual([]);
    expect(pay.runs).toEqual([]);
  });
});
