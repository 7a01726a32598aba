import { describe, expect, it } from "vitest";
import { allowAll, type JsonObject } from "../src/index.js";
import { guardWorkbench, StaticWorkbench } from "../src/workbench/index.js";
import { approver, gate } from "./support/approvals.js";
import { deferred, idle } from "./support/promises.js";
import { guard } from "./support/runners.js";
import { InnerBench } from "./support/workbenches.js";

const options = { guardrails: [allowAll()], unchecked: true };

/** True if a promise is settled once all that is ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await idle();
  return settled;
}

describe("a guarded workbench waits", () => {
  it("for the inner one to be reset, and then for its list", async () => {
    const [reset, list] = [deferred<void>(), deferred<void>()];
    const inner = new InnerBench("a");
    const outer = guardWorkbench(inner, options);
    await outer.start();
    inner.log.length = 0;
    inner.reset = () => reset.promise;
    inner.listTools = async () => {
      inner.log.push("listTools");
      await list.promise;
      return inner.tools;
    };
    const done = outer.reset();
    await idle();
    expect(inner.log).toEqual([]);
    reset.resolve();
    expect(await isSettled(done)).toBe(false);
    list.resolve();
    await done;
    expect(inner.log).toEqual(["listTools"]);
  });

  it("for the inner one to load its state, and gives its error", async () => {
    const loading = deferred<void>();
    const inner = new InnerBench("a");
    const outer = guardWorkbench(inner, options);
    inner.loadState = () => loading.promise;
    const done = outer.loadState({});
    expect(await isSettled(done)).toBe(false);
    loading.reject(new Error("a broken state"));
    await expect(done).rejects.toThrow("a broken state");
  });

  it("P9 for a list that has not been read, before it resumes a call", async () => {
    const list = deferred<void>();
    const inner = new InnerBench("pay");
    inner.listTools = async () => {
      await list.promise;
      return inner.tools;
    };
    const human = approver(() => ({ decision: "pending", approvalId: "a1" }));
    const guarding = { guardrails: [gate()], unchecked: true, approver: human };
    const asking = guardWorkbench(new InnerBench("pay"), guarding);
    await asking.start();
    await asking.callTool("pay", { cents: 1 }, { callId: "c1" });
    const resumed = guardWorkbench(inner, guarding).resume("a1");
    expect(await isSettled(resumed)).toBe(false);
    list.resolve();
    expect(await resumed).toMatchObject({ isError: false });
    expect(inner.calls.map(([name, args]) => [name, args])).toEqual([["pay", { cents: 1 }]]);
  });

  it("for the call to settle where a reader throws into its stream", async () => {
    const settling = deferred<void>();
    const outer = guardWorkbench(new InnerBench("a"), {
      guardrails: [guard("g", { settle: () => settling.promise })],
      unchecked: true,
    });
    await outer.start();
    const stream = outer.callToolStream("a", {}, { callId: "c1" });
    await stream.next();
    const reason = new Error("of the reader");
    const thrown = stream.throw(reason).catch((error: unknown) => error);
    expect(await isSettled(thrown)).toBe(false);
    settling.resolve();
    expect(await thrown).toBe(reason);
    expect(await stream.next()).toMatchObject({ done: true });
  });

  it("for the inner one to stop", async () => {
    const stopping = deferred<void>();
    const inner = new InnerBench("a");
    inner.stop = () => stopping.promise;
    const done = guardWorkbench(inner, options).stop();
    expect(await isSettled(done)).toBe(false);
    stopping.resolve();
    await done;
  });
});

describe("a static workbench waits", () => {
  const slow = () => {
    const [saved, loaded] = [deferred<number>(), deferred<void>()];
    const tool = {
      name: "a",
      execute: () => "",
      saveState: () => saved.promise,
      loadState: () => loaded.promise,
    };
    return { saved, loaded, bench: new StaticWorkbench([tool], options) };
  };

  it("for the states of its tools", async () => {
    const { saved, bench } = slow();
    const state = bench.saveState();
    expect(await isSettled(state)).toBe(false);
    saved.resolve(7);
    expect(await state).toEqual({ tools: { a: 7 } });
  });

  it("for its tools to load theirs, and gives the error of one", async () => {
    const { loaded, bench } = slow();
    const done = bench.loadState({ tools: { a: 7 } } as JsonObject);
    expect(await isSettled(done)).toBe(false);
    loaded.reject(new Error("a broken state"));
    await expect(done).rejects.toThrow("a broken state");
  });

  it("for no tools that are not a list", () => {
    for (const tools of [undefined, {}, "a"]) {
      expect(() => new StaticWorkbench(tools as never, options)).toThrow(
        /the tools must be an array/,
      );
    }
  });
});
