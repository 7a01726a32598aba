import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner } from "../src/index.js";
import { deferred, idle } from "./support/promises.js";
import { guard, spyObserver, spyTool } from "./support/runners.js";

describe("a guard that cannot be told how a call ended", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("x");
      },
    ],
    ["rejects", () => Promise.reject(new Error("x"))],
  ])("is told of by its name and the phase when it %s", async (_, settle) => {
    const faults: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("a", { settle })],
      onFault: ({ source, phase }) => void faults.push([source, phase]),
    });
    expect((await runner.run({ name: "send" })).status).toBe("executed");
    expect(faults).toEqual([["a", "settle"]]);
  });
});

describe("closing a runner", () => {
  it("is over when those that need time to close have closed, one after the other", async () => {
    const log: string[] = [];
    const holds = [deferred<void>(), deferred<void>()];
    const slow = (name: string, hold: Promise<void> | undefined) =>
      guard(name, {
        close: async () => {
          log.push(`${name} begins`);
          await hold;
          log.push(`${name} is closed`);
        },
      });
    const runner = new ToolRunner({
      guardrails: [slow("a", holds[0]?.promise), slow("b", holds[1]?.promise)],
    });
    const closing = runner.close().then(() => log.push("closed"));
    await idle();
    expect(log).toEqual(["a begins"]);
    holds[0]?.resolve();
    await idle();
    expect(log).toEqual(["a begins", "a is closed", "b begins"]);
    holds[1]?.resolve();
    await closing;
    expect(log.slice(-2)).toEqual(["b is closed", "closed"]);
  });

  it("waits for what runs, its agents' too, denies what comes, and closes each once, the agent's own by the agent", async () => {
    const log: string[] = [];
    const hold = deferred();
    const agents = deferred();
    const closing = (name: string) => guard(name, { close: async () => void log.push(name) });
    const runner = new ToolRunner({
      tools: [spyTool("send", ({ who }) => (who === "agent" ? agents.promise : hold.promise))],
      guardrails: [closing("a"), closing("b")],
      observers: [spyObserver({ close: () => void log.push("observer") })],
    });
    const agent = runner.forAgent("clerk", { guardrails: [closing("c")] });
    await runner.forAgent("temp", { guardrails: [closing("d")] }).close();
    expect(log.splice(0)).toEqual(["d"]);
    const running = runner.run({ name: "send" });
    const runningAgent = agent.run({ name: "send", arguments: { who: "agent" } });
    await idle();
    const closed = runner.close();
    await idle();
    for (const each of [runner, agent]) {
      expect(await each.run({ name: "send" })).toMatchObject({
        status: "denied",
        basis: "error",
        code: "runner_closed",
      });
    }
    expect(log).toEqual([]);
    hold.resolve();
    expect((await running).status).toBe("executed");
    await idle();
    expect(log).toEqual([]);
    agents.resolve();
    expect((await runningAgent).status).toBe("executed");
    await closed;
    expect(log).toEqual(["a", "b", "observer"]);
    await agent.close();
    await runner.close();
    await runner[Symbol.asyncDispose]();
    expect(log).toEqual(["a", "b", "observer", "c"]);
  });

  it("waits for a call that is open", async () => {
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const call = await runner.open({ name: "send" });
    let over = false;
    const closing = runner.close().then(() => {
      over = true;
    });
    await idle();
    expect(over).toBe(false);
    if (call.outcome === undefined) await call.close({ released: true });
    await closing;
    expect(over).toBe(true);
  });

  it("closes the rest when one fails, and tells of it", async () => {
    const log: unknown[] = [];
    const runner = new ToolRunner({
      guardrails: [
        guard("a", {
          close: () => {
            throw new Error("x");
          },
        }),
        guard("b", { close: () => void log.push("b") }),
      ],
    });
    runner.on("fault", ({ source, phase }) => void log.push([source, phase]));
    await runner.close();
    expect(log).toEqual([["a", "close"], "b"]);
  });
});

describe("the end of a runner's scope", () => {
  it("closes it, and waits for that", async () => {
    const closing = deferred<void>();
    let isOver = false;
    const runner = new ToolRunner({ guardrails: [guard("g", { close: () => closing.promise })] });
    const done = runner[Symbol.asyncDispose]().then(() => {
      isOver = true;
    });
    await idle();
    expect(isOver).toBe(false);
    closing.resolve();
    await done;
    expect(await runner.run({ name: "t" })).toMatchObject({ code: "runner_closed" });
  });
});
