import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  allow,
  allowAll,
  type Deny,
  deny,
  failOpen,
  type GuardrailProvider,
  parallel,
  ToolRunner,
  type ToolRunnerOptions,
} from "../src/index.js";
import { approval, approver, approves, gate, request } from "./support/approvals.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

/** What was approved, and what the guard says of the same call the next time it is asked. */
const approved = deny("above 100", { code: "limit", approval });
const hard: readonly (readonly [string, Deny])[] = [
  ["no longer asks for an approval", deny("above 100", { code: "limit" })],
  ["says something else, and asks for none", deny("on the sanctions list", { code: "limit" })],
];
const others: readonly (readonly [string, Deny])[] = [
  ["gives another reason", deny("deletes everything", { code: "limit", approval })],
  [
    "sums it up otherwise",
    deny("above 100", { code: "limit", approval: { summary: "Erase all" } }),
  ],
  ["has another code", deny("above 100", { code: "erase", approval })],
  ["has no code any more", deny("above 100", { approval })],
];
const ways: readonly (readonly [string, (guard: GuardrailProvider) => GuardrailProvider])[] = [
  ["alone", (guard) => guard],
  ["in parallel", (guard) => parallel([guard, allowAll()])],
  ["in failOpen", (guard) => failOpen(guard)],
];

/** A guard that says one thing when it is asked first, and another after that. */
function changing(later: Deny): GuardrailProvider {
  let asked = 0;
  return { name: "gate", evaluate: () => (asked++ === 0 ? approved : later) };
}

describe.each(ways)("a denial of the same guard that was not the one approved, %s", (_, put) => {
  it.each(hard)("P9 stands in the same run when the guard %s", async (__, later) => {
    const pay = spyTool("pay");
    const human = approver(() => ({ decision: "approved", approvalId: "a1" }));
    const guardrails = [put(changing(later)), allowAll({ name: "rest" })];
    const runner = new ToolRunner({ tools: [pay], guardrails, approver: human });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      basis: "policy",
      reason: later.reason,
    });
    expect(human.asked).toHaveLength(1);
    expect(human.consumed).toEqual([]);
    expect(pay.runs).toEqual([]);
  });

  it.each(hard)("P9 stands when the call is resumed and the guard %s", async (__, later) => {
    const pay = spyTool("pay");
    const human = approver(() => ({ decision: "pending", approvalId: "a1" }));
    const guardrails = [put(changing(later)), allowAll({ name: "rest" })];
    const runner = new ToolRunner({ tools: [pay], guardrails, approver: human });
    await runner.run(request);
    expect(await runner.resume("a1")).toMatchObject({ status: "denied", reason: later.reason });
    expect(human.consumed).toEqual([]);
    expect(pay.runs).toEqual([]);
  });

  it.each(others)(
    "P9 is a question of its own in the same run when the guard %s",
    async (__, later) => {
      const pay = spyTool("pay");
      const answers: ApprovalAnswer[] = [
        { decision: "approved", approvalId: "a1" },
        { decision: "denied", reason: "not that" },
      ];
      const human = approver(() => answers.shift() as ApprovalAnswer);
      const guardrails = [put(changing(later)), allowAll({ name: "rest" })];
      const runner = new ToolRunner({ tools: [pay], guardrails, approver: human });
      expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "approval" });
      expect(
        human.asked.map(({ reason, code, approval: { summary } }) => [reason, code, summary]),
      ).toEqual(
        [approved, later].map(({ reason, code, approval: shown }) => [
          reason,
          code,
          shown?.summary,
        ]),
      );
      expect(human.consumed).toEqual([]);
      expect(pay.runs).toEqual([]);
    },
  );

  it.each(others)(
    "P9 is asked anew when the call is resumed and the guard %s",
    async (__, later) => {
      const pay = spyTool("pay");
      let ids = 0;
      const human = approver(() => ({ decision: "pending", approvalId: `a${++ids}` }));
      const guardrails = [put(changing(later)), allowAll({ name: "rest" })];
      const runner = new ToolRunner({ tools: [pay], guardrails, approver: human });
      await runner.run(request);
      expect(await runner.resume("a1")).toMatchObject({ status: "denied", approvalId: "a2" });
      expect(human.asked).toHaveLength(2);
      expect(human.consumed).toEqual([]);
      expect(pay.runs).toEqual([]);
    },
  );
});

it("P9 is lifted by its approval though it says anew how long a question may wait", async () => {
  let left = 60_000;
  const until: GuardrailProvider = {
    name: "until",
    evaluate: ({ args }) =>
      args["cents"] === 0
        ? allow()
        : deny("late", { approval: { summary: "x", expiresInMs: left-- } }),
  };
  const pay = spyTool("pay");
  const human = approver(() => ({ decision: "approved", approvalId: "a1" }));
  const runner = new ToolRunner({ tools: [pay], guardrails: [until], approver: human });
  expect((await runner.run(request)).status).toBe("executed");
  expect(human.consumed).toEqual([["a1", human.asked[0]]]);
});

describe("P9 a call whose caller gives up while it is decided again", () => {
  it("P9 is not asked about another time", async () => {
    const caller = new AbortController();
    let decided = 0;
    const human = approver(approves);
    const gives = guard("gives up", {
      evaluate: () => {
        if (++decided === 2) caller.abort();
        return allow();
      },
    });
    const runner = runnerOf([gives, gate()], { approver: human });
    await expect(runner.run({ name: "send" }, { signal: caller.signal })).rejects.toMatchObject({
      code: "ERR_ABORTED",
    });
    expect([decided, human.asked.length]).toEqual([2, 1]);
  });
});
