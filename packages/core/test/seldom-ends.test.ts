import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type GuardrailProvider,
  modify,
  type SettledCall,
  ToolRunner,
  type ToolRunnerOptions,
  tool,
  when,
} from "../src/index.js";
import { idle } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

describe("the end of a call whose guards and observers take their time", () => {
  it("P6 is told to each of them in order, and its id is free before it is on record", async () => {
    const told: string[] = [];
    const later = (what: string) => async () => {
      await idle();
      told.push(what);
    };
    let again: unknown;
    const runner: ToolRunner = runnerOf({
      guardrails: [{ ...allowAll(), settle: later("guard") }],
      receiptSigner: {
        name: "signer",
        sign: async () => {
          await later("signer")();
          return "receipt";
        },
      },
      observers: [
        {
          name: "log",
          settle: async (record) => {
            const first = record.callId === "c1" && again === undefined;
            again ??= "opening";
            if (first) again = await runner.open({ name: "send", callId: "c1" });
            await later("observer")();
          },
        },
      ],
    });
    runner.on("settled", () => void told.push("listener"));
    const outcome = await runner.run({ name: "send", callId: "c1" });
    expect(outcome).toMatchObject({ status: "executed", result: { receipt: "receipt" } });
    expect(told).toEqual(["signer", "guard", "observer", "listener"]);
    expect(again).toMatchObject({ call: { callId: "c1" } });
  });

  it("is told to a guard with the arguments that ran", async () => {
    const calls: SettledCall[] = [];
    const runner = runnerOf({
      guardrails: [
        guard("changes", {
          evaluate: ({ args }) => (args["to"] === "ada" ? modify({ to: "eve" }) : allow()),
          settle: (call) => void calls.push(call),
        }),
      ],
    });
    await runner.run({ name: "send", arguments: { to: "ada" } });
    expect(calls.map(({ args }) => args)).toEqual([{ to: "eve" }]);
  });
});

describe("a call that never was open", () => {
  it.each<[string, object]>([
    ["with an id", { callId: "c0" }],
    ["without an id", {}],
  ])("P17 frees no place for another where it is invalid, %s", async (_, id) => {
    const runner = runnerOf({ maxOpenCalls: 1 });
    for (let time = 0; time < 3; time++) {
      expect((await runner.run({ name: "send", arguments: "[", ...id })).status).toBe("invalid");
    }
    expect((await runner.open({ name: "send", callId: "c1" })).outcome).toBeUndefined();
    expect((await runner.open({ name: "send", callId: "c2" })).outcome).toMatchObject({
      code: "too_many_open",
    });
  });
});

describe("an id that several sessions have open at once", () => {
  it("P10 is free for each of them when its own call is over, and for no other", async () => {
    const runner = runnerOf();
    const opening = (sessionId: string) =>
      runner.open({ name: "send", callId: "c1" }, { context: { sessionId } });
    const opened = [];
    for (const session of ["s0", "s1", "s2", "s3"]) opened.push(await opening(session));
    const third = opened[2];
    if (third?.permit === undefined) throw new Error("the call was stopped");
    await third.close({ value: "" });
    for (const session of ["s0", "s1", "s3"]) {
      expect((await opening(session)).outcome).toMatchObject({ code: "duplicate_call_id" });
    }
    expect((await opening("s2")).outcome).toBeUndefined();
  });
});

describe("the denial that a call would get with any arguments", () => {
  const denies: GuardrailProvider = { name: "own", evaluate: () => deny("never", { code: "no" }) };

  it("is found in a guard that the tool has of its own", () => {
    const guarded = tool({ name: "send", guardrails: [denies], execute: () => "" });
    expect(runnerOf({ tools: [guarded] }).denialOf("send")).toMatchObject({ decidedBy: "own" });
  });

  it("cannot be told behind a condition that fails", () => {
    const failing = (): never => {
      throw new Error("no");
    };
    expect(runnerOf({ guardrails: [when(failing, denies)] }).denialOf("send")).toBeUndefined();
  });
});

describe("an observer", () => {
  it("may have data of its own whose name is near a member of core's", () => {
    const observers = [{ name: "log", settle: () => {}, settled: [] } as never];
    expect(() => runnerOf({ observers })).not.toThrow();
  });

  it("P5 is refused where it is null", () => {
    expect(() => runnerOf({ observers: [null as never] })).toThrow(
      "Observer number 1 of the list must be an object with a name and settle(record).",
    );
  });

  it("P6 that is required and fails keeps a result from the model, in words that say why", async () => {
    const full = {
      name: "full",
      required: true,
      settle: (): never => {
        throw new Error("disk full");
      },
    };
    const outcome = await runnerOf({ observers: [full], onFault: () => {} }).run({ name: "send" });
    expect(outcome).toMatchObject({
      status: "withheld",
      basis: "audit",
      code: "audit",
      decidedBy: "full",
      reason: "the call could not be put on record",
    });
  });
});
