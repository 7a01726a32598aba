import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import { allow, allowAll, deny, type GuardrailProvider, ToolRunner } from "../src/index.js";
import { idle } from "./support/promises.js";
import { spyObserver, spyTool } from "./support/runners.js";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeEach(() => {
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await idle();
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

const later = async (): Promise<never> => {
  throw new Error("hunter2");
};
const notMallory: GuardrailProvider = {
  name: "not-mallory",
  evaluate: ({ context }) => (context.principal === "mallory" ? deny("no") : allow()),
};

describe("facts of the host that would be missing without a word", () => {
  class Accessors {
    get principal(): string {
      return "mallory";
    }
  }
  it.each<[string, () => object]>([
    ["are a promise", () => Promise.resolve({ principal: "mallory" })],
    ["are a promise that rejects", later],
    ["have a promise for the principal", () => ({ principal: Promise.resolve("mallory") })],
    ["have a promise that rejects for attributes", () => ({ attributes: later() })],
    ["are given by accessors of a class", () => new Accessors()],
    ["are in a map", () => new Map([["principal", "mallory"]])],
    ["are inherited", () => Object.create({ principal: "mallory" })],
    [
      "throw when they are read",
      () => ({
        get principal(): never {
          throw new Error("hunter2");
        },
      }),
    ],
  ])("P1 stop the call, and no process, where they %s", async (_, context) => {
    const tool = spyTool();
    const runner = new ToolRunner({ tools: [tool], guardrails: [notMallory] });
    const outcome = await runner.run({ name: "send" }, { context: context() as never });
    expect(outcome).toMatchObject({ status: "invalid", code: "unreadable_context" });
    expect(tool.runs).toEqual([]);
  });

  it("are read from an object of any class that has them as its own", async () => {
    class Context {
      principal = "mallory";
    }
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [notMallory] });
    const outcome = await runner.run({ name: "send" }, { context: new Context() });
    expect(outcome).toMatchObject({ status: "denied", decidedBy: "not-mallory" });
  });
});

describe("a promise in place of an answer at once", () => {
  it("P5 is refused at load where register() gives one, as it could only refuse a tool too late", () => {
    const guard: GuardrailProvider = { ...notMallory, register: later };
    const load = () => new ToolRunner({ tools: [spyTool()], guardrails: [guard] });
    expect(load).toThrowError(expect.objectContaining({ code: "ERR_INVALID_PROVIDER" }));
  });

  it("P1 P2 stops the call, on record, where describe() gives one", async () => {
    const runs: string[] = [];
    const observer = spyObserver();
    const safe = guardExecutor(async (name: string) => `${runs.push(name)}`, {
      tools: [{ name: "send" }],
      guardrails: [allowAll()],
      observers: [observer],
      describe: later as never,
    });
    expect(await safe("send", {})).toMatch(/^Tool call denied: /);
    expect(runs).toEqual([]);
    expect(observer.records).toMatchObject([{ outcome: { status: "invalid" } }]);
  });
});
