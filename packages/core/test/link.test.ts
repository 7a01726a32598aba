import { describe, expect, it } from "vitest";
import { type LinkFacts, ProviderLink } from "../src/link.js";
import { allow, deny } from "../src/verdict.js";
import { callOf, scopeOn } from "./support/calls.js";

const facts: LinkFacts = {
  name: "guard",
  counts: true,
  only: undefined,
  when: [],
  tools: [],
  checksArguments: undefined,
  register: undefined,
  settle: undefined,
  close: undefined,
};

function linkWith(changes: Partial<LinkFacts> = {}): ProviderLink {
  const call = () => deny("no");
  return new ProviderLink(
    { ...facts, ...changes },
    { call, admit: undefined, result: undefined },
    7,
  );
}

describe("a link", () => {
  it("answers in the phases that it has a question for", () => {
    const link = linkWith();
    expect([link.answers("call"), link.answers("admit"), link.answers("result")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(link.answer("call", callOf())).toMatchObject({ decision: "deny", reason: "no" });
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
    const some = linkWith({ only: new Set(["constructor", "send_mail"]) });
    expect(some.covers("send_mail")).toBe(true);
    expect(some.covers("Send_mail")).toBe(false);
    expect(some.covers("send_mail ")).toBe(false);
    expect(some.covers("constructor")).toBe(true);
    expect(some.covers("toString")).toBe(false);
  });

  it("P8 covers no tool because of what every object has", () => {
    const none = linkWith({ only: new Set<string>() });
    for (const name of ["constructor", "__proto__", "has", "size"])
      expect(none.covers(name)).toBe(false);
  });

  it("has a say where all its conditions are met, asked in order up to the first that is not", () => {
    const asked: string[] = [];
    const condition = (name: string, met: boolean) => () => {
      asked.push(name);
      return met;
    };
    const link = linkWith({
      when: [condition("a", true), condition("b", false), condition("c", true)],
    });
    expect(link.applies(callOf())).toBe(false);
    expect(asked).toEqual(["a", "b"]);
    expect(linkWith({ when: [() => true, () => true] }).applies(callOf())).toBe(true);
  });

  it("asks no condition about a tool that it does not cover", () => {
    const link = linkWith({
      only: new Set(["other"]),
      when: [
        () => {
          throw new Error("asked");
        },
      ],
    });
    expect(link.applies(callOf())).toBe(false);
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
    const link = linkWith({ when: [condition as () => boolean] });
    const applies = link.applies(callOf({}, { scope }));
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
    expect(linkWith({ checksArguments, only: new Set(["other"]) }).checksArguments(tool)).toBe(
      false,
    );
    expect(linkWith({ checksArguments, when: [() => true] }).checksArguments(tool)).toBe(false);
  });

  it("can have other facts, or another deadline, and is otherwise the same", async () => {
    const { scope, clock } = scopeOn();
    const call = () => new Promise(() => undefined);
    const link = new ProviderLink(facts, { call, admit: undefined, result: undefined }, 7);
    const waits = (given: typeof link): Promise<unknown> =>
      given.answer("call", callOf({}, { scope })) as Promise<unknown>;
    const before = waits(link);
    clock.pass(7);
    expect({ ...((await before) as object) }).toMatchObject({ basis: "timeout" });
    const renamed = link.with({ name: "other" }) as typeof link;
    const same = waits(renamed);
    clock.pass(7);
    expect({ ...((await same) as object) }).toMatchObject({
      basis: "timeout",
      reason: "guardrail 'other' did not answer in time",
    });
    const longer = link.within(20) as typeof link;
    let over = false;
    void waits(longer).then(() => {
      over = true;
    });
    clock.pass(19);
    await Promise.resolve();
    expect(over).toBe(false);
    clock.pass(1);
    await waitFor(() => over);
    expect(longer.facts).toBe(link.facts);
  });

  it("is itself where each provider inside it is changed", () => {
    const link = linkWith();
    const other = linkWith({ name: "other" });
    expect(link.each((given) => (given === link ? other : link))).toBe(other);
  });

  it("gives the shared record for the shared allow", () => {
    const link = new ProviderLink(
      facts,
      { call: () => allow(), admit: undefined, result: undefined },
      1,
    );
    expect(link.answer("call", callOf())).toMatchObject({ decision: "allow", records: undefined });
  });
});

async function waitFor(met: () => boolean): Promise<void> {
  for (let tick = 0; tick < 50 && !met(); tick++) await undefined;
  expect(met()).toBe(true);
}
