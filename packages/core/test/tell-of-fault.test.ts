import { describe, expect, it, onTestFinished, vi } from "vitest";
import { reportFault } from "../src/host/index.js";
import {
  allowAll,
  type Fault,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { idle } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

function boom(): never {
  throw new Error("a getter");
}

describe("telling operators of a fault", () => {
  const fault = (): Fault => ({ source: "g", phase: "call", error: "what" });

  it("gives them the fault, frozen", () => {
    const told: Fault[] = [];
    reportFault((each) => void told.push(each), fault());
    expect(told).toEqual([fault()]);
    expect(Object.isFrozen(told[0])).toBe(true);
  });

  it("is none of the caller's business where they throw, reject later, or are not there", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    reportFault(undefined, fault());
    reportFault(() => {
      throw new Error("broken");
    }, fault());
    reportFault(() => Promise.reject(new Error("broken")), fault());
    await idle();
    expect(unhandled).toEqual([]);
  });
});

describe("a listener for faults that fails itself", () => {
  it("is warned of by the process", async () => {
    // Each kind of fault is warned of once in a process: another file may have done so.
    vi.resetModules();
    const { reportFault } = await import("../src/host/index.js");
    const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warnings.mockRestore());
    reportFault(boom, {
      source: "adapter",
      phase: "describe",
      error: new ToolstileError("ERR_DENIED", "x"),
    });
    expect(warnings.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining("'onFault' failed in onFault()"),
    ]);
  });
});

describe("operators", () => {
  it("are told how long a guard was waited for, and what a signer gave", async () => {
    const faults: string[] = [];
    const clock = new HandClock();
    const runner = runnerOf(
      [allowAll(), guard("slow", { evaluate: () => new Promise(() => {}) })],
      {
        clock,
        timeoutMs: 20,
        receiptSigner: { name: "signer", sign: () => "" },
        onFault: ({ source, error }: Fault) =>
          void faults.push(`${source}: ${(error as Error).message}`),
      },
    );
    const running = runner.run({ name: "send" });
    await idle();
    clock.pass(20);
    await running;
    expect(faults).toEqual(["slow: No answer within 20 ms.", "signer: no receipt was given"]);
  });
});
