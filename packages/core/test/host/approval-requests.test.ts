import { describe, expect, it } from "vitest";
import {
  ApprovalRequests,
  type FoundApproval,
  type ReadableApprover,
} from "../../src/host/index.js";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  allow,
  allowAll,
  deny,
  type GuardrailProvider,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "../../src/index.js";
import { gate } from "../support/approvals.js";
import { idle } from "../support/promises.js";

const request = { name: "pay", arguments: { cents: 9900 }, callId: "c1" };
const session = { context: { sessionId: "s1" } };

/** An approver that keeps what it is asked, and says of each approval what the test says. */
function desk(more: Partial<ReadableApprover> = {}) {
  const asked: ApprovalQuestion[] = [];
  const states = new Map<string, string>();
  const approver: ReadableApprover = {
    name: "desk",
    ask: async (question) => {
      asked.push(question);
      const approvalId = `a${asked.length}`;
      states.set(approvalId, "pending");
      return { decision: "pending", approvalId };
    },
    recall: async (id) =>
      states.get(id) === "approved" ? asked[Number(id.slice(1)) - 1] : undefined,
    consume: async (id) => {
      const given = states.get(id) === "approved";
      states.set(id, "used");
      return given;
    },
    read: async (id) => {
      const state = states.get(id) ?? "unknown";
      return {
        state,
        record: state === "denied" ? { answer: { decision: "denied", reason: "too much" } } : {},
      };
    },
    ...more,
  };
  return { asked, states, approver };
}

function scene(approver: ReadableApprover, guardrails: readonly GuardrailProvider[] = [gate()]) {
  const runs: unknown[] = [];
  const tools = [{ name: "pay", execute: (args: unknown) => void runs.push(args) }];
  const options: ToolRunnerOptions = {
    tools,
    guardrails: [...guardrails],
    unchecked: true,
    approver,
  };
  const requests = new ApprovalRequests(options);
  const runner = new ToolRunner({ ...options, approver: requests.approver });
  const resume = (id: string): Promise<ToolOutcome> => runner.resume(id);
  return { requests, runner, resume, runs };
}

describe("the approvals that a framework asks its user about", () => {
  it("P9 are asked for once a call, and run it once when they were given", async () => {
    const { asked, states, approver } = desk();
    const { requests, runner, resume, runs } = scene(approver);
    expect(await requests.resumed(request, session, resume)).toBeUndefined();
    const needed = await requests.neededFor(request, session);
    expect(needed).toMatchObject({ summary: "Pay 99 EUR", isRefused: false });
    expect(await requests.neededFor(request, session)).toMatchObject({ isRefused: false });
    expect(asked).toHaveLength(1);
    // Run before the answer is there: denied, and nobody is asked again.
    const early = await runner.run(request, session);
    expect(early).toMatchObject({ status: "denied", approvalId: "a1" });
    expect(asked).toHaveLength(1);
    expect(await requests.resumed(request, session, resume)).toBeUndefined();
    states.set("a1", "approved");
    expect(await requests.resumed(request, session, resume)).toMatchObject({ status: "executed" });
    expect(runs).toEqual([{ cents: 9900 }]);
    // It has been used: the next call with the same id is another.
    expect(await requests.resumed(request, session, resume)).toBeUndefined();
    await requests.neededFor(request, session);
    expect(asked).toHaveLength(2);
  });

  it("P9 are those of the call alone, by its id, arguments, tool, agent and facts", async () => {
    const { states, approver } = desk();
    const { requests, resume, runs } = scene(approver);
    await requests.neededFor(request, session);
    states.set("a1", "approved");
    const others: [object, object][] = [
      [{ ...request, callId: "c2" }, session],
      [{ ...request, callId: undefined }, session],
      [{ ...request, arguments: { cents: 1 } }, session],
      [{ ...request, name: "refund" }, session],
      [request, { ...session, agentName: "other" }],
      [request, { context: { sessionId: "s2" } }],
    ];
    for (const [asked, options] of others) {
      expect(await requests.resumed(asked as typeof request, options, resume)).toBeUndefined();
    }
    expect(runs).toEqual([]);
  });

  it("P9 are not those of another call, where an id that is no text of JSON's keeps both from being known", async () => {
    const { asked, states, approver } = desk();
    const { requests, runner, resume, runs } = scene(approver);
    const [one, other] = ["\ud800", "\udfff"].map((callId) => ({ ...request, callId }));
    await runner.run(one as typeof request, session);
    expect(asked).toHaveLength(1);
    states.set("a1", "approved");
    expect(await requests.resumed(other as typeof request, session, resume)).toBeUndefined();
    expect(runs).toEqual([]);
  });

  it("P9 are final once they were refused, and the call is denied for what the human said", async () => {
    const { asked, states, approver } = desk();
    const { requests, runner, runs } = scene(approver);
    await requests.neededFor(request, session);
    states.set("a1", "denied");
    expect(await requests.neededFor(request, session)).toMatchObject({ isRefused: true });
    const outcome = await runner.run(request, session);
    expect([outcome.status, outcome.result.content]).toEqual([
      "denied",
      expect.stringContaining("too much"),
    ]);
    expect([asked.length, runs]).toEqual([1, []]);
  });

  it("ask no guard again about a call that waits", async () => {
    let questions = 0;
    const counts: GuardrailProvider = {
      name: "counts",
      evaluate: () => {
        questions++;
        return allow();
      },
    };
    const { requests } = scene(desk().approver, [counts, gate()]);
    await requests.neededFor(request, session);
    const before = questions;
    expect(await requests.neededFor(request, session)).toMatchObject({ summary: "Pay 99 EUR" });
    expect(questions).toBe(before);
  });

  it("are told of only when the guards that were asked have given back what they took", async () => {
    let [taken, givenBack] = [0, 0];
    const slow: GuardrailProvider = {
      name: "slow",
      evaluate: () => allow(),
      admit: () => {
        taken++;
        return allow();
      },
      settle: async () => {
        await idle();
        givenBack++;
      },
    };
    await scene(desk().approver, [slow]).requests.neededFor(request, session);
    expect([taken, givenBack]).toEqual([1, 1]);
  });

  it("are asked for again when they have expired", async () => {
    const { asked, states, approver } = desk();
    const { requests } = scene(approver);
    await requests.neededFor(request, session);
    states.set("a1", "expired");
    expect(await requests.neededFor(request, session)).toMatchObject({ isRefused: false });
    expect(asked).toHaveLength(2);
  });

  it("still wait where the approver cannot tell", async () => {
    for (const read of [undefined, () => Promise.reject(new Error("no database"))]) {
      const { asked, approver } = desk({ read });
      const { requests } = scene(approver);
      await requests.neededFor(request, session);
      expect(await requests.neededFor(request, session)).toMatchObject({ isRefused: false });
      expect(asked).toHaveLength(1);
    }
  });

  it("are none where the call needs none, or where none would help", async () => {
    const { asked, approver } = desk();
    expect(
      await scene(approver, [allowAll()]).requests.neededFor(request, session),
    ).toBeUndefined();
    const hard = { name: "hard", evaluate: () => deny("never") };
    expect(
      await scene(approver, [hard, gate()]).requests.neededFor(request, session),
    ).toBeUndefined();
    const nameless = { ...request, callId: undefined };
    expect(await scene(approver).requests.neededFor(nameless, session)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("P9 are asked about when the call is run, where the framework did not ask before", async () => {
    const { asked, states, approver } = desk();
    const { requests, runner, resume, runs } = scene(approver);
    const denied = await runner.run(request, session);
    expect(denied).toMatchObject({ status: "denied", approvalId: "a1" });
    expect(await requests.lifted(denied, request, session, resume)).toBe(denied);
    states.set("a1", "approved");
    expect(await requests.lifted(denied, request, session, resume)).toMatchObject({
      status: "executed",
    });
    expect([asked.length, runs.length]).toEqual([1, 1]);
  });

  it("P9 lift no outcome but a denial that has an approval", async () => {
    const { states, approver } = desk();
    const { requests, runner, runs } = scene(approver);
    const denied = await runner.run(request, session);
    states.set("a1", "approved");
    const never = (): never => {
      throw new Error("must not be resumed");
    };
    const withoutId = { ...denied, approvalId: undefined } as ToolOutcome;
    expect(await requests.lifted(withoutId, request, session, never)).toBe(withoutId);
    const executed = { ...denied, status: "executed" } as unknown as ToolOutcome;
    expect(await requests.lifted(executed, request, session, never)).toBe(executed);
    expect(runs).toEqual([]);
  });

  it("give a fault that is not about the approval to the framework", async () => {
    const { states, approver } = desk();
    const { requests } = scene(approver);
    await requests.neededFor(request, session);
    states.set("a1", "approved");
    const faults = [new Error("broken"), new ToolstileError("ERR_ABORTED", "left")];
    for (const fault of faults) {
      const resume = (): Promise<never> => Promise.reject(fault);
      await expect(requests.resumed(request, session, resume)).rejects.toBe(fault);
    }
  });

  it("keep an approval that was asked for while another call of the same key was resumed", async () => {
    const { approver } = desk();
    const { requests, runner } = scene(approver);
    await runner.run(request, session);
    const outcome = { status: "executed" } as ToolOutcome;
    expect(await requests.resumed(request, session, async () => outcome)).toBe(outcome);
    expect(await requests.resumed(request, session, async () => outcome)).toBeUndefined();
  });

  describe("that another process asked for", () => {
    const kept = async (answer?: FoundApproval["answer"]): Promise<FoundApproval> => {
      const { asked, approver } = desk();
      await scene(approver).requests.neededFor(request, session);
      return { id: "a7", question: asked[0] as ApprovalQuestion, answer };
    };

    async function found(found: FoundApproval, call: object = request, options: object = session) {
      const looks: object[] = [];
      const { asked, approver } = desk({
        find: (isIt, about) => {
          looks.push(about);
          return isIt(found.question) ? found : undefined;
        },
        read: undefined,
      });
      const { requests, runner } = scene(approver);
      const outcome = await runner.run(call as typeof request, options);
      return { looks, asked, outcome, requests };
    }

    it("P9 are found by the call and its session, and nobody is asked again", async () => {
      const { looks, asked, outcome } = await found(await kept());
      expect(looks).toEqual([{ callId: "c1", sessionId: "s1" }]);
      expect(outcome).toMatchObject({ status: "denied", approvalId: "a7" });
      expect(asked).toEqual([]);
    });

    it("P9 deny the call for good where they were refused there", async () => {
      const answer = { decision: "denied", reason: "not this one" };
      const { asked, outcome } = await found(await kept(answer));
      expect(outcome).toMatchObject({ status: "denied" });
      expect("approvalId" in outcome && outcome.approvalId).toBeFalsy();
      expect(outcome.result.content).toContain("not this one");
      expect(asked).toEqual([]);
    });

    it("P9 are not looked for without a session", async () => {
      const nowhere = await found(await kept(), request, {});
      expect([nowhere.looks, nowhere.asked.length]).toEqual([[], 1]);
    });

    it.each<[string, (question: ApprovalQuestion) => Partial<ApprovalQuestion>]>([
      ["another id", () => ({ callId: "c2" })],
      ["another tool", () => ({ requestedName: "refund" })],
      ["other arguments", () => ({ askedArgs: { cents: 1 } })],
      ["another agent", () => ({ agentName: "other" })],
      ["another tenant", ({ context }) => ({ context: { ...context, tenant: "t2" } })],
    ])("P9 are not taken for those of a call with %s", async (_, change) => {
      const theirs = await kept();
      const question = { ...theirs.question, ...change(theirs.question) };
      const { asked, outcome } = await found({ ...theirs, question });
      expect(outcome).toMatchObject({ approvalId: "a1" });
      expect(asked).toHaveLength(1);
    });
  });

  it("P9 take an answer at once as it is, and remember none that does not wait", async () => {
    const answers: ApprovalAnswer[] = [
      { decision: "denied", reason: "no" },
      { decision: "approved", approvalId: "a1" },
    ];
    for (const answer of answers) {
      const { approver } = desk({ ask: async () => answer, consume: async () => true });
      const { requests, runner, resume, runs } = scene(approver);
      const outcome = await runner.run(request, session);
      expect(outcome.status).toBe(answer.decision === "denied" ? "denied" : "executed");
      expect(runs).toHaveLength(answer.decision === "denied" ? 0 : 1);
      expect(await requests.resumed(request, session, resume)).toBeUndefined();
    }
  });

  it("need an approver, and refuse what is none", () => {
    const guardrails = [gate()];
    for (const approver of [
      undefined,
      {},
      { ...desk().approver, ask: 1 },
      { ...desk().approver, recall: 1 },
    ]) {
      expect(() => new ApprovalRequests({ guardrails, approver: approver as never })).toThrow(
        /^ApprovalRequests: 'approver' must be an object with a name, ask\(\), recall\(\) and consume\(\), received /,
      );
    }
  });
});
