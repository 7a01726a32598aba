import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  modify,
  type SettledCall,
  ToolRunner,
  type ToolRunnerOptions,
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
