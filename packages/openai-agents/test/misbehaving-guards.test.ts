import { type GuardrailProvider, modify } from "@toolstile/core";
import { fakeClock, recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { guardTool } from "../src/index.js";
import { mailer } from "./mail.js";
import { asking, read, run } from "./scripted-run.js";

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

/** A call of a tool behind one guard that does this. */
async function callBehind(evaluate: () => unknown, options: object = {}) {
  const { send, sent } = mailer();
  const model = asking([["send_mail", { to: "ann", cc: "hunter2" }, "c1"]]);
  const guard = { name: "bad", evaluate } as GuardrailProvider;
  const guarded = guardTool(send, { guardrails: [guard], unchecked: true, ...options });
  await run([guarded], model);
  return { sent, text: String(read(model).c1) };
}

describe("a guard that", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("hunter2");
      },
    ],
    ["answers true", () => true],
    ["answers nothing", () => undefined],
    ["misspells its decision", () => ({ decision: "ALLOW" })],
    ["changes the arguments to a cycle", () => modify(cycle as never)],
    ["answers in the framework's words", () => ({ behavior: { type: "allow" } })],
  ])("P1 P2 %s denies, and the run goes on", async (_, evaluate) => {
    const { sent, text } = await callBehind(evaluate);
    expect(sent).toEqual([]);
    expect(text).toContain("Tool call denied: ");
    expect(text).not.toContain("hunter2");
  });

  it("P1 hangs denies once its time is over", async () => {
    const clock = fakeClock();
    const hang = () => {
      queueMicrotask(() => queueMicrotask(() => clock.advance(5_000)));
      return new Promise(() => {});
    };
    const { sent, text } = await callBehind(hang, { clock });
    expect(sent).toEqual([]);
    expect(text).toContain("Tool call denied: ");
  });
});

describe("no guard", () => {
  it("P3 that judges the call means that it is denied", async () => {
    const { send, sent } = mailer();
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    await run([guardTool(send, { guardrails: [], unchecked: true })], model);
    expect(sent).toEqual([]);
    expect(read(model).c1).toContain("no guardrail judged tool 'send_mail'");
  });
});

describe("a required observer that cannot record", () => {
  it("P15 keeps the tool from running", async () => {
    const observer = {
      ...recordingObserver({ required: true }),
      intent: () => {
        throw new Error("disk full");
      },
    };
    const { sent, text } = await callBehind(() => ({ decision: "allow" }), {
      observers: [observer],
    });
    expect(sent).toEqual([]);
    expect(text).toBe("Tool call denied: the call could not be put on record");
  });
});
