import { ToolRunner } from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { rules, type ToolRule } from "../src/index.js";

const parameters = {
  type: "object",
  properties: {
    amount: { type: "number" },
    to: { type: "array", items: { type: "string" } },
    path: { type: "string" },
    deep: {
      type: "object",
      properties: { inner: { type: "string" } },
      additionalProperties: false,
    },
    free: { type: "object" },
  },
};
const outputSchema = { type: "object", properties: { rows: { type: "array" } } };
const pay = fakeTool("pay", { parameters, outputSchema });
const other = fakeTool("other", { parameters: { type: "object", properties: { x: {} } } });

const load = (rule: Partial<ToolRule>, tools = [pay]) =>
  new ToolRunner({
    tools,
    guardrails: [rules({ rules: [{ id: "r", ...rule }] as ToolRule[] })],
    unchecked: true,
  });
const named = { tools: ["pay"], deny: "no" };
const about = (condition: object) => ({ ...named, when: condition });

describe("a rule about a declared tool", () => {
  it.each<[Partial<ToolRule>, string]>([
    [
      about({ at: "/amuont", above: 1 }),
      "rules[0] (r): for the tool 'pay', 'at' leads to '/amuont', and there is no 'amuont'. Did you mean 'amount'? There are: amount, to, path",
    ],
    [about({ at: "/amuont", above: 1, optional: true }), "Did you mean 'amount'?"],
    [about({ at: "/amuont", present: true }), "Did you mean 'amount'?"],
    [about({ at: "/deep/iner", contains: "x" }), "there is no 'iner'. Did you mean 'inner'?"],
    [about({ not: { any: [{ at: "/pth", contains: "x" }] } }), "Did you mean 'path'?"],
    [about({ at: "/path/x", contains: "x" }), "there is no 'x'"],
    [
      about({ at: "/path", above: 1 }),
      "'above' asks about a number, and 'at' leads to something else at '/path'",
    ],
    [about({ at: "/to", pathUnder: ["/x"] }), "For each entry, write /to/*."],
    [about({ at: "/amount", equals: "1" }), "'equals' asks about a string"],
    [
      about({ cel: "args.amuont > 1" }),
      "for the tool 'pay': line 1, column 5: there is no member 'amuont'. Did you mean 'amount'?",
    ],
    [about({ cel: "args.path > 1" }), "'>' does not take a string with an int"],
    [{ ...named, total: { at: "/amunt", above: 1 } }, "Did you mean 'amount'?"],
    [
      { ...named, total: { at: "/path", above: 1 } },
      "'total' asks about a number, and 'at' leads to something else at '/path'. To add up the lengths of texts, write of: length.",
    ],
    [
      { ...named, total: { at: "/amount", of: "length", above: 1 } },
      "'total of length' asks about a string or a list, and 'at' leads to something else at '/amount'",
    ],
    [{ tools: ["pay"], change: { at: "/amunt", clamp: { max: 1 } } }, "Did you mean 'amount'?"],
    [
      { tools: ["pay"], withhold: "x", when: { result: "/structured/row", present: true } },
      "there is no 'row'. Did you mean 'rows'?",
    ],
    [
      { tools: ["pay"], withhold: "x", when: { cel: "result.structured.row == 1" } },
      "there is no member 'row'. Did you mean 'rows'?",
    ],
    [
      { deny: "no", when: { at: "/path", contains: "x" } },
      "for the tool 'other', 'at' leads to '/path', and there is no 'path'. There are: x. For tools that do not have it, write optional: true, or name the tools.",
    ],
    [{ tools: [{ pattern: "*" }], change: { at: "/path", set: "x" } }, "for the tool 'other'"],
  ])("P5 is refused with it: %j", (rule, message) => {
    const tools = rule.tools?.[0] === "pay" ? [pay] : [pay, other];
    expect(() => load(rule, tools)).toThrow(message);
  });

  it.each<Partial<ToolRule>>([
    about({ at: "/amount", above: 1 }),
    about({ at: "/to/*", emailDomain: ["example.com"] }),
    about({ at: "/to", emailDomain: ["example.com"] }),
    about({ at: "/to/0", contains: "x" }),
    about({ at: "/to", length: { above: 3 } }),
    about({ at: "/free/anything", contains: "x" }),
    about({ host: "/attributes/role", equals: "admin" }),
    { ...named, total: { at: "/path", of: "length", above: 1 } },
    { ...named, total: { at: "/to", of: "length", above: 1 } },
    { deny: "no", when: { at: "/path", contains: "x", optional: true } },
    { deny: "no", when: { at: "/path", present: true } },
    { tools: [{ pattern: "*" }], change: { at: "/path", trim: true } },
    { tools: ["pay"], withhold: "x", when: { result: "/structured/rows", length: { above: 3 } } },
  ])("is accepted with it: %j", (rule) => {
    expect(() => load(rule, [pay, other])).not.toThrow();
  });

  it("is accepted with a tool that declares nothing", () => {
    const bare = fakeTool("pay");
    expect(() => load(about({ at: "/anything", above: 1 }), [bare])).not.toThrow();
  });

  it("P5 is refused for a tool that does not exist, unless tools may come later", () => {
    const rule: ToolRule = { id: "r", tools: ["pya"], deny: "no" };
    const make = (unknownTools?: "ignore") => () =>
      new ToolRunner({
        tools: [pay],
        guardrails: [rules({ rules: [rule], unknownTools })],
        unchecked: true,
      });
    expect(make()).toThrow("'pya', which does not exist. Did you mean 'pay'?");
    expect(make("ignore")).not.toThrow();
  });
});
