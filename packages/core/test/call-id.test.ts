import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import { spyTool } from "./support/runners.js";

const guardrails = [allowAll()];

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

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

describe("an id that core gives a call", () => {
  it("P10 is not freed for others by that call, where another has it open", async () => {
    const runner = runnerOf();
    const { callId } = await runner.run({ name: "send" });
    const end = callId.lastIndexOf("-") + 1;
    const next = Array.from({ length: 9 }, (_, more) => Number(callId.slice(end)) + 1 + more);
    const guesses = next.map((number) => `${callId.slice(0, end)}${number}`);
    const opening = (guess: string) => runner.open({ name: "send", callId: guess });
    for (const guess of guesses) expect((await opening(guess)).outcome).toBeUndefined();
    const given = await runner.run({ name: "send" });
    expect(guesses).toContain(given.callId);
    expect((await opening(given.callId)).outcome).toMatchObject({ code: "duplicate_call_id" });
  });
});

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

describe("P10 the reason of a call that cannot be opened", () => {
  const reasonOfSecond = async (options: Partial<ToolRunnerOptions>, more: object = {}) => {
    const runner = runnerOf(options);
    const request = { name: "send", callId: "c1" };
    await runner.open(request);
    const { outcome } = await runner.open({ ...request, ...more });
    return outcome !== undefined && "reason" in outcome ? outcome.reason : undefined;
  };

  it("names the id of the call that is still open", async () => {
    expect(await reasonOfSecond({})).toBe(
      "call id 'c1' is that of another call, which is still open in this session",
    );
  });

  it("says that too many are open", async () => {
    expect(await reasonOfSecond({ maxOpenCalls: 1 }, { callId: "c2" })).toBe(
      "too many tool calls are open",
    );
  });

  it("names the id that a turn has twice", async () => {
    const [, second] = await runnerOf().runAll([
      { name: "send", callId: "c1" },
      { name: "send", callId: "c1" },
    ]);
    expect(second).toMatchObject({ reason: "call id 'c1' is used twice in one turn" });
  });
});
