import { describe, expect, it } from "vitest";
import { Records } from "../src/guard/records.js";
import {
  allow,
  allowAll,
  type CallRecord,
  type DecisionRecord,
  deny,
  liveChain,
  modify,
  ToolRunner,
} from "../src/index.js";
import { HandClock } from "./support/hand-clock.js";
import { guard, spyTool } from "./support/runners.js";

const record = (provider: string): DecisionRecord =>
  Object.freeze({ provider, phase: "call", decision: "allow", basis: "policy" });
const [a, b, c] = ["a", "b", "c"].map(record) as [DecisionRecord, DecisionRecord, DecisionRecord];
const expected: readonly DecisionRecord[] = Object.freeze([a, b]);

function recorded(...pushed: readonly DecisionRecord[]): Records {
  const records = new Records(expected);
  for (const each of pushed) records.push(each);
  return records;
}

describe("the records of a run", () => {
  it("are the expected list itself if all come as expected", () => {
    expect(recorded(a, b).list).toBe(expected);
  });

  it.each([
    ["none", []],
    ["fewer", [a]],
    ["more", [a, b, c]],
    ["another first", [c, a, b]],
    ["another last", [a, c]],
    ["the same in another order", [b, a]],
    ["one twice", [a, a, b]],
    ["the expected again after all of them", [a, b, a, b]],
    ["the expected after another", [c, b]],
  ] as const)("are what was pushed, in order: %s", (_, pushed) => {
    expect(recorded(...pushed).list).toEqual(pushed);
  });

  it("are a frozen list that later records do not change", () => {
    for (const records of [recorded(a), recorded(a, b), recorded(c)]) {
      const before = records.list;
      const copy = [...before];
      records.push(c);
      expect(Object.isFrozen(before)).toBe(true);
      expect(before).toEqual(copy);
      expect(records.list).toEqual([...copy, c]);
    }
    expect(expected).toEqual([a, b]);
  });

  it("P15 of a call that differs are not those of the calls before and after it", async () => {
    const records: CallRecord[] = [];
    const runner = new ToolRunner({
      tools: [{ name: "send", execute: () => "sent" }],
      guardrails: [
        { name: "first", evaluate: () => allow(), evaluateResult: () => allow() },
        {
          name: "second",
          evaluate: ({ args: { to } }) =>
            to === "eve" ? deny("no") : to === "bob" ? modify({ to: "ada" }) : allow(),
          admit: () => allow(),
        },
      ],
      observers: [{ name: "log", settle: (told) => void records.push(told) }],
    });
    for (const to of ["ada", "eve", "ada", "bob", "ada"]) {
      await runner.run({ name: "send", arguments: { to } });
    }
    const decisions = records.map(({ decisions: made }) =>
      made.map(({ provider, phase, decision }) => `${provider} ${phase} ${decision}`),
    );
    const allowed = ["first call allow", "second call allow"];
    const end = ["second admit allow", "first result allow"];
    const all = [...allowed, ...end];
    const denied = ["first call allow", "second call deny"];
    const modified = ["first call allow", "second call modify", "first call allow", ...end];
    expect(decisions).toEqual([all, denied, all, modified, all]);
  });
});

describe("the times on a record", () => {
  it("are those of the call, though nobody observed it before its tool was at work", async () => {
    const clock = new HandClock();
    const records: CallRecord[] = [];
    const tool = spyTool("send", () => {
      clock.pass(20);
      runner.on("settled", (record) => void records.push(record));
    });
    const slow = guard("slow", {
      evaluate: () => {
        clock.pass(10);
        return allow();
      },
    });
    const runner = new ToolRunner({ tools: [tool], guardrails: [slow], clock });
    clock.pass(5);
    await runner.run({ name: "send" });
    expect(records.map(({ times }) => times)).toEqual([
      { askedAt: 5, dispatchedAt: 15, settledAt: 35 },
    ]);
  });
});

describe("the version on a record", () => {
  it("names that of each live chain whose rules were in force", async () => {
    const records: CallRecord[] = [];
    const chains = ["one", "two", undefined].map((policyVersion, at) =>
      liveChain([allowAll({ name: `g${at}` })], { name: `chain ${at}`, policyVersion }),
    );
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: chains.map(({ guardrail }) => guardrail),
      observers: [{ name: "log", settle: (record) => void records.push(record) }],
    });
    await runner.run({ name: "send" });
    expect(records.map(({ policyVersion }) => policyVersion)).toEqual(["one+two"]);
  });
});
