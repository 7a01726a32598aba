import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowAll, liveChain, ToolRunner } from "../src/index.js";
import type { ToolDeclaration } from "../src/protocol/declaration.js";
import { declaredTool } from "../src/tool/declared-tools.js";
import { guard } from "./support/runners.js";

const names = Array.from({ length: 40 }, (_, index) => `tool_${index}`);
const frozen = (): readonly ToolDeclaration[] =>
  Object.freeze(names.map((name) => Object.freeze({ name })));

describe("the tools that are declared with a call", () => {
  it("are the first of the list with the name, as often as it is asked", () => {
    const tool = fc.constantFrom("a", "b", "c", "__proto__").map((name) => ({ name }));
    const list = fc.array(fc.oneof(tool, fc.constantFrom(null, undefined, {})), { maxLength: 30 });
    const asked = fc.array(fc.constantFrom("a", "b", "c", "d", "__proto__"), { maxLength: 6 });
    fc.assert(
      fc.property(list, fc.boolean(), fc.boolean(), asked, (all, deeply, freezes, each) => {
        if (deeply) for (const tool of all) Object.freeze(tool);
        const given = (freezes ? Object.freeze(all) : all) as readonly ToolDeclaration[];
        for (const name of each) {
          expect(declaredTool(given, name)).toBe(given.find((tool) => tool?.name === name));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("are looked through no more than twice, where they cannot change", () => {
    let reads = 0;
    const tools = names.map((name) => {
      const handler: ProxyHandler<object> = {
        get: (target, key) => {
          reads++;
          return Reflect.get(target, key);
        },
      };
      return new Proxy(Object.freeze({ name }), handler);
    }) as ToolDeclaration[];
    const list = Object.freeze(tools);
    expect(declaredTool(list, "tool_39")).toBe(tools[39]);
    expect(declaredTool(list, "tool_39")).toBe(tools[39]);
    const before = reads;
    expect(before).toBe(80);
    for (const tool of tools) expect(declaredTool(list, tool.name)).toBe(tool);
    // The test itself read each name once.
    expect(reads - before).toBe(40);
    expect(declaredTool(list, "other")).toBeUndefined();
  });

  it("are read anew where a name may change", () => {
    let turn = 0;
    const moody = Object.freeze({
      get name() {
        return `turn_${++turn}`;
      },
    });
    const list = Object.freeze([...frozen(), moody]);
    for (const name of ["turn_1", "turn_2", "turn_3"]) {
      expect(declaredTool(list, name)).toBe(moody);
    }
    const changing = { name: "before" };
    const others = Object.freeze([...frozen(), changing]);
    for (let time = 0; time < 3; time++) expect(declaredTool(others, "before")).toBe(changing);
    changing.name = "after";
    expect(declaredTool(others, "before")).toBeUndefined();
    expect(declaredTool(others, "after")).toBe(changing);
  });

  it("decide the same way from the first call on", async () => {
    const runner = new ToolRunner({ guardrails: [allowAll()] });
    const tools = frozen();
    for (let time = 0; time < 3; time++) {
      const request = { name: "tool_30", arguments: {} };
      const { outcome } = await runner.open(request, { tools });
      expect(outcome).toBeUndefined();
      expect(await runner.run({ name: "tool_40" }, { tools })).toMatchObject({
        status: "not_found",
      });
    }
  });
});

describe("tools that are declared with a call", () => {
  it("are found in a list that grew since it was seen", () => {
    const named = (name: string) => Object.freeze({ name });
    const list = Array.from({ length: 20 }, (_, at) => named(`t${at}`));
    for (let time = 0; time < 3; time++) expect(declaredTool(list, "late")).toBeUndefined();
    const late = named("late");
    list.push(late);
    expect(declaredTool(list, "late")).toBe(late);
  });
});

describe("a tool that is declared with each call", () => {
  it("is told to guards once, where it cannot change, and is decided on each time", async () => {
    const names: string[] = [];
    const noting = guard("notes", { register: ({ name }) => void names.push(name) });
    const runner = new ToolRunner({ guardrails: [noting] });
    const tools = [Object.freeze({ name: "send" })];
    for (let time = 0; time < 3; time++) {
      const opened = await runner.open({ name: "send" }, { tools });
      if (opened.permit === undefined) throw new Error("the call was stopped");
      await opened.close({ value: "sent" });
    }
    expect(names).toEqual(["send"]);
  });
});

describe("a tool that is declared with the calls of several agents", () => {
  const tools = [Object.freeze({ name: "send" })];
  const decided = async (...runners: readonly ToolRunner[]) => {
    for (const runner of runners) {
      const { outcome } = await runner.open({ name: "send" }, { tools });
      expect(outcome).toBeUndefined();
    }
  };
  const noting = (name: string, told: string[]) =>
    guard(name, { register: () => void told.push(name) });

  it("is told to the guards that they share once", async () => {
    const told: string[] = [];
    const runner = new ToolRunner({ guardrails: [noting("notes", told)] });
    await decided(runner, runner.forAgent("a"), runner.forAgent("b"));
    expect(told).toEqual(["notes"]);
  });

  it("is told to the guards of one agent once, however often it calls", async () => {
    const told: string[] = [];
    const runner = new ToolRunner({ guardrails: [allowAll()] });
    const agent = runner.forAgent("a", { guardrails: [noting("own", told)] });
    await decided(agent, agent, agent);
    expect(told).toEqual(["own"]);
  });

  it("is told once to the guards that come in the place of those that they shared", async () => {
    const told: string[] = [];
    const live = liveChain([allowAll()]);
    const runner = new ToolRunner({ guardrails: [live.guardrail] });
    const agent = runner.forAgent("a");
    await decided(runner, agent);
    live.replace([noting("new", told)]);
    await decided(runner, agent);
    expect(told).toEqual(["new"]);
  });
});
