import { describe, expect, it } from "vitest";
import type { OpenedCall, StoppedCall, ToolAnswer } from "../src/host/index.js";
import {
  allow,
  allowAll,
  deny,
  type Fault,
  modify,
  type SettledCall,
  type ToolObserver,
  type ToolOutcome,
  type ToolResult,
  ToolRunner,
  tool,
  toolResult,
} from "../src/index.js";
import type { ReceiptSigner } from "../src/provider/index.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle, ticks } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";

const guardrails = [allowAll()];

const mail = tool({ name: "send_mail", execute: () => "sent" });

interface Signed {
  readonly call: SettledCall;
  readonly result: ToolResult;
}

function recordingSigner(): ReceiptSigner & { readonly asked: Signed[] } {
  const asked: Signed[] = [];
  return {
    name: "signer",
    asked,
    sign: (call, result) => `receipt-${asked.push({ call, result })}`,
  };
}

const failures: readonly (readonly [string, ReceiptSigner["sign"]])[] = [
  [
    "throws",
    () => {
      throw new Error("secret");
    },
  ],
  ["rejects", () => Promise.reject(new Error("secret"))],
  ["gives an empty text", () => ""],
  ["gives no text", () => 7 as never],
];

function closing(opened: OpenedCall | StoppedCall, answer: ToolAnswer): Promise<ToolOutcome> {
  if (opened.permit === undefined) throw new Error("the call was stopped");
  return opened.close(answer);
}

describe("a receipt signer", () => {
  it("P19 signs the result as the model will read it, with the receipt of its call", async () => {
    const receiptSigner = recordingSigner();
    const runner = new ToolRunner({ tools: [mail], guardrails: [allowAll()], receiptSigner });
    const outcome = await runner.run({ name: "send_mail", callId: "c1", receipt: "issued" });
    expect(outcome.result).toMatchObject({ content: "sent", receipt: "receipt-1" });
    const [{ call, result }] = receiptSigner.asked as [Signed];
    expect(call).toMatchObject({ callId: "c1", receipt: "issued" });
    expect(result).toMatchObject({ callId: "c1", content: "sent" });
  });

  it.each([
    ["denied", { name: "g", evaluate: () => deny("no") }, {}],
    ["withheld", { ...allowAll(), name: "g" }, { judge: () => deny("no") }],
    ["invalid", allowAll(), { arguments: "[" }],
  ] as const)(
    "P19 signs what the model reads of a call that was %s",
    async (status, guard, more) => {
      const receiptSigner = recordingSigner();
      const judge = "judge" in more ? [{ name: "judge", evaluateResult: more.judge }] : [];
      const guardrails = [
        guard.name === "g" && status === "withheld" ? allowAll() : guard,
        ...judge,
      ];
      const runner = new ToolRunner({ tools: [mail], guardrails, receiptSigner });
      const request = { name: "send_mail", ...("arguments" in more ? more : {}) };
      const outcome = await runner.run(request);
      expect(outcome.status).toBe(status);
      expect(outcome.result.receipt).toBe("receipt-1");
      expect(receiptSigner.asked[0]?.result.content).toBe(outcome.result.content);
    },
  );

  it("P19 puts the signer's receipt in place of one that the tool claims", async () => {
    const forging = tool({
      name: "t",
      execute: () => toolResult({ content: "x", receipt: "forged" }),
    });
    const signed = new ToolRunner({
      tools: [forging],
      guardrails: [allowAll()],
      receiptSigner: recordingSigner(),
    });
    expect((await signed.run({ name: "t" })).result.receipt).toBe("receipt-1");
  });

  it.each(failures)(
    "P19 leaves no receipt, not even a claimed one, when it %s",
    async (_, sign) => {
      const faults: Fault[] = [];
      const forging = tool({
        name: "t",
        execute: () => toolResult({ content: "x", receipt: "forged" }),
      });
      const runner = new ToolRunner({
        tools: [forging],
        guardrails: [allowAll()],
        receiptSigner: { name: "signer", sign },
        onFault: (fault) => faults.push(fault),
      });
      const outcome = await runner.run({ name: "t" });
      expect(outcome.status).toBe("executed");
      expect(outcome.result.receipt).toBeUndefined();
      expect(faults.map(({ source, phase }) => [source, phase])).toEqual([["signer", "sign"]]);
    },
  );

  it("P19 does not take a receipt that comes after its time", async () => {
    const clock = new HandClock();
    let give: (receipt: string) => void = () => {};
    const receiptSigner = {
      name: "signer",
      timeoutMs: 50,
      sign: () => new Promise<string>((resolve) => (give = resolve)),
    };
    const runner = new ToolRunner({
      tools: [mail],
      guardrails: [allowAll()],
      receiptSigner,
      clock,
    });
    const running = runner.run({ name: "send_mail" });
    while (clock.waiting === 0) await Promise.resolve();
    clock.pass(50);
    const outcome = await running;
    give("late");
    await Promise.resolve();
    expect(outcome.result.receipt).toBeUndefined();
  });

  it("P19 does not take a receipt that comes while the guards are told of the end", async () => {
    const clock = new HandClock();
    let give: (receipt: string) => void = () => {};
    const told = deferred<void>();
    const runner = new ToolRunner({
      tools: [mail],
      guardrails: [{ ...allowAll(), settle: () => told.promise }],
      receiptSigner: {
        name: "signer",
        timeoutMs: 50,
        sign: () => new Promise<string>((resolve) => (give = resolve)),
      },
      clock,
    });
    const running = runner.run({ name: "send_mail" });
    while (clock.waiting === 0) await Promise.resolve();
    clock.pass(50);
    await idle();
    give("late");
    await idle();
    told.resolve();
    expect((await running).result.receipt).toBeUndefined();
  });

  it("P19 has the time that guards have, where it says none of its own", async () => {
    const clock = new HandClock();
    const faults: string[] = [];
    const runner = new ToolRunner({
      tools: [mail],
      guardrails: [allowAll()],
      receiptSigner: { name: "signer", sign: () => new Promise<string>(() => {}) },
      timeoutMs: 70,
      onFault: ({ source }) => void faults.push(source),
      clock,
    });
    const running = runner.run({ name: "send_mail" });
    while (clock.waiting === 0) await Promise.resolve();
    clock.pass(69);
    expect(clock.waiting).toBe(1);
    clock.pass(1);
    expect((await running).result.receipt).toBeUndefined();
    expect(faults).toEqual(["signer"]);
  });

  it("P19 signs anew what a record that could not be written has changed", async () => {
    const receiptSigner = recordingSigner();
    const broken: ToolObserver = {
      name: "audit",
      required: true,
      settle: () => {
        throw new Error("disk");
      },
    };
    const runner = new ToolRunner({
      tools: [mail],
      guardrails: [allowAll()],
      observers: [broken],
      receiptSigner,
    });
    const outcome = await runner.run({ name: "send_mail" });
    expect(outcome.status).toBe("withheld");
    expect(outcome.result.receipt).toBe("receipt-2");
    expect(receiptSigner.asked[1]?.result.content).toBe(outcome.result.content);
  });

  it("is not asked about a call that was released, of which there is no result yet", async () => {
    const receiptSigner = recordingSigner();
    const runner = new ToolRunner({ tools: [mail], guardrails: [allowAll()], receiptSigner });
    const opened = await runner.open({ name: "send_mail" });
    await closing(opened, { released: true });
    expect(receiptSigner.asked).toEqual([]);
  });

  it.each([{ name: "", sign: () => "" }, { name: "x" }, 7])(
    "is refused at load when it is none: %j",
    (signer) => {
      expect(
        () => new ToolRunner({ guardrails: [], receiptSigner: signer as unknown as ReceiptSigner }),
      ).toThrowError(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
    },
  );

  it("lets a guard see the receipt that came with the call", async () => {
    const seen: unknown[] = [];
    const guard = {
      name: "g",
      evaluate: (call: SettledCall) => {
        seen.push(call.receipt);
        return seen.length === 1 ? modify({ a: 1 }) : { decision: "allow" as const };
      },
    };
    const runner = new ToolRunner({ tools: [mail], guardrails: [guard] });
    await runner.run({ name: "send_mail", receipt: "r" });
    await runner.run({ name: "send_mail", receipt: 7 as never });
    expect(seen).toEqual(["r", undefined]);
  });
});

describe("a call that was opened and never used", () => {
  it("P14 gives back what it took, and is aborted before it ran", async () => {
    const told: unknown[] = [];
    const guard = {
      ...{ name: "g", evaluate: () => ({ decision: "allow" as const }) },
      settle: (_: SettledCall, { executed }: { executed: unknown }) => void told.push(executed),
    };
    const runner = new ToolRunner({ tools: [mail], guardrails: [guard] });
    const opened = await runner.open({ name: "send_mail" });
    const outcome = await closing(opened, { unused: true });
    expect(outcome).toMatchObject({ status: "aborted", executed: false });
    expect(told).toEqual([false]);
  });

  it("P14 is not believed when its permit has let the tool in", async () => {
    const sealed = tool({ name: "s", sealed: true, execute: () => "ran" });
    const runner = new ToolRunner({ tools: [sealed], guardrails: [allowAll()] });
    const opened = await runner.open({ name: "s" });
    if (opened.permit === undefined) throw new Error("the call was stopped");
    sealed.execute?.(opened.call.args, { permit: opened.permit } as never);
    expect(await opened.close({ unused: true })).toMatchObject({
      status: "aborted",
      executed: "unknown",
    });
  });

  it("P6 takes an answer whose `then` throws when it is read for one that JSON cannot hold", async () => {
    const runner = new ToolRunner({ tools: [mail], guardrails: [allowAll()] });
    const opened = await runner.open({ name: "send_mail" });
    const value = Object.defineProperty({}, "then", {
      enumerable: true,
      get: () => {
        throw new Error("read");
      },
    });
    expect(await closing(opened, { value })).toMatchObject({
      status: "failed",
      error: { code: "ERR_NOT_JSON" },
    });
  });

  it.each([{ unused: false }, { unused: 1 }, { unused: true, released: true }, {}])(
    "must be said plainly: %j is refused and leaves the call open",
    async (answer) => {
      const runner = new ToolRunner({ tools: [mail], guardrails: [allowAll()] });
      const opened = await runner.open({ name: "send_mail" });
      expect(() => closing(opened, answer as never)).toThrowError(
        expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
      );
      expect(await closing(opened, { unused: true })).toMatchObject({ executed: false });
    },
  );
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
