import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  type Fault,
  type GuardrailProvider,
  ToolRunner,
} from "../src/index.js";
import { CallerAbort, type CallerSignal } from "../src/provider/index.js";
import { listen } from "../src/time/abort.js";
import { HandClock } from "./support/hand-clock.js";
import { guard, spyTool } from "./support/runners.js";
import { read, words } from "./support/streams.js";

/** A caller's signal that throws where the test says. */
function throwing(...members: readonly (keyof CallerSignal)[]): CallerSignal {
  return new Proxy(new CallerAbort(), {
    get: (signal, key) => {
      const member: unknown = Reflect.get(signal, key, signal);
      const fail = (): never => {
        throw new Error("a broken signal");
      };
      if (typeof member !== "function") return members.includes(key as never) ? fail() : member;
      return members.includes(key as never) ? fail : member.bind(signal);
    },
  });
}

describe("a caller's signal that does not let go", () => {
  const approver = {
    name: "human",
    ask: async () => ({ decision: "approved", approvalId: "a1" }) as const,
    recall: () => undefined,
    consume: async () => true,
  };

  it("P12 keeps no call from its end, and no id from being free again", async () => {
    const asks = guard("asks", {
      evaluate: async () => deny("not alone", { approval: { summary: "send" } }),
    });
    const tool = spyTool("send", async () => "done");
    const runner = new ToolRunner({ tools: [tool], guardrails: [asks], approver });
    const request = { name: "send", callId: "c1" };
    expect((await runner.run(request, { signal: throwing("removeEventListener") })).status).toBe(
      "executed",
    );
    expect((await runner.run(request)).status).toBe("executed");
    await runner.close();
  });
});

describe("a caller's signal that takes back that it has aborted", () => {
  // What was stopped before the look stays as it is.
  const scenes: readonly [string, string[], GuardrailProvider][] = [
    ["executed", [], guard("g", { admit: () => allow(), evaluateResult: () => allow() })],
    ["denied", ["denied"], guard("g", { evaluate: () => deny("no") })],
    ["denied at last", ["denied"], guard("g", { admit: () => deny("no") })],
    ["withheld", ["withheld"], guard("g", { evaluateResult: () => deny("no") })],
  ];

  it.each(scenes)(
    "P4 ends a call that would be %s, at whichever look it says so",
    async (_, also, g) => {
      let looks = 0;
      const faults: Fault[] = [];
      const endOf = (nth: number): Promise<string> => {
        looks = 0;
        const get = (): boolean => ++looks === nth;
        const signal = Object.defineProperty(new CallerAbort(), "aborted", { get });
        const onFault = (fault: Fault) => void faults.push(fault);
        const runner = new ToolRunner({ tools: [spyTool()], guardrails: [g], onFault });
        return runner.run({ name: "send" }, { signal }).then(
          ({ status }) => status,
          ({ code }) => code,
        );
      };
      await endOf(0);
      const most = looks;
      expect(most).toBeGreaterThan(3);
      for (let nth = 1; nth <= most; nth++) {
        expect(["ERR_ABORTED", ...also]).toContain(await endOf(nth));
      }
      expect([await endOf(1), faults]).toEqual(["ERR_ABORTED", []]);
    },
  );
});

describe("what is no signal", () => {
  it("is refused at once when a call is resumed with it, and leaves no deadline behind", () => {
    const clock = new HandClock();
    const approver = {
      name: "human",
      ask: () => undefined as never,
      recall: () => new Promise<undefined>(() => {}),
      consume: () => false,
    };
    const runner = new ToolRunner({ guardrails: [allowAll()], approver, clock });
    const signal = new AbortController() as unknown as AbortSignal;
    expect(() => runner.resume("a1", { signal })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
    expect(clock.waiting).toBe(0);
  });
});

describe("a caller's signal that throws", () => {
  it("P4 when it is listened to fails a stream, whose call settles", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("send", words)],
      guardrails: [allowAll()],
    });
    const signal = throwing("addEventListener");
    const [, outcome] = await read(runner.stream({ name: "send", callId: "c1" }, { signal }));
    expect(outcome.status).toBe("failed");
    expect((await runner.run({ name: "send", callId: "c1" })).status).toBe("executed");
    await runner.close();
  });

  it("P4 when it is asked counts as aborted, and the call settles", async () => {
    const settled: string[] = [];
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [guard("g", { settle: (_call, { status }) => void settled.push(status) })],
    });
    const request = { name: "send", callId: "c1" };
    await expect(runner.run(request, { signal: throwing("aborted") })).rejects.toMatchObject({
      code: "ERR_ABORTED",
    });
    expect([tool.runs, settled]).toEqual([[], ["aborted"]]);
    await runner.close();
  });
});

describe("a setter on the root prototype", () => {
  it.each(["stop", "denial"])(
    "P8 that swallows what is set as %s lets no denied call run",
    async (name) => {
      const tool = spyTool();
      const refuses = guard("refuses", { evaluate: () => deny("no") });
      const runner = new ToolRunner({
        tools: [tool],
        guardrails: [refuses, guard("late", { evaluate: async () => allow() })],
      });
      Object.defineProperty(Object.prototype, name, {
        get: () => undefined,
        set: () => {},
        configurable: true,
      });
      try {
        expect((await runner.run({ name: "send" })).status).toBe("denied");
      } finally {
        Reflect.deleteProperty(Object.prototype, name);
      }
      expect(tool.runs).toEqual([]);
    },
  );
});

describe("a signal of the host's own", () => {
  it("is listened to once", () => {
    const heard: unknown[] = [];
    const signal = {
      aborted: false,
      reason: undefined,
      throwIfAborted: () => {},
      addEventListener: (...given: unknown[]) => void heard.push(given[0], given[2]),
      removeEventListener: () => {},
    };
    listen(signal, () => {});
    expect(heard).toEqual(["abort", { once: true }]);
  });
});
