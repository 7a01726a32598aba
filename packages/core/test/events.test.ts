import { describe, expect, expectTypeOf, it } from "vitest";
import type { EventName } from "../src/host/index.js";
import { allow, allowAll, deny, type Fault, ToolRunner } from "../src/index.js";
import { type OutcomeStatus, outcomeStatuses } from "../src/protocol/outcome.js";
import { Events } from "../src/runner/events.js";
import { idle } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

function runnerOf(): ToolRunner {
  return new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
}
const request = { name: "send" };

/** What node would do with a rejection that nobody handles. */
async function unhandledDuring(act: () => Promise<unknown>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const listen = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listen);
  try {
    await act();
    await idle();
    await idle();
  } finally {
    process.off("unhandledRejection", listen);
  }
  return unhandled;
}

function rejecting(_resolve: () => void, reject: (error: unknown) => void): void {
  reject(new Error("later"));
}

it("outcomeStatuses are all that there are, each once", () => {
  expectTypeOf<(typeof outcomeStatuses)[number]>().toEqualTypeOf<OutcomeStatus>();
  expect(new Set(outcomeStatuses).size).toBe(outcomeStatuses.length);
});

describe("events", () => {
  it("come once a call, the one of its status before `settled`, in the order of listening", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    for (const name of ["settled", "executed", "failed", "denied", "fault"] as const) {
      runner.on(name, () => heard.push(`${name} 1`));
      runner.on(name, () => heard.push(`${name} 2`));
    }
    await runner.run(request);
    expect(heard).toEqual(["executed 1", "executed 2", "settled 1", "settled 2"]);
  });

  it("carry the frozen record, with its outcome", async () => {
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("g", { evaluate: () => deny("no", { code: "nope" }) })],
    });
    const records: unknown[] = [];
    runner.on("denied", (record) => records.push(record));
    const outcome = await runner.run({ ...request, callId: "c1" });
    expect(records).toEqual([expect.objectContaining({ callId: "c1", outcome })]);
    expect(Object.isFrozen(records[0])).toBe(true);
  });

  it("are not told to a listener that was added while they are", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    const late = (): void => void heard.push("late");
    runner.on("settled", () => {
      heard.push("first");
      runner.on("settled", late);
    });
    runner.on("settled", () => heard.push("second"));
    await runner.run(request);
    expect(heard).toEqual(["first", "second"]);
    await runner.run(request);
    expect(heard).toEqual(["first", "second", "first", "second", "late"]);
  });

  it("do not starve the others when a listener goes while they are told", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    const first = (): void => {
      heard.push("first");
      runner.off("settled", first);
    };
    runner.on("settled", first);
    runner.once("settled", () => heard.push("once"));
    runner.on("settled", () => heard.push("last"));
    await runner.run(request);
    await runner.run(request);
    expect(heard).toEqual(["first", "once", "last", "last"]);
  });

  it("are told to one that listens twice only once, and by once only once", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    const twice = (): void => void heard.push("twice");
    runner.on("settled", twice).on("settled", twice);
    const once = (): void => void heard.push("once");
    runner.once("settled", once).once("executed", once);
    await runner.run(request);
    await runner.run(request);
    expect(heard).toEqual(["once", "twice", "once", "twice"]);
    runner.off("settled", twice).off("settled", twice);
    await runner.run(request);
    expect(heard).toHaveLength(4);
  });

  it("are told by once only once, also when the event comes again while they are told", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    runner.once("settled", () => {
      heard.push("first");
      void runner.run(request);
    });
    runner.once("settled", () => heard.push("second"));
    runner.on("settled", () => heard.push("on"));
    await runner.run(request);
    await idle();
    expect(heard.filter((who) => who !== "on").toSorted()).toEqual(["first", "second"]);
    expect(heard.filter((who) => who === "on")).toHaveLength(2);
  });

  it("keep a listener that was taken off and put on again while they are told", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    const changed = (): void => void heard.push("changed");
    runner.once("settled", () => runner.off("settled", changed).on("settled", changed));
    runner.once("settled", changed);
    for (let time = 0; time < 3; time++) await runner.run(request);
    expect(heard).toEqual(["changed", "changed", "changed"]);
  });

  it("stay in order when listeners go and come", async () => {
    const heard: number[] = [];
    const runner = runnerOf();
    const listeners = Array.from({ length: 6 }, (_, index) => () => void heard.push(index));
    for (const each of listeners) runner.on("settled", each);
    runner.off("settled", listeners[0] as never).off("settled", listeners[3] as never);
    runner.on("settled", listeners[0] as never);
    await runner.run(request);
    expect(heard).toEqual([1, 2, 4, 5, 0]);
    for (const each of listeners) runner.off("settled", each);
    await runner.run(request);
    expect(heard).toHaveLength(5);
  });

  it("are no longer told after off, also to one that would have listened once", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    const on = (): void => void heard.push("on");
    const once = (): void => void heard.push("once");
    runner.on("settled", on).once("settled", once).off("settled", on).off("settled", once);
    runner.off("denied", on);
    await runner.run(request);
    expect(heard).toEqual([]);
    // And may listen again.
    runner.once("settled", once);
    await runner.run(request);
    await runner.run(request);
    expect(heard).toEqual(["once"]);
  });

  it("P5 that there are not are named, with the nearest", () => {
    const runner = runnerOf();
    for (const listen of [runner.on, runner.once]) {
      expect(() => listen.call(runner, "setled" as EventName, () => {})).toThrow(
        expect.objectContaining({
          code: "ERR_UNKNOWN_OPTION",
          message: expect.stringContaining("received 'setled'. Did you mean 'settled'?"),
        }),
      );
    }
  });

  it("cannot be made to fail a call, delay it or starve each other by a listener", async () => {
    const faults: Fault[] = [];
    let heard = 0;
    const runner = runnerOf();
    runner.on("executed", () => {
      throw new Error("sync");
    });
    runner.on("executed", async () => {
      throw new Error("async");
    });
    runner.once("settled", async () => {
      throw new Error("once");
    });
    runner.on("settled", () => new Promise(() => {}));
    runner.on("settled", () => void heard++);
    runner.on("fault", (fault) => faults.push(fault));
    const unhandled = await unhandledDuring(async () => {
      expect(await runner.run(request)).toMatchObject({ status: "executed", value: "done" });
    });
    expect(unhandled).toEqual([]);
    expect(heard).toBe(1);
    expect(faults.map(({ source, phase, error }) => [source, phase, String(error)])).toEqual([
      ["listener", "executed", "Error: sync"],
      ["listener", "executed", "Error: async"],
      ["listener", "settled", "Error: once"],
    ]);
    expect(faults.every(Object.isFrozen)).toBe(true);
  });

  it("handle what a thenable of a listener's own rejects with", async () => {
    const faults: string[] = [];
    const runner = runnerOf();
    const later = new Proxy(
      {},
      {
        get: (_target, key) => (key === "then" ? rejecting : undefined),
      },
    );
    runner.on("settled", () => later);
    runner.on("fault", ({ error }) => faults.push(String(error)));
    await runner.run(request);
    await idle();
    expect(faults).toEqual(["Error: later"]);
  });

  it("do not go round in circles when a listener for faults fails itself", async () => {
    let heard = 0;
    const runner = runnerOf();
    runner.on("settled", () => {
      throw new Error("one");
    });
    runner.on("fault", () => {
      heard++;
      throw new Error("two");
    });
    runner.on("fault", async () => {
      heard++;
      throw new Error("three");
    });
    const unhandled = await unhandledDuring(() => runner.run(request));
    expect([heard, unhandled]).toEqual([2, []]);
  });

  it("tell operators what a guard threw, with the error itself", async () => {
    const faults: Fault[] = [];
    const error = new Error("hunter2");
    const runner = new ToolRunner({
      guardrails: [
        guard("g", {
          evaluate: () => {
            throw error;
          },
        }),
      ],
    });
    runner.on("fault", (fault) => faults.push(fault));
    await runner.run(request);
    expect(faults).toEqual([{ source: "g", phase: "call", error }]);
  });
});

describe("whether anybody listens", () => {
  it("is known, so that no record is made for nobody", () => {
    const events = new Events(() => {});
    const [one, two] = [() => {}, () => {}];
    events.on("settled", one);
    events.on("settled", one);
    events.once("denied", two);
    expect(events.observed).toBe(true);
    events.off("settled", one);
    events.off("settled", one);
    expect(events.observed).toBe(true);
    events.emit("denied", {} as never);
    expect(events.observed).toBe(false);
  });
});

describe("an agent's runner", () => {
  it("tells its own listeners first, then its parent's, faults too", async () => {
    const heard: string[] = [];
    const runner = runnerOf();
    const agent = runner.forAgent("clerk", {
      guardrails: [
        guard("g", {
          settle: () => {
            throw new Error("boom");
          },
        }),
      ],
    });
    for (const [who, each] of [
      ["parent", runner],
      ["agent", agent],
    ] as const) {
      each.on("executed", ({ agentName }) => void heard.push(`${who} executed ${agentName}`));
      each.on("fault", ({ source }) => void heard.push(`${who} fault ${source}`));
    }
    await agent.run(request);
    expect(heard).toEqual([
      "agent fault g",
      "parent fault g",
      "agent executed clerk",
      "parent executed clerk",
    ]);
    heard.length = 0;
    await runner.run(request);
    expect(heard).toEqual(["parent executed undefined"]);
  });

  it("tells its parent's listeners also where nobody listens to itself", async () => {
    const heard: string[] = [];
    const runner = runnerOf()
      .on("settled", ({ agentName, times }) => void heard.push(`${agentName} ${times.askedAt > 0}`))
      .on("fault", ({ source }) => void heard.push(source));
    const failing = guard("g", {
      settle: () => {
        throw new Error("boom");
      },
    });
    await runner.forAgent("clerk", { guardrails: [failing] }).run(request);
    expect(heard).toEqual(["g", "clerk true"]);
  });

  it("tells its parent of a listener that failed", async () => {
    const faults: string[] = [];
    const runner = runnerOf().on("fault", ({ error }) => void faults.push(String(error)));
    const agent = runner.forAgent("clerk").on("settled", () => {
      throw new Error("boom");
    });
    await agent.run(request);
    expect(faults).toEqual(["Error: boom"]);
  });

  it("has the guards of its parent, then its own, whose names are unique", async () => {
    const asked: string[] = [];
    const spy = (name: string) =>
      guard(name, {
        evaluate: ({ agentName }) => {
          asked.push(`${name} of ${agentName}`);
          return allow();
        },
      });
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [spy("a")] });
    const agent = runner.forAgent("clerk", { guardrails: [spy("b")] });
    const inner = agent.forAgent("junior", { guardrails: [spy("c")] });
    await inner.run(request);
    await agent.run(request, { agentName: "deputy" });
    await runner.run(request);
    expect(asked).toEqual([
      "a of junior",
      "b of junior",
      "c of junior",
      "a of deputy",
      "b of deputy",
      "a of undefined",
    ]);
    expect(() => runner.forAgent("x", { guardrails: [spy("a")] })).toThrow(
      expect.objectContaining({ code: "ERR_DUPLICATE_PROVIDER" }),
    );
    expect(() => agent.forAgent("x", { guardrails: [spy("b")] })).toThrow(
      expect.objectContaining({ code: "ERR_DUPLICATE_PROVIDER" }),
    );
    expect(() => runner.forAgent("x", { guardrail: [] } as never)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("Did you mean 'guardrails'") }),
    );
  });

  it("has the tools that its parent has when it is made", async () => {
    const first = spyTool("first");
    const second = spyTool("second");
    const picky = guard("picky", {
      register: ({ name }) => {
        if (name === "bad") throw new Error("no");
      },
    });
    const runner = new ToolRunner({ tools: [first], guardrails: [picky] });
    runner.setTools([second, spyTool("bad"), spyTool("twice"), spyTool("twice")]);
    const agent = runner.forAgent("clerk");
    expect(agent.tools.map(({ name }) => name)).toEqual(["second"]);
    expect((await agent.run({ name: "second" })).status).toBe("executed");
    for (const name of ["first", "bad", "twice"]) {
      expect((await agent.run({ name })).executed).toBe(false);
    }
  });

  it("follows the tools of the first runner, though the one between has run nothing since", async () => {
    const runner = new ToolRunner({ tools: [spyTool("first")], guardrails: [guard("a")] });
    const junior = runner.forAgent("clerk").forAgent("junior");
    runner.setTools([spyTool("second")]);
    expect((await junior.run({ name: "second" })).status).toBe("executed");
    expect((await junior.run({ name: "first" })).status).toBe("not_found");
  });
});
