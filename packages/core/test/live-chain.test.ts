import { describe, expect, it } from "vitest";
import { guardExecutor } from "../src/host/executor.js";
import {
  allow,
  allowAll,
  type CallRecord,
  deny,
  forTools,
  type Guardrail,
  type GuardrailProvider,
  type LiveChain,
  liveChain,
  rewrite,
  ToolRunner,
  tool,
} from "../src/index.js";
import { StaticWorkbench } from "../src/workbench/index.js";
import { approval, approver } from "./support/approvals.js";
import { errorOf } from "./support/errors.js";
import { guard, told } from "./support/runners.js";

const checked = { type: "object", required: ["q"] };

const search = tool({ name: "search", execute: () => "found" });
const request = { name: "search", arguments: { q: "tea" } };
const shut = (name = "shut"): GuardrailProvider => ({ name, evaluate: () => deny("shut") });

/** A runner on a live chain, and the records of its calls. */
function running(guardrails: readonly Guardrail[], policyVersion = "one") {
  const live = liveChain(guardrails, { policyVersion });
  const records: CallRecord[] = [];
  const observer = { name: "records", settle: (record: CallRecord) => void records.push(record) };
  const runner = new ToolRunner({
    tools: [search],
    guardrails: [live.guardrail],
    observers: [observer],
    policyVersion: "the runner's own",
  });
  return { live, runner, records };
}

/** A guard that waits until it is let go. */
function waiting(name: string, more: Partial<GuardrailProvider> = {}) {
  let go = (): void => {};
  let note = (): void => {};
  const promise = new Promise<void>((resolve) => (go = resolve));
  const asked = new Promise<void>((resolve) => (note = resolve));
  const guard: GuardrailProvider = {
    name,
    evaluate: async () => {
      note();
      await promise;
      return allow();
    },
    ...more,
  };
  return { guard, go, asked };
}

describe("a live chain", () => {
  it("is asked in its place, and its guards keep their names in records", async () => {
    const live = liveChain([allowAll({ name: "b" }), allowAll({ name: "c" })]);
    const guardrails = [allowAll({ name: "a" }), live.guardrail, allowAll({ name: "d" })];
    const runner = new ToolRunner({ tools: [search], guardrails });
    const { decisions } = await runner.run(request);
    expect(decisions.map(({ provider }) => provider)).toEqual(["a", "b", "c", "d"]);
  });

  it("decides the next call by the guards that it was given last, and says so on its record", async () => {
    const { live, runner, records } = running([allowAll()]);
    expect((await runner.run(request)).status).toBe("executed");
    live.replace([shut()], { policyVersion: "two" });
    expect(await runner.run(request)).toMatchObject({ status: "denied", decidedBy: "shut" });
    live.replace([allowAll()]);
    expect((await runner.run(request)).status).toBe("executed");
    expect(records.map(({ policyVersion }) => policyVersion)).toEqual([
      "one",
      "two",
      "the runner's own",
    ]);
  });

  it("P3 judges nothing when it has no guards", async () => {
    const { live, runner } = running([]);
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "no_provider" });
    live.replace([allowAll()]);
    live.replace([]);
    expect(await runner.run(request)).toMatchObject({ status: "denied", basis: "no_provider" });
  });

  it("P6 ends a call under the guards and the version that it began with, result and settling too", async () => {
    const settled: string[] = [];
    const old = waiting("old", {
      evaluateResult: () => rewrite({ content: "as the old rules have it" }),
      settle: () => void settled.push("old"),
    });
    const { live, runner, records } = running([old.guard]);
    const first = runner.run(request);
    await old.asked;
    const { retired } = live.replace([{ ...shut("new"), settle: () => void settled.push("new") }], {
      policyVersion: "two",
    });
    let over = false;
    const retiring = retired.then(() => (over = true));
    expect((await runner.run(request)).status).toBe("denied");
    expect(over).toBe(false);
    old.go();
    expect(await first).toMatchObject({
      status: "executed",
      result: { content: "as the old rules have it" },
    });
    await retiring;
    expect(settled).toEqual(["new", "old"]);
    expect(records.map(({ policyVersion }) => policyVersion)).toEqual(["two", "one"]);
  });

  it("retires guards at once when no call is under way", async () => {
    const { live, runner } = running([allowAll()]);
    await runner.run(request);
    await live.replace([shut()]).retired;
  });

  it("waits for opened calls and streams before guards are retired", async () => {
    const { live, runner } = running([allowAll()]);
    const opened = await runner.open(request);
    let over = false;
    const retiring = live.replace([shut()]).retired.then(() => (over = true));
    await Promise.resolve();
    expect(over).toBe(false);
    if (opened.outcome === undefined) await opened.close({ value: "x" });
    await retiring;
  });

  it("closes no guard with a runner: others may have it", async () => {
    const closed: string[] = [];
    const { live, runner } = running([{ ...allowAll(), close: () => void closed.push("first") }]);
    live.replace([{ ...allowAll(), close: () => void closed.push("second") }]);
    await runner.close();
    expect(closed).toEqual([]);
  });

  it("puts the version of the rules that a call began under on what approvers are asked", async () => {
    const human = approver(() => ({ decision: "denied" }));
    const gate: GuardrailProvider = {
      name: "gate",
      evaluate: () => deny("ask first", { code: "gate", approval }),
    };
    const live = liveChain([allowAll()], { policyVersion: "one" });
    const guardrails = [live.guardrail];
    const runner = new ToolRunner({ tools: [search], guardrails, approver: human });
    live.replace([gate], { policyVersion: "two" });
    await runner.run(request);
    expect(human.asked.map(({ policyVersion }) => policyVersion)).toEqual(["two"]);
  });
});

describe("P5 other guards are refused whole, and the old ones stay,", () => {
  const refusing = {
    ...allowAll({ name: "picky" }),
    register: () => {
      throw new Error("no");
    },
  };
  const declared = tool({
    name: "search",
    parameters: { type: "object", properties: { q: { type: "string" } } },
    execute: () => "found",
  });
  const checking = { ...allowAll(), checksArguments: () => true };

  it.each<[string, readonly Guardrail[], string]>([
    ["one of them refuses a tool", [allowAll(), refusing], "ERR_TOOL_REFUSED"],
    [
      "one names a tool that is not there",
      [checking, forTools(["serch"], shut())],
      "ERR_UNKNOWN_TOOL",
    ],
    ["two have one name", [checking, allowAll()], "ERR_DUPLICATE_PROVIDER"],
    [
      "one has a name that another guard of the runner has",
      [{ ...checking, name: "own" }],
      "ERR_DUPLICATE_PROVIDER",
    ],
    ["nobody holds arguments to a schema any more", [allowAll()], "ERR_UNCHECKED_TOOL"],
    ["one is no guard", [{ name: "x" } as never], "ERR_INVALID_PROVIDER"],
  ])("where %s", async (_, others, code) => {
    const live = liveChain([checking]);
    const runners = [[declared], [declared]].map(
      (tools) => new ToolRunner({ tools, guardrails: [live.guardrail, allowAll({ name: "own" })] }),
    );
    expect(errorOf(() => live.replace(others)).code).toBe(code);
    for (const runner of runners) {
      const { status, decisions } = await runner.run(request);
      expect([status, decisions.map(({ provider }) => provider)]).toEqual([
        "executed",
        ["allow-all", "own"],
      ]);
    }
  });

  it("where a version is no text, or an option is unknown", () => {
    const { live } = running([allowAll()]);
    const wrong = (options: object) =>
      errorOf(() => live.replace([allowAll()], options as never)).code;
    expect(wrong({ policyVersion: 2 })).toBe("ERR_INVALID_OPTION");
    expect(wrong({ policyversion: "2" })).toBe("ERR_UNKNOWN_OPTION");
    expect(errorOf(() => liveChain([], { nmae: "x" } as never)).code).toBe("ERR_UNKNOWN_OPTION");
  });

  it("also where only one of several runners cannot take them", async () => {
    const live = liveChain([allowAll()]);
    const plain = new ToolRunner({ tools: [search], guardrails: [live.guardrail] });
    const read = tool({ name: "read", execute: () => "read" });
    const other = new ToolRunner({ tools: [read], guardrails: [live.guardrail] });
    const onlySearch = forTools(["search"], shut());
    expect(errorOf(() => live.replace([onlySearch])).message).toContain("'search'");
    expect((await plain.run(request)).status).toBe("executed");
    expect((await other.run({ name: "read" })).status).toBe("executed");
  });

  it("unless the tools came later: then one that is refused is denied, and said so", async () => {
    const faults: string[] = [];
    const live = liveChain([allowAll()]);
    const runner = new ToolRunner({
      guardrails: [live.guardrail],
      onFault: ({ source, phase, error }) =>
        void faults.push(`${source} ${phase}: ${(error as Error).message}`),
    });
    runner.setTools([search]);
    live.replace([refusing]);
    expect(faults).toEqual(["picky register: refused 'search'"]);
    expect(runner.tools).toEqual([]);
    expect(await runner.run(request)).toMatchObject({ status: "denied", code: "tool_refused" });
    expect(errorOf(() => live.replace([forTools(["serch"], shut())])).code).toBe(
      "ERR_UNKNOWN_TOOL",
    );
  });
});

describe("an agent with rules of its own", () => {
  it("P3 stays under the guards of its parent when they are exchanged", async () => {
    const runner = new ToolRunner({ tools: [search], guardrails: [shut()] });
    const live = liveChain([allowAll({ name: "own" })]);
    const agent = runner.forAgent("a", { guardrails: [live.guardrail] });
    live.replace([allowAll({ name: "other" })]);
    expect((await agent.run(request)).status).toBe("denied");
  });
});

describe("an agent whose parent has other rules", () => {
  it("is not told again of a tool that its own guard refused before", () => {
    const faults: string[] = [];
    const live = liveChain([allowAll()]);
    const runner = new ToolRunner({
      guardrails: [live.guardrail],
      onFault: ({ source, phase }) => void faults.push(`${source} ${phase}`),
    });
    const picky: GuardrailProvider = {
      name: "picky",
      evaluate: () => allow(),
      register: () => {
        throw new Error("no");
      },
    };
    const agent = runner.forAgent("a", { guardrails: [picky] });
    runner.setTools([search]);
    expect(agent.tools).toEqual([]);
    faults.length = 0;
    live.replace([allowAll({ name: "other" })]);
    expect([agent.tools, faults]).toEqual([[], []]);
  });
});

describe("everything that has a live chain follows it:", () => {
  const told: string[] = [];
  const noting = { ...shut(), register: ({ name }: { name: string }) => void told.push(name) };
  const outcomes: readonly [string, (live: LiveChain) => () => Promise<string>][] = [
    [
      "a runner whose tools came later",
      ({ guardrail }) => {
        const runner = new ToolRunner({ guardrails: [guardrail] });
        runner.setTools([search]);
        return async () => (await runner.run(request)).status;
      },
    ],
    [
      "an agent's runner",
      ({ guardrail }) => {
        const runner = new ToolRunner({ tools: [search], guardrails: [guardrail] });
        const agent = runner.forAgent("a", { guardrails: [allowAll({ name: "own" })] });
        return async () => (await agent.run(request)).status;
      },
    ],
    [
      "a chain that only an agent's runner has",
      ({ guardrail }) => {
        const runner = new ToolRunner({ tools: [search], guardrails: [allowAll({ name: "own" })] });
        const agent = runner.forAgent("a", { guardrails: [guardrail] });
        return async () => (await agent.run(request)).status;
      },
    ],
    [
      "a wrapped executor",
      ({ guardrail }) => {
        const guarded = guardExecutor<[]>(() => "found", {
          tools: [{ name: "search" }],
          guardrails: [guardrail],
          denied: () => "denied",
        } as never);
        return async () => ((await guarded("search", {})) === "found" ? "executed" : "denied");
      },
    ],
    [
      "a workbench",
      ({ guardrail }) => {
        const bench = new StaticWorkbench([search], { guardrails: [guardrail] });
        return async () => ((await bench.callTool("search")).isError ? "denied" : "executed");
      },
    ],
    [
      "a tool that is declared with the call",
      ({ guardrail }) => {
        const runner = new ToolRunner({ guardrails: [guardrail] });
        const tools = [Object.freeze({ name: "search" })];
        return async () => {
          const opened = await runner.open(request, { tools });
          if (opened.outcome !== undefined) return opened.outcome.status;
          await opened.close({ value: "found" });
          return "executed";
        };
      },
    ],
  ];

  it.each(outcomes)("%s", async (_, build) => {
    told.length = 0;
    const live = liveChain([allowAll()]);
    const run = build(live);
    expect(await run()).toBe("executed");
    live.replace([noting]);
    const before = [...told];
    expect(await run()).toBe("denied");
    // Of a tool that comes with a call, guards are told with that call.
    expect(before.length === 0 ? told : before).toContain("search");
    live.replace([allowAll()]);
    expect(await run()).toBe("executed");
  });

  it("tools that come after the guards were exchanged", () => {
    told.length = 0;
    const live = liveChain([allowAll()]);
    const runner = new ToolRunner({ guardrails: [live.guardrail] });
    live.replace([noting]);
    runner.setTools([search]);
    expect(told).toEqual(["search"]);
  });

  it("but no runner that is closed", async () => {
    told.length = 0;
    const live = liveChain([allowAll()]);
    const build = () => new ToolRunner({ tools: [search], guardrails: [live.guardrail] });
    for (let closed = 0; closed < 40; closed++) await build().close();
    const open = build();
    live.replace([noting]);
    expect(told).toEqual(["search"]);
    expect((await open.run(request)).status).toBe("denied");
  });
});

describe("guardrails that many runners have", () => {
  it("keep their tools apart from an exchange in which one of them fails", () => {
    const { faults, onFault } = told();
    const live = liveChain([allowAll()]);
    const runner = new ToolRunner({ guardrails: [live.guardrail], onFault });
    runner.setTools([{ name: "typed", parameters: checked, unchecked: true }]);
    live.replace([
      guard("strict", {
        register: () => {
          throw new Error("secret");
        },
      }),
    ]);
    expect(faults).toEqual(["strict register: refused 'typed'"]);
  });
});
