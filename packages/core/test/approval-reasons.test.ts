import { describe, expect, it } from "vitest";
import { allowAll, deny, type GuardrailProvider, ToolRunner } from "../src/index.js";
import { approval, approver, gate, request as payment } from "./support/approvals.js";
import { messageOf } from "./support/errors.js";
import { guard, spyTool } from "./support/runners.js";

describe("P9 the reason of a denial that was not lifted", () => {
  const reasonOf = async (
    answer: Parameters<typeof approver>[0],
    guardrails: readonly GuardrailProvider[] = [gate()],
  ) => {
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails,
      approver: approver(answer),
    });
    const outcome = await runner.run(payment);
    return "reason" in outcome ? outcome.reason : outcome.status;
  };

  it("says that the approval was refused, where whoever refused it says nothing", async () => {
    for (const reason of [undefined, ""]) {
      expect(await reasonOf(() => ({ decision: "denied", reason }))).toBe(
        "payments need an approval; the approval was refused",
      );
    }
  });

  it("is cut at 2,000 units, however much the approver says", async () => {
    const reason = await reasonOf(() => ({ decision: "denied", reason: "no ".repeat(1_000) }));
    expect(reason).toMatch(/^payments need an approval; .*no no/);
    expect(reason).toHaveLength(2_000);
  });

  it("says that an approval has been asked for, where the approver says nothing", async () => {
    expect(
      await reasonOf(() => ({ decision: "pending", approvalId: "a1", reason: 7 as never })),
    ).toBe("payments need an approval; an approval has been asked for");
  });

  it("repeats what the approver says of its question, and names a tool whose approval is used up", async () => {
    expect(
      await reasonOf(() => ({ decision: "pending", approvalId: "a1", reason: "ask bob" })),
    ).toBe("payments need an approval; ask bob");
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: approver(
        () => ({ decision: "approved", approvalId: "a1" }),
        () => false,
      ),
    });
    expect(await runner.run(payment)).toMatchObject({
      reason:
        "the approval for tool 'pay' has been used, has expired, or was given for another call",
    });
  });

  it("P9 says that a human would be asked too often, from the ninth denial of a call on", async () => {
    const gates = (count: number) => Array.from({ length: count }, (_, at) => gate(`gate ${at}`));
    let ids = 0;
    const approves = () => ({ decision: "approved", approvalId: `a${++ids}` }) as const;
    expect(await reasonOf(approves, gates(8))).toBe("executed");
    expect(await reasonOf(approves, gates(9))).toBe(
      "payments need an approval; too many denials of it would have to be lifted",
    );
  });

  it("names nobody as the one who refused it, where the name is empty", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: approver(() => ({ decision: "denied", approvalId: "a1", by: "" })),
    });
    const { decisions } = await runner.run(payment);
    expect(decisions.at(-1)?.reason).toBe("approval 'a1' was refused");
  });

  it("P9 may ask for an approval that expires within a millisecond", async () => {
    const short = guard("short", {
      evaluate: () => deny("no", { approval: { ...approval, expiresInMs: 0.5 } }),
    });
    expect(await reasonOf(() => ({ decision: "denied", reason: "late" }), [short])).toBe(
      "no; late",
    );
  });

  it("P9 of what was given up before it was taken up again is an error that says so", async () => {
    const runner = new ToolRunner({
      guardrails: [allowAll()],
      approver: approver(() => ({ decision: "denied" })),
    });
    expect(await messageOf(() => runner.resume("a1", { signal: AbortSignal.abort() }))).toBe(
      "The caller aborted before the call was taken up.",
    );
  });
});
