import { describe, expect, it } from "vitest";
import { allowAll } from "../src/guard/combinators.js";
import { ToolRunner } from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { idle } from "./support/promises.js";
import { spyTool } from "./support/runners.js";

it("tells a tool of its call what ToolContext names, and nothing else", async () => {
  let told: object = {};
  const runner = new ToolRunner({
    guardrails: [allowAll()],
    tools: [
      {
        name: "read",
        execute: (_, context) => {
          told = context;
        },
      },
    ],
  });
  await runner.run({ name: "read", callId: "c1", receipt: "secret" }, { agentName: "clerk" });
  expect(Object.keys(told).sort()).toEqual([
    "agentName",
    "callId",
    "context",
    "permit",
    "requestedName",
    "toolName",
  ]);
  const members = Object.getOwnPropertyNames(Object.getPrototypeOf(told));
  expect(members.sort()).toEqual(["constructor", "runId", "signal"]);
});

describe("P4 a tool whose time is over", () => {
  it("P4 is told by its signal that its answer is no longer wanted", async () => {
    const clock = new HandClock();
    let reason: unknown;
    const slow = spyTool(
      "slow",
      (_args, { signal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return new Promise(() => {});
      },
      { timeoutMs: 10 },
    );
    const runner = new ToolRunner({ tools: [slow], guardrails: [allowAll()], clock });
    const running = runner.run({ name: "slow" });
    await idle();
    clock.pass(10);
    expect(await running).toMatchObject({ status: "unknown", executed: "unknown" });
    expect(reason).toEqual(new Error("no longer wanted"));
  });
});

it("P4 a tool is told that its answer is no longer wanted", async () => {
  const caller = new AbortController();
  let reason: unknown;
  const tool = spyTool("send", (_args, { signal }) => {
    signal.addEventListener("abort", () => {
      reason = signal.reason;
    });
    caller.abort("gone");
    return new Promise(() => {});
  });
  const runner = new ToolRunner({ tools: [tool], guardrails: [allowAll()] });
  await expect(runner.run({ name: "send" }, { signal: caller.signal })).rejects.toThrow();
  expect(reason).toBe("gone");
});
