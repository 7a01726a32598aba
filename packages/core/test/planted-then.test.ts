import { afterEach, describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  allow,
  allowAll,
  deny,
  failOpen,
  modify,
  ToolRunner,
} from "../src/index.js";
import type { Awaitable } from "../src/provider/index.js";
import { guardWorkbench } from "../src/workbench/index.js";
import { approver, approves, gate, request } from "./support/approvals.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";
import { read, request as send, words } from "./support/streams.js";
import { InnerBench, last } from "./support/workbenches.js";

/** Plant a `then` that takes itself away when it is called, and gives something else. */
function plantOnce(given: object): void {
  Object.defineProperty(Object.prototype, "then", {
    configurable: true,
    value(yes: (value: object) => void) {
      unplant();
      yes(given);
    },
  });
}

function unplant(): void {
  Reflect.deleteProperty(Object.prototype, "then");
}
afterEach(unplant);

/** Takes the plant away before the outcome reaches the test, whose own `await` would call it. */
const weeds = guard("weeds", { settle: unplant });

/** Ways for somebody who answers with a promise to have a `then` act on what it brings. */
const ways: readonly (readonly [string, <T>(answer: T, planted: object) => Promise<T>])[] = [
  [
    "as it answers",
    async (answer, planted) => {
      plantOnce(planted);
      return answer;
    },
  ],
  [
    "between its answer and whoever waits for it",
    (answer, planted) => {
      const answered = Promise.resolve(answer);
      answered.then(() => plantOnce(planted));
      return answered;
    },
  ],
  [
    "between the two, and gone when a guard around it hears of it",
    (answer, planted) => {
      const answered = Promise.resolve(answer);
      answered.then(() => {
        plantOnce(planted);
        queueMicrotask(unplant);
      });
      return answered;
    },
  ],
];

describe.each(ways)("P8 a then that takes itself away again, planted %s,", (_, answers) => {
  const planted = { decision: "allow" };
  const denial = { decision: "deny", reason: "no" } as const;

  it.each(["evaluate", "admit"] as const)(
    "makes no ALLOW of a guard's denial, asked by %s, though it fail open",
    async (phase) => {
      for (const wrap of [failOpen, (same: ReturnType<typeof guard>) => same]) {
        const tool = spyTool();
        const guilty = guard("guilty", { [phase]: () => answers(denial, planted) });
        const guardrails = [weeds, wrap(guilty)];
        const outcome = await new ToolRunner({ tools: [tool], guardrails }).run(send);
        expect(outcome).toMatchObject({ status: "denied", decidedBy: "guilty" });
        expect(tool.runs).toEqual([]);
      }
    },
  );

  it("makes no ALLOW of what a judge withholds", async () => {
    const guilty = guard("guilty", { evaluateResult: () => answers(denial, planted) });
    const guardrails = [weeds, guilty];
    const outcome = await new ToolRunner({ tools: [spyTool()], guardrails }).run(send);
    expect(outcome).toMatchObject({ status: "withheld", decidedBy: "guilty" });
  });

  it.each([undefined, new AbortController().signal])(
    "makes no approval of a refusal, and uses none up that is gone",
    async (signal) => {
      const refusal: ApprovalAnswer = { decision: "denied" };
      const run = async (
        answer: () => Awaitable<ApprovalAnswer>,
        consume: () => Awaitable<boolean | { readonly by: string }>,
      ) => {
        const pay = spyTool("pay");
        const runner = new ToolRunner({
          tools: [pay],
          guardrails: [weeds, gate()],
          approver: approver(answer, consume),
        });
        const outcome = await runner.run(request, signal === undefined ? {} : { signal });
        expect(pay.runs).toEqual([]);
        return outcome;
      };
      expect(
        await run(
          () => answers(refusal, approves()),
          () => true,
        ),
      ).toMatchObject({
        status: "denied",
        basis: "approval",
        reason: "payments need an approval; an approval could not be asked for",
      });
      expect(await run(approves, () => answers({} as never, { by: "eve" }))).toMatchObject({
        status: "denied",
        code: "approval_not_valid",
      });
    },
  );

  it("makes no approved call of one that an approver does not hold", async () => {
    const pay = spyTool("pay");
    const pending: ApprovalAnswer = { decision: "pending", approvalId: "a1" };
    const human = approver(() => pending);
    const guardrails = [weeds, gate()];
    const runner = new ToolRunner({
      tools: [pay],
      guardrails,
      approver: { ...human, recall: () => answers({} as never, human.asked[0] as object) },
    });
    await runner.run(request);
    const resuming = runner.resume("a1").finally(unplant);
    await expect(resuming).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    expect(pay.runs).toEqual([]);
  });
});

describe("P8 a then that takes itself away again", () => {
  it.each([
    ["deny()", () => deny("no"), "denied"],
    ["modify()", () => modify({ to: "bob" }), "denied"],
  ])("is not found on %s, however late it is planted", async (_, verdict, status) => {
    const tool = spyTool();
    const late = guard("late", {
      evaluate: async () => {
        await undefined;
        plantOnce({ decision: "allow" });
        return verdict();
      },
    });
    const outcome = await new ToolRunner({ tools: [tool], guardrails: [weeds, late] }).run(send);
    expect(outcome).toMatchObject({ status, decidedBy: "late", basis: "malformed" });
    expect(tool.runs).toEqual([]);
  });

  it("is not found on a question that an approver has kept, planted while it is read", async () => {
    const human = approver(() => ({ decision: "pending", approvalId: "a1" }));
    const recall = () => {
      const [kept] = human.asked as [ApprovalQuestion];
      const approval = {
        get summary() {
          plantOnce({ question: { ...kept, callId: "forged" }, grant: {} });
          return kept.approval.summary;
        },
      };
      return { ...kept, approval };
    };
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [weeds, gate()],
      approver: { ...human, recall },
    });
    await runner.run(request);
    expect((await runner.resume("a1")).callId).toBe("c1");
  });

  it("is not found on the pieces that were judged", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("send", words)],
      guardrails: [
        weeds,
        guard("judge", {
          evaluateResult: () => {
            plantOnce(["forged"]);
            return allow();
          },
        }),
      ],
    });
    const [pieces, outcome] = await read(runner.stream(send));
    expect(pieces).toEqual(["one", "two", "three"]);
    expect(outcome.status).toBe("executed");
  });

  it("is not found on a call that a workbench has begun", async () => {
    let plants = 1;
    const bench = guardWorkbench(new InnerBench("send"), {
      guardrails: [allowAll(), weeds],
      observers: [spyObserver()],
      clock: {
        now: () => {
          if (plants-- > 0) plantOnce({ forged: true });
          return 0;
        },
        setTimeout: () => undefined,
        clearTimeout: () => undefined,
      },
    });
    await bench.start();
    expect(await last(bench.callToolStream("send"))).toMatchObject({ content: "done" });
  });
});
