import { describe, expect, it } from "vitest";
import { Permit } from "../src/call/permit.js";
import { patternAllows, patternDenies } from "../src/guard/tool-names.js";
import {
  allow,
  allowAll,
  deny,
  type Fault,
  failOpen,
  forTools,
  modify,
  parallel,
  shadow,
  ToolRunner,
  type ToolRunnerOptions,
  when,
} from "../src/index.js";
import { within } from "../src/time/wait.js";
import { approver, approves, gate } from "./support/approvals.js";
import { asking, failOnUnhandledRejections } from "./support/asking.js";
import { callOf } from "./support/calls.js";
import { HandClock } from "./support/hand-clock.js";
import { judged } from "./support/judged.js";
import { whilePlanted } from "./support/planted.js";
import { idle } from "./support/promises.js";
import { guard, polluted, spyTool } from "./support/runners.js";

failOnUnhandledRejections();

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

describe("P3 a call that none of several guards judged", () => {
  it("P3 is denied, though one that judges other tools is asked at once with them", async () => {
    const together = parallel([
      forTools(["other"], allowAll()),
      shadow(guard("dark", { evaluate: () => deny("no") })),
    ]);
    const runner = runnerOf([together]);
    expect(await runner.run({ name: "send" })).toMatchObject({ basis: "no_provider" });
    expect((await runner.run({ name: "other" })).status).toBe("executed");
  });
});

describe("P3 a tool that guards which are asked at once do not cover", () => {
  it("P3 is known to be judged by none, before it is called", () => {
    const together = parallel([forTools(["other"], allowAll()), forTools(["other"], guard("b"))]);
    expect(runnerOf([together]).denialOf("send")).toMatchObject({ code: "no_provider" });
  });
});

describe("guards that are asked at once and change each other's work", () => {
  it("P1 are stopped after three rounds, in words that say why", async () => {
    const asked: string[] = [];
    const changing = (name: string, odd: number) =>
      guard(name, {
        evaluate: ({ args }) => {
          asked.push(name);
          const n = Number(args["n"] ?? 0);
          return n % 2 === odd ? modify({ n: n + 1 }) : allow();
        },
      });
    const runner = runnerOf([parallel([changing("a", 0), changing("b", 1)])]);
    expect(await runner.run({ name: "send" })).toMatchObject({
      status: "denied",
      basis: "unstable",
      decidedBy: "core",
      reason: "guardrails that are asked at once do not agree on one change",
    });
    expect(asked).toEqual(["a", "b", "b", "a"]);
  });
});

describe("P5 a pattern of tools", () => {
  it("P5 that allows has printable characters for its wildcards", () => {
    for (const wildcard of ["*", "?"]) {
      for (const [character, isAllowed] of [
        [" ", false],
        ["!", true],
        ["~", true],
        ["\x7f", false],
        ["\x80", false],
      ] as const) {
        expect(patternAllows(`a${wildcard}`, `a${character}`)).toBe(isAllowed);
      }
    }
  });

  it("P5 has for a star nothing that stands before it, too", () => {
    for (const matches of [patternAllows, patternDenies]) {
      expect(matches("abc*bcd", "abcd")).toBe(false);
      expect(matches("abc*bcd", "abcbcd")).toBe(true);
    }
  });

  it("P5 that denies has a whole character for its question mark", () => {
    expect(patternDenies("a?b", "a\uffffb")).toBe(true);
    expect(patternDenies("a?b", "a\u{10000}b")).toBe(true);
    expect(patternDenies("a?b", "a\u{1f600}b")).toBe(true);
    expect(patternDenies("a?b", "a\u{1f600}xb")).toBe(false);
    expect(patternDenies("a*b", "a\u{1f600}xb")).toBe(true);
  });
});

describe("a condition", () => {
  it("is asked once for each question, also of guards that are asked at once", async () => {
    const asked: string[] = [];
    const condition = (name: string) => () => asked.push(name) > 0;
    const guardrails = [
      when(condition("outer"), parallel([when(condition("inner"), allowAll()), guard("b")])),
    ];
    expect((await runnerOf(guardrails).run({ name: "send" })).status).toBe("executed");
    expect(asked).toEqual(["outer", "inner"]);
  });
});

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
});

describe("P9 a call whose caller gives up while it is decided again", () => {
  it("P9 is not asked about another time", async () => {
    const caller = new AbortController();
    let decided = 0;
    const human = approver(approves);
    const gives = guard("gives up", {
      evaluate: () => {
        if (++decided === 2) caller.abort();
        return allow();
      },
    });
    const runner = runnerOf([gives, gate()], { approver: human });
    await expect(runner.run({ name: "send" }, { signal: caller.signal })).rejects.toMatchObject({
      code: "ERR_ABORTED",
    });
    expect([decided, human.asked.length]).toEqual([2, 1]);
  });
});

describe("tools that come a second time", () => {
  it("need not have the names in the configuration of guards, though none came in between", () => {
    const runner = new ToolRunner({ guardrails: [allowAll(), forTools(["send"], guard("g"))] });
    expect(() => runner.setTools([spyTool("other")])).toThrow("'send'");
    runner.setTools([spyTool("send")]);
    runner.setTools([]);
    expect(runner.setTools([spyTool("other")])).toEqual([]);
  });
});

describe("P15 a name that is planted on Object.prototype", () => {
  it("P15 is no fact of a call", async () => {
    await polluted({ planted: 1 }, async () => {
      const runner = runnerOf([allowAll()]);
      expect((await runner.run({ name: "send" }, { context: {} })).status).toBe("executed");
    });
  });
});

describe("a reason that is null", () => {
  it("counts as none", () => {
    for (const decision of ["allow", "deny"]) {
      expect(judged({ decision, reason: null })).toMatchObject({ decision, basis: "policy" });
    }
  });
});

describe("the longest pattern of tools", () => {
  it("P5 has 256 characters", () => {
    const limited = (length: number) => () =>
      forTools([{ pattern: "a".repeat(length) }], allowAll());
    expect(limited(256)).not.toThrow();
    expect(limited(257)).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  });
});

describe("operators", () => {
  it("are told how long a guard was waited for, and what a signer gave", async () => {
    const faults: string[] = [];
    const clock = new HandClock();
    const runner = runnerOf(
      [allowAll(), guard("slow", { evaluate: () => new Promise(() => {}) })],
      {
        clock,
        timeoutMs: 20,
        receiptSigner: { name: "signer", sign: () => "" },
        onFault: ({ source, error }: Fault) =>
          void faults.push(`${source}: ${(error as Error).message}`),
      },
    );
    const running = runner.run({ name: "send" });
    await idle();
    clock.pass(20);
    await running;
    expect(faults).toEqual(["slow: No answer within 20 ms.", "signer: no receipt was given"]);
  });
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

describe("the content of a call that was aborted", () => {
  it("P4 says so", async () => {
    const [outcome] = await runnerOf([allowAll()]).runAll([{ name: "send" }], {
      signal: AbortSignal.abort(),
    });
    expect(outcome?.result).toMatchObject({ isError: true, content: "Tool call aborted." });
  });
});

describe("P7 a permit", () => {
  it("P7 counts as used once it was spent, and once it has let a tool in", () => {
    const call = callOf();
    const [fresh, spent, entered] = [Permit.mint(call), Permit.mint(call), Permit.mint(call)];
    Permit.spend(spent, call);
    Permit.enter(entered, call.toolName, call.args);
    expect([fresh, spent, entered].map(Permit.used)).toEqual([false, true, true]);
  });
});
