import { allow, type Clock, deny, ToolRunner, tool } from "@toolstile/core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type ApprovalStore, approvals, memoryStore } from "../src/index.js";
import { stores } from "./every-store.js";
import { question } from "./questions.js";

const call = { name: "transfer", arguments: { amount: 9999 }, callId: "c1" };

/** A clock of which the test moves the hands: nothing waits by itself. */
function handClock() {
  let now = 1_000_000;
  const timers = new Map<object, { at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    setTimeout: (run, ms) => {
      const timer = {};
      timers.set(timer, { at: now + ms, run });
      return timer as never;
    },
    clearTimeout: (timer) => void timers.delete(timer as never),
  };
  const move = (ms: number) => {
    now += ms;
    for (const [timer, { at, run }] of timers) {
      if (at > now) continue;
      timers.delete(timer);
      run();
    }
  };
  return { clock, move, timers };
}

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

for (const [name, isThere, open] of stores) {
  describe.runIf(isThere)(`a call that waits for its answer, in ${name}`, () => {
    async function desk() {
      const store = await open();
      closing.push(() => store.close?.());
      const { clock, move, timers } = handClock();
      const approver = approvals({ store, wait: true, clock });
      const ran: unknown[] = [];
      const runner = new ToolRunner({
        tools: [tool({ name: "transfer", execute: (args: unknown) => ran.push(args) })],
        guardrails: [
          {
            name: "limits",
            evaluate: ({ args }) =>
              Number(args["amount"]) > 100
                ? deny("above 100", { code: "large", approval: { summary: "A large transfer" } })
                : allow(),
          },
        ],
        approver,
      });
      /** The approval, once somebody is asked. Time goes on meanwhile. */
      const asked = async () => {
        for (;;) {
          const { records } = await approver.list();
          const [record] = records;
          if (record !== undefined && timers.size > 0) return record.id;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      return { store, approver, runner, ran, asked, move, clock };
    }

    it("P9 runs once when somebody says yes, in another process too, and asks once", async () => {
      const { store, approver, runner, ran, asked, move, clock } = await desk();
      const running = runner.run(call);
      const id = await asked();
      expect(ran).toEqual([]);
      await approvals({ store, clock }).answer(id, { decision: "approved", by: "ann" });
      move(1_000);
      expect(await running).toMatchObject({ status: "executed" });
      expect(ran).toEqual([call.arguments]);
      expect(approver.statistics()).toMatchObject({ prompts: 1, used: 1 });
    });

    it("P9 is denied for the reason of a no", async () => {
      const { approver, runner, ran, asked, move } = await desk();
      const running = runner.run(call);
      const no = { decision: "denied", by: "ann", reason: "the account is closed" } as const;
      await approver.answer(await asked(), no);
      move(1_000);
      expect(await running).toMatchObject({
        status: "denied",
        reason: "above 100; the account is closed",
      });
      expect(ran).toEqual([]);
    });

    it("P4 P17 waits no longer than its time, its caller and its approver, and leaves no question behind", async () => {
      for (const end of ["time", "caller", "approver"] as const) {
        const { approver, runner, ran, asked, move, store, clock } = await desk();
        const caller = new AbortController();
        const running = runner
          .run(call, { signal: caller.signal })
          .catch((error: unknown) => error);
        await asked();
        if (end === "time") for (let left = 900; left > 0; left--) move(1_000);
        else if (end === "caller") caller.abort(new Error("enough"));
        else if (store.close === undefined) await approver.close();
        else continue;
        const outcome = await running;
        if (end === "time")
          expect(outcome).toMatchObject({ reason: "above 100; nobody answered in time" });
        expect(ran).toEqual([]);
        const left = async () => (await approvals({ store, clock }).list()).records;
        // A caller who left is not kept until the question is taken back.
        while ((await left()).length > 0) await new Promise((resolve) => setImmediate(resolve));
      }
    });
  });
}

describe("the option wait", () => {
  it("P17 lets many calls wait, of one caller too, without a warning of a leak", async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const { clock, timers } = handClock();
    const desk = approvals({ store: memoryStore(), wait: true, clock });
    const { signal } = new AbortController();
    const answers = Array.from({ length: 20 }, () => desk.ask(question(), { signal }));
    while (timers.size < 20) await new Promise((resolve) => setImmediate(resolve));
    await desk.close();
    for (const { decision } of await Promise.all(answers)) expect(decision).toBe("denied");
    expect(warnings).toEqual([]);
  });

  it("P5 does not stand beside a prompt, which waits by itself", async () => {
    const [[, , open]] = stores as [(typeof stores)[0]];
    const store = await open();
    const ask = { name: "ann", ask: async () => ({ decision: "approved", by: "ann" }) as const };
    expect(() => approvals({ store, ask, wait: true })).toThrow(
      "'wait' must not stand beside 'ask'",
    );
    expect(() => approvals({ store, wait: 5 } as never)).toThrow("'wait' must be a boolean");
  });
});

describe("a call that waits for its answer", () => {
  it.each<[string, ApprovalStore["watch"], number]>([
    ["tells of answers, every ten seconds", () => () => {}, 2],
    ["cannot watch now, every second", () => undefined, 11],
    ["never watches, every second", undefined, 11],
  ])("looks into a store that %s", async (_, watch, most) => {
    const { clock, move, timers } = handClock();
    const store = memoryStore();
    let reads = 0;
    const read: ApprovalStore["read"] = (id) => {
      reads += 1;
      return store.read(id);
    };
    const approver = approvals({ store: { ...store, watch, read }, wait: true, clock });
    const asking = approver.ask(question(), { signal: new AbortController().signal });
    for (let second = 0; second < 10; second++) {
      while (timers.size === 0) await new Promise((resolve) => setImmediate(resolve));
      move(1_000);
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reads).toBe(most);
    await approver.close();
    expect(await asking).toMatchObject({ decision: "denied" });
  });
});
