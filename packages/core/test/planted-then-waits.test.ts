import { describe, expect, it } from "vitest";
import { allowAll, failOpen, ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import { within } from "../src/time/wait.js";
import { asking, failOnUnhandledRejections } from "./support/asking.js";
import { callOf } from "./support/calls.js";
import { HandClock } from "./support/hand-clock.js";
import { whilePlanted } from "./support/planted.js";
import { idle } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

failOnUnhandledRejections();

describe("P8 a then planted on Object.prototype", () => {
  const then = (yes: (value: unknown) => void) => yes(undefined);

  it("P8 leaves the rejection of an answer handled", async () => {
    const checked = whilePlanted({ then }, () => asking(() => Promise.reject(new Error("late"))));
    expect(checked).toMatchObject({ decision: "deny", basis: "malformed" });
    await idle();
  });

  it("P8 by a guard that then fails is no failure which may allow", () => {
    const planting = guard("planting", {
      evaluate: () => {
        Object.defineProperty(Object.prototype, "then", { value: then, configurable: true });
        throw new Error("failed");
      },
    });
    try {
      const answer = failOpen(planting).evaluate(callOf());
      expect(answer).toMatchObject({ decision: "deny" });
    } finally {
      Reflect.deleteProperty(Object.prototype, "then");
    }
  });
});

describe("P8 an answer of the host's, while a then is planted", () => {
  it("P8 leaves its rejection handled", async () => {
    const bounds = { clock: new HandClock(), timeoutMs: 20, caller: undefined };
    const waited = whilePlanted({ then: 7 }, () =>
      within(bounds, Promise.reject(new Error("late"))),
    );
    await expect(waited).rejects.toThrow("A then is planted on Object.prototype.");
    await idle();
  });

  it("P8 is handed to that then neither by core's own wait nor by a listener", async () => {
    const seen: unknown[] = [];
    const planted = {
      then(this: unknown, yes: (value: unknown) => void) {
        seen.push(this);
        yes(undefined);
      },
    };
    const answers = [{ of: "the host" }, { of: "a listener" }] as const;
    const bounds = { clock: new HandClock(), timeoutMs: 20, caller: undefined };
    const runner = runnerOf([allowAll()]).on("settled", (() => answers[1]) as () => void);
    const waited = whilePlanted(planted, () => within(bounds, answers[0]));
    await expect(waited).rejects.toThrow("A then is planted on Object.prototype.");
    await whilePlanted(planted, () => runner.run({ name: "send" }));
    await idle();
    expect(seen).toEqual([expect.objectContaining({ status: "executed" })]);
  });
});

describe("an answer of the host's that cannot be trusted", () => {
  it("P8 is an error, for a then is planted", async () => {
    const bounds = { clock: new HandClock(), timeoutMs: 20, caller: undefined };
    for (const answer of [7, Promise.resolve(7)]) {
      const waited = whilePlanted({ then: 7 }, () => within(bounds, answer));
      await expect(waited).rejects.toThrow("A then is planted on Object.prototype.");
    }
  });
});
