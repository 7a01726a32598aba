import { describe, expect, it } from "vitest";
import {
  ApprovalRequests,
  type FoundApproval,
  type ReadableApprover,
} from "../../src/host/index.js";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  type RunOptions,
  type ToolOutcome,
  ToolRunner,
} from "../../src/index.js";
import { gate } from "../support/approvals.js";

const request = { name: "pay", arguments: { cents: 9900 }, callId: "c1" };
const session: RunOptions = { context: { sessionId: "s1" } };

/** The approvals of calls that a gate denies, and an approver that gives these answers in turn. */
function scene(answers: readonly ApprovalAnswer[], more: Partial<ReadableApprover> = {}) {
  const asked: ApprovalQuestion[] = [];
  const approver: ReadableApprover = {
    name: "desk",
    ask: (question) => answers[asked.push(question) - 1] as ApprovalAnswer,
    recall: () => undefined,
    consume: () => true,
    ...more,
  };
  const options = {
    tools: [{ name: "pay", execute: () => "paid" }],
    guardrails: [gate()],
    unchecked: true,
    approver,
  };
  const requests = new ApprovalRequests(options);
  const runner = new ToolRunner({ ...options, approver: requests.approver });
  return { asked, requests, runner };
}

const pending = (approvalId: string): ApprovalAnswer => ({ decision: "pending", approvalId });
const approved: ApprovalAnswer = { decision: "approved", approvalId: "a1" };
const refused: ApprovalAnswer = { decision: "denied", reason: "no" };

describe("an approval that is given at once", () => {
  it("P9 is of one call: the next with the same id is asked about anew", async () => {
    const { asked, runner } = scene([approved, refused]);
    expect((await runner.run(request, session)).status).toBe("executed");
    expect((await runner.run(request, session)).status).toBe("denied");
    expect(asked).toHaveLength(2);
  });

  it("needs nobody of the framework's, nor does one that is refused at once", async () => {
    const { requests } = scene([approved, refused]);
    expect(await requests.neededFor(request, session)).toBeUndefined();
    expect(await requests.neededFor(request, session)).toBeUndefined();
  });

  it("P9 is not looked for again where it was refused at once", async () => {
    let looks = 0;
    const record = { id: "a9", question: { approval: { summary: "x" } } } as FoundApproval;
    const { requests } = scene([refused], { find: () => (looks++ === 0 ? undefined : record) });
    expect(await requests.neededFor(request, session)).toBeUndefined();
    expect(looks).toBe(1);
  });
});

describe("an approval that another process asked for", () => {
  it("P9 is found, and waits from then on as one of this process", async () => {
    const kept: FoundApproval[] = [];
    const { asked, requests } = scene([], {
      find: (isIt) => kept.find((each) => isIt(each.question)),
    });
    const other = scene([pending("a7")]);
    await other.requests.neededFor(request, session);
    kept.push({ id: "a7", question: other.asked[0] as ApprovalQuestion });
    expect(await requests.neededFor(request, session)).toMatchObject({ summary: "Pay 99 EUR" });
    expect(asked).toEqual([]);
    const resumed: string[] = [];
    const resume = async (id: string) => {
      resumed.push(id);
      return { status: "executed" } as ToolOutcome;
    };
    await requests.resumed(request, session, resume);
    expect(resumed).toEqual(["a7"]);
  });
});

describe("calls that cannot be told from others", () => {
  it("P9 are asked about each time, and none is taken for another that waits", async () => {
    const looked: object[] = [];
    const { asked, runner } = scene([pending("a1"), pending("a2")], {
      find: (_, call) => void looked.push(call),
    });
    const context = { sessionId: "s1", attributes: { at: new Date(0) } };
    for (const approvalId of ["a1", "a2"]) {
      expect(await runner.run(request, { context })).toMatchObject({ approvalId });
    }
    expect([asked.length, looked]).toEqual([2, []]);
  });
});

describe("an approval that was taken up while the framework asked again", () => {
  it("P9 leaves the newer question of the same call waiting", async () => {
    const states = new Map([["a1", "pending"]]);
    const { requests } = scene([pending("a1"), pending("a2")], {
      read: (id) => ({ state: states.get(id) ?? "pending" }),
    });
    await requests.neededFor(request, session);
    const resumed: string[] = [];
    const resume = async (id: string): Promise<ToolOutcome> => {
      resumed.push(id);
      states.set("a1", "expired");
      if (id === "a1") await requests.neededFor(request, session);
      return { status: "executed" } as ToolOutcome;
    };
    await requests.resumed(request, session, resume);
    await requests.resumed(request, session, resume);
    expect(resumed).toEqual(["a1", "a2"]);
  });
});

describe("an approval that has expired", () => {
  it("P9 is not taken up, even where the next question was refused at once", async () => {
    const states = ["pending", "expired"];
    const { requests } = scene([pending("a1"), refused], {
      read: () => ({ state: states.shift() ?? "expired" }),
    });
    await requests.neededFor(request, session);
    expect(await requests.neededFor(request, session)).toBeUndefined();
    const resume = (): never => {
      throw new Error("it was taken up");
    };
    expect(await requests.resumed(request, session, resume)).toBeUndefined();
  });
});

it("an error of another kind with the code of an approval's is thrown to who takes it up", async () => {
  const { requests } = scene([pending("a1")]);
  await requests.neededFor(request, session);
  const error = Object.assign(new Error("another"), { code: "ERR_APPROVAL" });
  const resume = () => Promise.reject(error);
  await expect(requests.resumed(request, session, resume)).rejects.toBe(error);
});
