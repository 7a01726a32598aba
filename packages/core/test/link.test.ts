import { describe, expect, it } from "vitest";
import { type GuardFacts, ProviderGuard } from "../src/guard/guard.js";
import { patternDenies, ToolNames } from "../src/guard/tool-names.js";
import { allow, deny } from "../src/guard/verdicts.js";
import { callOf, scopeOn } from "./support/calls.js";

const facts: GuardFacts = {
  name: "guard",
  counts: true,
  only: [],
  when: [],
  tools: [],
  checksArguments: undefined,
  judgesPieces: undefined,
  register: undefined,
  settle: undefined,
  close: undefined,
};

const only = (names: string[]) => [new ToolNames(new Set(names), [], patternDenies)];

function linkWith(changes: Partial<GuardFacts> = {}): ProviderGuard {
  const call = () => deny("no");
  return new ProviderGuard(
    { ...facts, ...changes },
    { call, admit: undefined, result: undefined },
    7,
  );
}

describe("a guard", () => {
  it("answers in the phases that it has a question for", () => {
    const guard = linkWith();
    expect([guard.answers("call"), guard.answers("admit"), guard.answers("result")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(guard.answer("call", callOf())).toMatchObject({ decision: "deny", reason: "no" });
  });

  it("keeps one frozen record for each phase in which it simply allows", () => {
    const { allowed } = linkWith();
    for (const phase of ["call", "admit", "result"] as const) {
      expect(allowed[phase]).toEqual({
        provider: "guard",
        phase,
        decision: "allow",
        basis: "policy",
      });
      expect(Object.isFrozen(allowed[phase])).toBe(true);
    }
  });

  it("covers all tools, or those it is told of, by exact name", () => {
    expect(linkWith().covers("anything")).toBe(true);
    const some = linkWith({ only: only(["constructor", "send_mail"]) });
    expect(some.covers("send_mail")).toBe(true);
    expect(some.covers("Send_mail")).toBe(false);
    expect(some.covers("send_mail ")).toBe(false);
    expect(some.covers("constructor")).toBe(true);
    expect(some.covers("toString")).toBe(false);
  });

  it("P8 covers no tool because of what every object has", () => {
    const none = linkWith({ only: only([]) });
    for (const name of ["constructor", "__proto__", "has", "size"])
      expect(none.covers(name)).toBe(false);
  });

  it("has a say where all its conditions are met, asked in order up to the first that is not", () => {
    const asked: string[] = [];
    const condition = (name: string, met: boolean) => () => {
      asked.push(name);
      return met;
    };
    const guard = linkWith({
      when: [condition("a", true), condition("b", false), condition("c", true)],
    });
    expect(guard.applies(callOf())).toBe(false);
    expect(asked).toEqual(["a", "b"]);
    expect(linkWith({ when: [() => true, () => true] }).applies(callOf())).toBe(true);
  });

  it.each<readonly [string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
      "error",
    ],
    ["gives a promise of false", async () => false, "malformed"],
    ["gives undefined", () => undefined, "malformed"],
    ["gives null", () => null, "malformed"],
    ["gives 0", () => 0, "malformed"],
    ["gives 1", () => 1, "malformed"],
    ["gives text", () => "false", "malformed"],
    ["gives a boxed false", () => Object(false), "malformed"],
  ])("P1 denies where a condition %s", (_, condition, basis) => {
    const { scope, faults } = scopeOn();
    const guard = linkWith({ when: [condition as () => boolean] });
    const applies = guard.applies(callOf({}, { scope }));
    expect(applies).toMatchObject({ decision: "deny", basis });
    expect(JSON.stringify(applies)).not.toContain("hunter2");
    expect(faults.map(([source, phase]) => [source, phase])).toEqual([["guard", "when"]]);
    if (basis === "malformed") {
      expect(String(faults[0]?.[2])).toMatch(
        /^TypeError: The condition of when\(\) answered [a-z ]+\. It answers true or false, at once\.$/,
      );
    }
  });

  it("checks the arguments of every call to a tool, or else says that it does not", () => {
    const tool = { name: "send_mail" };
    const checksArguments = () => true;
    expect(linkWith({ checksArguments }).checksArguments(tool)).toBe(true);
    expect(linkWith().checksArguments(tool)).toBe(false);
    expect(linkWith({ checksArguments: () => false }).checksArguments(tool)).toBe(false);
    expect(linkWith({ checksArguments: (() => 1) as never }).checksArguments(tool)).toBe(false);
    expect(linkWith({ checksArguments, only: only(["other"]) }).checksArguments(tool)).toBe(false);
    expect(linkWith({ checksArguments, when: [() => true] }).checksArguments(tool)).toBe(false);
  });

  it("can have other facts, or another deadline, and is otherwise the same", async () => {
    const { scope, clock } = scopeOn();
    const call = () => new Promise(() => undefined);
    const guard = new ProviderGuard(facts, { call, admit: undefined, result: undefined }, 7);
    const waits = (given: typeof guard): Promise<unknown> =>
      given.answer("call", callOf({}, { scope })) as Promise<unknown>;
    const before = waits(guard);
    clock.pass(7);
    expect({ ...((await before) as object) }).toMatchObject({ basis: "timeout" });
    const renamed = guard.with({ name: "other" }) as typeof guard;
    const same = waits(renamed);
    clock.pass(7);
    expect({ ...((await same) as object) }).toMatchObject({
      basis: "timeout",
      reason: "guardrail 'other' did not answer in time",
    });
    const longer = guard.within(20) as typeof guard;
    let over = false;
    void waits(longer).then(() => {
      over = true;
    });
    clock.pass(19);
    await Promise.resolve();
    expect(over).toBe(false);
    clock.pass(1);
    await waitFor(() => over);
    expect(longer.facts).toBe(guard.facts);
  });

  it("is itself where each provider inside it is changed", () => {
    const guard = linkWith();
    const other = linkWith({ name: "other" });
    expect(guard.each((given) => (given === guard ? other : guard))).toBe(other);
  });

  it("gives the shared record for the shared allow", () => {
    const guard = new ProviderGuard(
      facts,
      { call: () => allow(), admit: undefined, result: undefined },
      1,
    );
    expect(guard.answer("call", callOf())).toMatchObject({ decision: "allow", records: undefined });
  });
});

async function waitFor(met: () => boolean): Promise<void> {
  for (let tick = 0; tick < 50 && !met(); tick++) await undefined;
  expect(met()).toBe(true);
}
