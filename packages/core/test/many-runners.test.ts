import { describe, expect, it } from "vitest";
import { forManyRunners } from "../src/host/index.js";
import {
  allow,
  chain,
  deny,
  type Guardrail,
  liveChain,
  type Tool,
  type ToolDefinition,
  ToolRunner,
} from "../src/index.js";
import { deepFreeze, isDeepFrozen } from "../src/json/own.js";
import { guard } from "./support/runners.js";

/** A guard that counts how often it is told of each tool, and refuses one. */
function counting(name: string) {
  const told: string[] = [];
  const provider = guard(name, {
    register: (tool: ToolDefinition) => {
      told.push(tool.name);
      if (tool.name === "refused") throw new Error("not this one");
    },
    evaluate: ({ toolName }) => (toolName === "denied" ? deny("never") : allow()),
  });
  return { provider, told };
}
const list = (...names: readonly string[]) =>
  deepFreeze(names.map((name) => ({ name, execute: () => "done" })));
const built = (
  guardrails: readonly Guardrail[],
  tools: readonly Tool[] = list("a", "denied", "refused"),
) => {
  const runner = new ToolRunner({ guardrails });
  const refused = runner.setTools(tools).map(({ name }) => name);
  return { runner, refused };
};
const statuses = async ({ runner }: { runner: ToolRunner }) =>
  Promise.all(
    ["a", "denied", "refused"].map(async (name) => {
      const { status, decisions } = await runner.run({ name, arguments: {} });
      return [status, decisions.filter(({ decision }) => decision === "deny")];
    }),
  );

describe("guardrails for many runners", () => {
  it("P15 are told of a frozen list once, whatever guard of its own a runner has", async () => {
    const { provider, told } = counting("counting");
    const shared = forManyRunners([provider]);
    const tools = list("a", "denied", "refused");
    for (const own of ["one", "two", "three"]) {
      const one = built([guard(own), ...shared], tools);
      expect(one.refused).toEqual(["refused"]);
      expect(await statuses(one)).toEqual(await statuses(built([guard(own), provider], tools)));
    }
    expect(told.filter((name) => name === "a")).toHaveLength(1 + 3);
  });

  it("are told of each list that may still change", () => {
    const { provider, told } = counting("counting");
    const shared = forManyRunners([provider]);
    const tools = [{ name: "a", execute: () => "done" }];
    built(shared, tools);
    tools[0] = { name: "b", execute: () => "done" };
    built(shared, tools);
    expect(told).toEqual(["a", "b"]);
  });

  it("are told again of a list whose schema could still change", () => {
    const { provider, told } = counting("counting");
    const shared = forManyRunners([provider]);
    const parameters = { type: "object" };
    const tools = Object.freeze([Object.freeze({ name: "a", parameters, execute: () => "done" })]);
    built(shared, tools);
    built(shared, tools);
    expect(told).toEqual(["a", "a"]);
  });

  it.each<[string, (read: () => object) => object]>([
    ["an accessor", (read) => Object.defineProperty({}, "parameters", { get: read })],
    [
      "a member of its class",
      (read) =>
        new (class {
          get parameters() {
            return read();
          }
        })(),
    ],
    [
      "a schema that writes itself",
      (read) => ({ parameters: Object.freeze({ toJSON: () => read() }) }),
    ],
    [
      "a schema that is code",
      (read) => ({
        parameters: Object.freeze(
          Object.assign(() => {}, {
            "~standard": Object.freeze({
              version: 1,
              vendor: "test",
              validate: (value: unknown) => ({ value }),
              jsonSchema: Object.freeze({ input: read }),
            }),
          }),
        ),
      }),
    ],
  ])("are told again of a frozen list with %s, which may say something else", (_, toolWith) => {
    const told: unknown[] = [];
    const provider = guard("told", { register: ({ parameters }) => void told.push(parameters) });
    const shared = forManyRunners([provider]);
    let schema = { type: "object", title: "first" };
    const tool = Object.assign(
      toolWith(() => schema),
      { name: "a", execute: () => "done" },
    );
    const tools = Object.freeze([Object.freeze(tool) as Tool]);
    built(shared, tools);
    schema = { type: "object", title: "second" };
    built(shared, tools);
    expect(told).toMatchObject([{ title: "first" }, { title: "second" }]);
  });

  it("are told once of a frozen list that goes round in a circle", () => {
    const { provider, told } = counting("counting");
    const shared = forManyRunners([provider]);
    const own = { ...guard("own"), itself: undefined as unknown };
    own.itself = own;
    const guardrails = Object.freeze([Object.freeze(own)]);
    const tools = Object.freeze([Object.freeze({ name: "a", execute: () => "done", guardrails })]);
    built(shared, tools);
    built(shared, tools);
    expect(told).toEqual(["a"]);
  });

  it("stay live where they are, and are exchanged for all", async () => {
    const live = liveChain([guard("before")], { name: "live" });
    const shared = forManyRunners([guard("first"), live.guardrail, guard("last")]);
    const runners = [built(shared), built(shared)];
    await live.replace([guard("after", { evaluate: () => deny("no more") })]).retired;
    for (const { runner } of runners) {
      const { decisions } = await runner.run({ name: "a", arguments: {} });
      expect(decisions.map(({ provider }) => provider)).toEqual(["first", "after"]);
    }
  });

  it("keep the order of guards around them", async () => {
    const shared = forManyRunners([guard("b"), chain([guard("c"), guard("d")])]);
    const { runner } = built([guard("a"), ...shared, guard("e")]);
    const { decisions } = await runner.run({ name: "a", arguments: {} });
    expect(decisions.map(({ provider }) => provider)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("are no more than were given where nothing can be joined", () => {
    const { guardrail } = liveChain([guard("before")], { name: "live" });
    expect(forManyRunners([guardrail])).toEqual([guardrail]);
    expect(forManyRunners([])).toEqual([]);
  });

  it("refuse what a runner refuses, by the same number", () => {
    const wrong = [guard("a"), {} as Guardrail];
    const message = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    expect(message(() => forManyRunners(wrong))).toBe(message(() => built(wrong)));
    expect(() => forManyRunners([guard("a"), guard("a")])).toThrow("Two guardrails are named");
  });
});

describe("a value in which nothing can change", () => {
  it("has no data that can change in the place of a function", () => {
    const code = new Set(["execute"]);
    const frozen = (execute: unknown) => isDeepFrozen(Object.freeze({ execute }), code);
    expect(frozen(() => 1)).toBe(true);
    expect(frozen({ a: 1 })).toBe(false);
    expect(frozen(Object.freeze({ a: 1 }))).toBe(true);
  });
});
