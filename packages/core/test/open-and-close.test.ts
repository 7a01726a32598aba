import { describe, expect, it } from "vitest";
import { allow, allowAll, ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import { errorOf } from "./support/errors.js";
import { idle } from "./support/promises.js";
import { guard, spyObserver, spyTool, textOf } from "./support/runners.js";

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

describe("open and close", () => {
  const opened = async (runner: ToolRunner) => {
    const call = await runner.open({ name: "send", arguments: { to: "ada" }, callId: "c1" });
    if (call.outcome !== undefined) throw new Error(`stopped: ${textOf(call.outcome)}`);
    return call;
  };

  it("P7 open decides, admits and announces, but never dispatches", async () => {
    const order: string[] = [];
    const tool = spyTool();
    const observer = spyObserver();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [
        guard("g", {
          admit: () => {
            order.push("admit");
            return allow();
          },
          settle: () => void order.push("settle"),
          evaluateResult: () => {
            order.push("judge");
            return allow();
          },
        }),
      ],
      observers: [observer],
    });
    const { call, close } = await opened(runner);
    await idle();
    expect(order).toEqual(["admit"]);
    expect([observer.announced.length, observer.records.length]).toEqual([1, 0]);
    expect(call).toMatchObject({ args: { to: "ada" }, toolName: "send", callId: "c1" });
    const outcome = await close({ value: { ok: true } });
    expect(outcome).toMatchObject({
      status: "executed",
      value: { ok: true },
      result: { callId: "c1", name: "send" },
    });
    expect(order).toEqual(["admit", "judge", "settle"]);
    expect(observer.records).toHaveLength(1);
    expect(tool.runs).toEqual([]);
  });

  it("close takes an error as a failure, judges it, and takes released as unknown", async () => {
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("g", {
          evaluateResult: (_call, { content, isError }) => {
            seen.push([content, isError]);
            return allow();
          },
        }),
      ],
    });
    const error = new Error("disk full");
    expect(await (await opened(runner)).close({ error })).toMatchObject({
      status: "failed",
      error,
      result: { isError: true, content: "disk full" },
    });
    expect(await (await opened(runner)).close({ error: undefined })).toMatchObject({
      status: "failed",
      result: { isError: true },
    });
    expect(await (await opened(runner)).close({ released: true })).toMatchObject({
      status: "released",
      executed: "unknown",
    });
    expect(await (await opened(runner)).close({ unknown: true })).toMatchObject({
      status: "unknown",
      executed: "unknown",
      result: { isError: true, content: expect.stringContaining("did not answer in time") },
    });
    expect(await (await opened(runner)).close({ value: undefined })).toMatchObject({
      status: "executed",
      result: { content: "" },
    });
    expect(seen).toEqual([
      ["disk full", true],
      ["Tool 'send' failed.", true],
      ["", false],
    ]);
  });

  it("close twice is an error, and settles once", async () => {
    const observer = spyObserver();
    const { close } = await opened(
      new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], observers: [observer] }),
    );
    const first = close({ value: 1 });
    await expect(async () => close({ value: 2 })).rejects.toMatchObject({
      code: "ERR_CLOSED",
      message: expect.stringContaining("closed already"),
    });
    expect(await first).toMatchObject({ value: 1 });
    await expect(async () => close({ released: true })).rejects.toMatchObject({
      code: "ERR_CLOSED",
    });
    expect(observer.records).toHaveLength(1);
  });

  it.each([
    undefined,
    null,
    {},
    { values: 1 },
    { released: false },
    { value: 1, error: 2 },
    "done",
  ])("P5 close does not take %j for an answer, and leaves the call open", async (answer) => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const { close } = await opened(runner);
    await expect(async () => close(answer as never)).rejects.toMatchObject({
      code: expect.stringMatching(/ERR_(INVALID|UNKNOWN)_OPTION/),
    });
    expect(await close({ value: "done" })).toMatchObject({ status: "executed" });
    await runner.close();
  });

  it("P15 settles by what an answer said when it was given, whatever it says later", async () => {
    const observer = spyObserver();
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [allowAll()],
      observers: [observer],
    });
    let asked = 0;
    const { close } = await opened(runner);
    const answer = {
      get value() {
        asked++;
        if (asked > 1) throw new Error("hunter2");
        return "done";
      },
    };
    expect(await close(answer)).toMatchObject({ status: "executed", value: "done" });
    expect(observer.records.length).toBe(1);
    await runner.close();
  });

  it("takes no promise for what was answered, and stays open", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const { close } = await opened(runner);
    const late = Promise.reject(new Error("hunter2"));
    expect(() => close({ value: late })).toThrowError(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
    expect(await close({ value: "done" })).toMatchObject({ status: "executed", value: "done" });
  });
});

describe("a call that its caller has left", () => {
  it.each([
    ["an error", { error: new Error("late") }],
    ["that it is not known what became of it", { unknown: true }],
    ["a value", { value: "late" }],
  ] as const)("P4 P12 is over as unknown if its answer is %s", async (_, answer) => {
    const caller = new AbortController();
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const opened = await runner.open({ name: "send", callId: "c1" }, { signal: caller.signal });
    if (opened.outcome !== undefined) throw new Error("it must be open");
    caller.abort();
    expect(await opened.close(answer)).toMatchObject({ status: "aborted", executed: "unknown" });
  });
});

describe("P5 close() of an opened call", () => {
  const openedCall = async () => {
    const opened = await runnerOf().open({ name: "send" });
    if (opened.permit === undefined) throw new Error("the call was stopped");
    return opened;
  };

  it.each(["released", "unused", "unknown"])(
    "P5 takes %s for an answer only where it is true",
    async (mark) => {
      const opened = await openedCall();
      for (const value of [false, undefined, "yes"]) {
        expect(errorOf(() => opened.close({ [mark]: value } as never)).message).toMatch(
          /^close\(\): the answer must be one of /,
        );
      }
      expect((await opened.close({ [mark]: true } as never)).status).not.toBe("executed");
    },
  );

  it("takes any error, also one that is a promise", async () => {
    const error = Promise.resolve();
    expect(await (await openedCall()).close({ error })).toMatchObject({ status: "failed", error });
  });

  it("P5 is told of a promise, whose rejection ends no process", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      const opened = await runnerOf().open({ name: "send" });
      if (opened.permit === undefined) throw new Error("the call was stopped");
      const value = Promise.reject(new Error("later"));
      expect(errorOf(() => opened.close({ value })).message).toBe(
        "close(): `value` must be the tool's answer, received a promise. Await it first.",
      );
      await opened.close({ unused: true });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
