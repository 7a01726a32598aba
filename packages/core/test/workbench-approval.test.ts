import { describe, expect, it } from "vitest";
import { type ApprovalAnswer, allowAll, type Tool } from "../src/index.js";
import { guardWorkbench, StaticWorkbench, type WorkbenchOptions } from "../src/workbench/index.js";
import { approver, approves, gate, request } from "./support/approvals.js";
import { spyTool } from "./support/runners.js";
import { InnerBench } from "./support/workbenches.js";

const pends = (): ApprovalAnswer => ({ decision: "pending", approvalId: "a1" });

const ways = {
  static: (pay: Tool, options: WorkbenchOptions) => new StaticWorkbench([pay], options),
  guarded: (pay: Tool, options: WorkbenchOptions) =>
    guardWorkbench(new StaticWorkbench([pay], { guardrails: [allowAll()] }), options),
};

describe("a call on a workbench that waits for an approval", () => {
  it.each(Object.entries(ways))(
    "P9 P11 runs as approved when it is resumed, also where nobody has asked for the list (%s)",
    async (_, way) => {
      let answer: () => ApprovalAnswer = pends;
      const options = { guardrails: [gate()], approver: approver(() => answer()) };
      const pay = spyTool("pay");
      const denied = await way(pay, options).callTool("pay", request.arguments, { callId: "c1" });
      expect(denied).toMatchObject({ isError: true, callId: "c1" });
      expect(pay.runs).toEqual([]);

      answer = approves;
      const restarted = way(pay, options);
      expect(await restarted.resume("a1")).toMatchObject({ isError: false, callId: "c1" });
      expect(pay.runs).toEqual([{ cents: 9900 }]);
    },
  );

  it("P9 is an error to resume under an unknown option, or without an approver", async () => {
    const bench = new StaticWorkbench([spyTool("pay")], { guardrails: [gate()] });
    await expect(bench.resume("a1")).rejects.toMatchObject({
      code: "ERR_APPROVAL",
      message: "This runner has no approver. Give it one.",
    });
    await expect(bench.resume("a1", { signl: undefined } as never)).rejects.toThrow(
      /^resume\(\) has no option 'signl'.*'signal'/,
    );
  });
});

describe("an inner workbench", () => {
  it("P4 is given the signal as an own property, which a copy of the options keeps", async () => {
    const inner = new InnerBench("send");
    const bench = guardWorkbench(inner, { guardrails: [allowAll()] });
    const caller = new AbortController();
    let left: AbortSignal | undefined;
    inner.answer = () => {
      left = { ...inner.calls[0]?.[2] }.signal;
      caller.abort("gone");
      return new Promise(() => {});
    };
    const calling = bench.callTool("send", {}, { signal: caller.signal });
    await expect(calling).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(left?.aborted).toBe(true);
  });
});
