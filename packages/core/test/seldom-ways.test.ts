import { describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import { conversationOf, textOfResult, withConversation } from "../src/host/index.js";
import {
  type ApprovalAnswer,
  allow,
  allowAll,
  type CallRecord,
  type Fault,
  liveChain,
  ToolRunner,
  textOf,
} from "../src/index.js";
import { approver, gate } from "./support/approvals.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, polluted, spyObserver, spyTool } from "./support/runners.js";
import { read } from "./support/streams.js";

const guardrails = [allowAll()];

describe("the id of a call", () => {
  const opened = async (runner: ToolRunner, sessionId: string | undefined, turnId: string) => {
    const context = { sessionId };
    return runner.open({ name: "send", callId: "c1" }, { context, turnId });
  };

  it("may be open in one turn's name of each session, and once in each", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails });
    const sessions = [undefined, "undefined", "", "s1", "s2"];
    for (const session of sessions) {
      expect((await opened(runner, session, "t1")).outcome).toBeUndefined();
    }
    for (const session of sessions) {
      expect((await opened(runner, session, "t1")).outcome).toMatchObject({
        code: "duplicate_call_id",
      });
    }
  });
});

describe("a receipt of a call", () => {
  it.each([undefined, "", 7])("counts as absent where it is %j", async (receipt) => {
    const observer = spyObserver();
    const receipts: unknown[] = [];
    const notes = guard("notes", {
      evaluate: (call) => {
        receipts.push(call.receipt);
        return allow();
      },
    });
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [notes],
      observers: [observer],
    });
    await runner.run({ name: "send", receipt: receipt as never });
    expect(receipts).toEqual([undefined]);
  });

  it.each(Array.from({ length: 16 }, (_, turns) => turns))(
    "P19 that comes late, by %i turns, does not bring back a result that could not be put on record",
    async (turns) => {
      const clock = new HandClock();
      const receipts = [deferred<string>(), deferred<string>()];
      let signed = 0;
      const runner = new ToolRunner({
        tools: [spyTool("send", () => "the answer")],
        guardrails,
        clock,
        receiptSigner: {
          name: "slow",
          timeoutMs: 10,
          sign: () => (receipts[signed++] as (typeof receipts)[0]).promise,
        },
        observers: [
          {
            name: "full",
            required: true,
            settle: () => {
              throw new Error("disk full");
            },
          },
        ],
        onFault: () => {},
      });
      const running = runner.run({ name: "send" });
      await idle();
      clock.pass(10);
      await idle();
      expect(signed).toBe(2);
      receipts[1]?.resolve("right");
      await ticks(turns);
      receipts[0]?.resolve("late");
      expect(await running).toMatchObject({
        status: "withheld",
        code: "audit",
        result: { receipt: "right" },
      });
    },
  );
});

describe("the pieces of a stream", () => {
  it("P6 are not given where one of them is what JSON cannot hold", async () => {
    const tool = spyTool("send", async function* () {
      yield "one";
      yield new Map();
      yield "three";
    });
    const judge = { name: "judge", evaluateResult: () => allow() };
    const runner = new ToolRunner({ tools: [tool], guardrails: [...guardrails, judge] });
    const [pieces, outcome] = await read(runner.stream({ name: "send" }));
    expect([pieces, outcome.status]).toEqual([[], "failed"]);
  });
});

describe("the version on a record", () => {
  it("names that of each live chain whose rules were in force", async () => {
    const records: CallRecord[] = [];
    const chains = ["one", "two", undefined].map((policyVersion, at) =>
      liveChain([allowAll({ name: `g${at}` })], { name: `chain ${at}`, policyVersion }),
    );
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: chains.map(({ guardrail }) => guardrail),
      observers: [{ name: "log", settle: (record) => void records.push(record) }],
    });
    await runner.run({ name: "send" });
    expect(records.map(({ policyVersion }) => policyVersion)).toEqual(["one+two"]);
  });
});

describe("tools that come later", () => {
  it("P5 are refused under the name of an alias, and the others are loaded", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("send")],
      aliases: { mail: "send" },
      guardrails,
      onFault: () => {},
    });
    const refused = runner.setTools([spyTool("mail"), spyTool("send"), {} as never]);
    expect(refused.map(({ name, refusedBy }) => [name, refusedBy])).toEqual([
      ["mail", "core"],
      ["", "core"],
    ]);
    expect(runner.tools.map(({ name }) => name)).toEqual(["send"]);
    expect((await runner.run({ name: "mail" })).status).toBe("executed");
  });
});

describe("a member of an observer", () => {
  const observed = (key: string) => () =>
    new ToolRunner({
      guardrails,
      observers: [{ name: "log", settle: () => {}, [key]: () => {} } as never],
    });

  it.each(["intnet", "xntent", "xettle", "xequired"])(
    "P5 that is a slip, as %s, is refused",
    (key) => {
      expect(observed(key)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_MEMBER" }));
    },
  );

  it.each(["xxtent", "xxttle", "xxquired"])("that differs more, as %s, is its own", (key) => {
    expect(observed(key)).not.toThrow();
  });
});

describe("P9 the wrapped executor's call that is resumed", () => {
  it.each<[string, object]>([
    ["no context", {}],
    ["a context", { context: { principal: "ada" } }],
    ["undefined as context", { context: undefined }],
    ["null as context", { context: null }],
  ])("P9 runs where the host describes it with %s", async (_, described) => {
    const answers: ApprovalAnswer[] = [{ decision: "pending", approvalId: "a1" }];
    const human = approver(() => answers[0] as ApprovalAnswer);
    let asking = true;
    const safe = guardExecutor(async () => "paid", {
      tools: [{ name: "pay" }],
      guardrails: [gate()],
      approver: human,
      describe: () => (asking ? {} : (described as object)),
    });
    await safe("pay", { cents: 1 });
    asking = false;
    expect(await safe.resume("a1")).toMatchObject({ status: "executed", value: "paid" });
  });
});

describe("a conversation", () => {
  const read = () => ({ userTexts: [], hasResults: false });

  it("is put beside no context that core will refuse", () => {
    for (const context of [null, Object.create({ sessionId: "s" })]) {
      expect(withConversation(context as never, read)).toBe(context);
    }
    const copy = withConversation(undefined, read);
    expect(conversationOf(copy as object)).toEqual(read());
  });
});

describe("a part of text without a text", () => {
  it("P15 has none that is planted on the root prototype", async () => {
    const part = { type: "text", note: "tea" };
    await polluted({ text: "planted" }, async () => {
      expect(textOf({ content: [part] as never })).toBe(JSON.stringify([part]));
      expect(textOfResult({ content: [part] } as never)).toBe(JSON.stringify(part));
    });
  });
});

describe("a deep result that a guard writes anew", () => {
  const deep = (levels: number) => {
    let value: unknown = "leaf";
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };

  it.each([10, 100])(
    "P6 counts as unchanged where it is the same, %i levels deep",
    async (levels) => {
      const faults: Fault[] = [];
      const judge = guard("same", {
        evaluateResult: (_call, { content, structured }) =>
          ({ decision: "modify", modifiedResult: { content, structured } }) as never,
      });
      const runner = new ToolRunner({
        tools: [spyTool("send", () => deep(levels))],
        guardrails: [judge],
        onFault: (fault) => void faults.push(fault),
      });
      const { status, decisions } = await runner.run({ name: "send" });
      expect([status, decisions.at(-1)?.decision, faults]).toEqual(["executed", "allow", []]);
    },
  );
});
