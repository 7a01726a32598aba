import type { ToolDefinition } from "@toolstile/core";
import { call } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { analyseRules } from "../src/analysis.js";
import type { RuleCondition, ToolRule } from "../src/index.js";
import { provider } from "./ask.js";

const pay: ToolDefinition = {
  name: "pay",
  parameters: {
    type: "object",
    properties: {
      cents: { type: "integer", minimum: 1, maximum: 100 },
      currency: { enum: ["EUR", "USD"] },
      urgent: { type: "boolean" },
      note: { type: "string", maxLength: 20 },
      to: { type: "array", items: { type: "string" }, maxItems: 3 },
      free: {},
    },
  },
};
const other: ToolDefinition = { name: "other" };

const findings = (rules: ToolRule[], tools = [pay, other]) =>
  analyseRules({ rules, unknownTools: "ignore" }, tools).findings.map(({ rule, kind, by }) =>
    by === undefined ? `${rule} ${kind}` : `${rule} ${kind} by ${by}`,
  );
const about = (rule: Partial<ToolRule>): ToolRule[] => [
  { id: "r", tools: ["pay"], deny: "no", ...rule },
];

describe("analyseRules", () => {
  it("gives the rules about each tool, in their order", () => {
    const rules: ToolRule[] = [
      { id: "all", cut: 500 },
      { id: "pay", tools: ["pay"], deny: "no" },
      { id: "pattern", tools: [{ pattern: "o*" }], ask: "?" },
    ];
    expect(analyseRules({ rules }, [pay, other]).tools).toEqual([
      {
        tool: "pay",
        rules: [
          { id: "all", effect: "cut", hasCondition: false },
          { id: "pay", effect: "deny", hasCondition: false },
        ],
      },
      {
        tool: "other",
        rules: [
          { id: "all", effect: "cut", hasCondition: false },
          { id: "pattern", effect: "ask", hasCondition: false },
        ],
      },
    ]);
  });

  it.each<[RuleCondition, RuleCondition]>([
    [
      { at: "/cents", atLeast: 1 },
      { at: "/cents", above: 100 },
    ],
    [
      { at: "/urgent", oneOf: [true, false] },
      { at: "/currency", equals: "GBP" },
    ],
  ])("says of an optional value that it may be missing: %j, %j", (always, never) => {
    const optional = (condition: RuleCondition) => ({ ...condition, optional: true });
    const kinds = (rule: Partial<ToolRule>) => findings(about(rule), [pay]);
    expect(kinds({ when: always })).toEqual(["r always_applies"]);
    expect(kinds({ when: optional(always) })).toEqual([]);
    expect(kinds({ when: { not: optional(never) } })).toEqual([]);
    expect(kinds({ when: optional(never) })).toEqual(["r never_true"]);
    expect(kinds({ require: never })).toEqual(["r always_applies"]);
    expect(kinds({ require: optional(never) })).toEqual([]);
    expect(kinds({ require: optional(always) })).toEqual(["r never_true"]);
  });

  it.each<[RuleCondition, object]>([
    [
      { at: "/x/*", above: 3 },
      { type: "array", prefixItems: [{ type: "number" }], items: { maximum: 2 } },
    ],
    [
      { at: "/x/*", above: 3 },
      { type: ["array", "object"], items: { maximum: 2 } },
    ],
    [{ at: "/x/0", above: 3 }, { properties: { 0: { maximum: 2 } } }],
    [
      { at: "/x", length: { above: 5 } },
      { type: ["string", "array"], maxLength: 5 },
    ],
  ])("says nothing where a schema says it of other values: %j, %j", (when, x) => {
    const tool = { name: "pay", parameters: { type: "object", properties: { x } } };
    expect(findings(about({ when }), [tool as ToolDefinition])).toEqual([]);
  });

  it("finds a rule about no tool", () => {
    expect(findings([{ id: "r", tools: ["pya", { pattern: "x*" }], deny: "no" }])).toEqual([
      "r no_tool",
    ]);
    expect(findings([{ id: "r", tools: ["pya"], deny: "no" }], [])).toEqual([]);
  });

  it.each<[RuleCondition, "never_true" | "always_applies" | undefined]>([
    [{ at: "/cents", above: 100 }, "never_true"],
    [{ at: "/cents", atLeast: 100 }, undefined],
    [{ at: "/cents", below: 1 }, "never_true"],
    [{ at: "/cents", above: 5, below: 6 }, "never_true"],
    [{ at: "/cents", above: 5, atMost: 6 }, undefined],
    [{ at: "/free", above: 5, below: 6 }, undefined],
    [{ at: "/free", above: 5, below: 5 }, "never_true"],
    [{ at: "/free", atLeast: 5, atMost: 5 }, undefined],
    [
      {
        all: [
          { at: "/free", above: 5 },
          { at: "/free", below: 3 },
        ],
      },
      "never_true",
    ],
    [
      {
        any: [
          { at: "/free", above: 5 },
          { at: "/free", below: 3 },
        ],
      },
      undefined,
    ],
    [{ at: "/cents", atLeast: 1 }, "always_applies"],
    [{ not: { at: "/cents", above: 100 } }, "always_applies"],
    [{ not: { at: "/cents", atLeast: 1 } }, "never_true"],
    [{ at: "/currency", equals: "EUR" }, undefined],
    [{ at: "/currency", equals: "GBP" }, "never_true"],
    [{ at: "/currency", oneOf: ["EUR", "USD"] }, "always_applies"],
    [{ at: "/currency", startsWith: "E" }, undefined],
    [{ at: "/currency", startsWith: "X" }, "never_true"],
    [{ at: "/urgent", oneOf: [true, false] }, "always_applies"],
    [{ at: "/cents", equals: 7 }, undefined],
    [{ at: "/cents", equals: 7.5 }, "never_true"],
    [{ at: "/cents", oneOf: [7, 700], above: 50 }, "never_true"],
    [{ at: "/note", length: { above: 20 } }, "never_true"],
    [{ at: "/note", length: { above: 19 } }, undefined],
    [{ at: "/to", length: { atMost: 3 } }, "always_applies"],
    [{ at: "/note", contains: "x" }, undefined],
    [{ cel: "args.cents > 1000" }, undefined],
    [{ time: { zone: "UTC", weekdays: ["monday"] } }, undefined],
    [{ host: "/principal", equals: "ann" }, undefined],
  ])("says of the condition %j: %s", (when, expected) => {
    expect(findings(about({ when }))).toEqual(expected === undefined ? [] : [`r ${expected}`]);
    const turned = { never_true: "r always_applies", always_applies: "r never_true" } as const;
    expect(findings(about({ require: when }))).toEqual(
      expected === undefined ? [] : [turned[expected]],
    );
  });

  it.each<[string, ToolRule[], string[]]>([
    [
      "an unconditional denial",
      [
        { id: "a", deny: "x" },
        { id: "b", tools: ["pay"], deny: "y" },
      ],
      ["b shadowed by a"],
    ],
    [
      "a denial of other tools",
      [
        { id: "a", tools: ["other"], deny: "x" },
        { id: "b", tools: ["pay"], deny: "y" },
      ],
      [],
    ],
    [
      "a later denial",
      [
        { id: "b", tools: ["pay"], deny: "y" },
        { id: "a", deny: "x" },
      ],
      [],
    ],
    [
      "a later denial of a question",
      [
        { id: "b", tools: ["pay"], ask: "y" },
        { id: "a", deny: "x" },
      ],
      ["b shadowed by a"],
    ],
    [
      "an earlier question",
      [
        { id: "a", ask: "x" },
        { id: "b", deny: "y" },
      ],
      ["a shadowed by b"],
    ],
    [
      "a wider range",
      pair({ at: "/free", above: 100 }, { at: "/free", above: 500 }),
      ["b shadowed by a"],
    ],
    ["a narrower range", pair({ at: "/free", above: 500 }, { at: "/free", above: 100 }), []],
    [
      "another place",
      pair({ at: "/free", above: 100 }, { at: "/cents", above: 500 }),
      ["b never_true"],
    ],
    [
      "one that is optional",
      pair({ at: "/free", above: 100, optional: true }, { at: "/free", above: 500 }),
      [],
    ],
    [
      "more of a list",
      pair({ at: "/note", contains: ["a", "b"] }, { at: "/note", contains: "b" }),
      ["b shadowed by a"],
    ],
    [
      "less of a list",
      pair({ at: "/note", contains: ["a"] }, { at: "/note", contains: ["a", "b"] }),
      [],
    ],
    [
      "another kind of list",
      pair({ at: "/free", equals: [1, 2] }, { at: "/free", equals: [1] }),
      [],
    ],
    [
      "one of several",
      pair(
        { any: [{ at: "/note", contains: "x" }, { cel: "args.cents > 1" }] },
        { cel: "args.cents > 1" },
      ),
      ["b shadowed by a"],
    ],
    [
      "one of all",
      pair(
        { cel: "args.cents > 1" },
        { all: [{ cel: "args.cents > 1" }, { at: "/note", contains: "x" }] },
      ),
      ["b shadowed by a"],
    ],
    [
      "less of all",
      pair(
        { all: [{ cel: "args.cents > 1" }, { at: "/note", contains: "x" }] },
        { cel: "args.cents > 1" },
      ),
      [],
    ],
    [
      "the contrary of a narrower one",
      pair({ not: { at: "/free", above: 500 } }, { not: { at: "/free", above: 100 } }),
      ["b shadowed by a"],
    ],
    [
      "one that counts",
      [
        { id: "a", repeats: 3, deny: "x" },
        { id: "b", tools: ["pay"], deny: "y" },
      ],
      [],
    ],
    [
      "a wider requirement",
      [
        { id: "a", tools: ["pay"], require: { at: "/note", contains: ["a"] }, deny: "x" },
        { id: "b", tools: ["pay"], require: { at: "/note", contains: ["a", "b"] }, deny: "y" },
      ],
      ["b shadowed by a"],
    ],
    [
      "a looser requirement",
      [
        { id: "a", tools: ["pay"], require: { at: "/note", contains: ["a", "b"] }, deny: "x" },
        { id: "b", tools: ["pay"], require: { at: "/note", contains: ["a"] }, deny: "y" },
      ],
      [],
    ],
    [
      "a rule on results",
      [
        { id: "a", withhold: "x" },
        { id: "b", tools: ["pay"], withhold: "y" },
      ],
      ["b shadowed by a"],
    ],
  ])("looks if a rule decides where %s does", (_, rules, expected) => {
    expect(findings(rules)).toEqual(expected);
  });

  it("never says of a rule that it is shadowed or cannot be true when it decides", {
    tags: "longer",
  }, () => {
    const bound = fc.integer({ min: -2, max: 2 });
    const value: fc.Arbitrary<RuleCondition> = fc.oneof(
      bound.map((above) => ({ at: "/a", above })),
      bound.map((atMost) => ({ at: "/a", atMost, optional: true })),
      fc.tuple(bound, bound).map(([atLeast, below]) => ({ at: "/a", atLeast, below })),
      fc.uniqueArray(bound, { minLength: 1 }).map((oneOf) => ({ at: "/a", oneOf })),
      bound.map((equals) => ({ at: "/b", equals })),
    );
    const condition = fc.oneof(
      value,
      value.map((not) => ({ not })),
      fc.array(value, { minLength: 1, maxLength: 2 }).map((all) => ({ all })),
      fc.array(value, { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
    );
    const rule = fc.tuple(fc.constantFrom("when", "require"), condition);
    const args = fc.record(
      { a: fc.oneof(bound, fc.constant("x")), b: bound },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(rule, rule, args, (first, second, args) => {
        const rules = [first, second].map(
          ([key, condition], index): ToolRule => ({
            id: `r${index}`,
            [key]: condition,
            deny: "no",
          }),
        );
        const found = analyseRules({ rules }, [other]).findings;
        const answer = provider({ rules }).evaluate(call(args, "other")) as {
          code?: string;
          metadata?: { undecided?: boolean };
        };
        for (const { rule, kind } of found) {
          if (kind === "shadowed") expect(answer.code).not.toBe(rule);
          if (kind === "never_true" && answer.code === rule)
            expect(answer.metadata?.undecided).toBe(true);
          if (kind === "always_applies" && rule === "r0")
            expect([answer.code, "a" in args]).not.toEqual([undefined, true]);
        }
      }),
      { numRuns: inject("long") ? 2_000 : 400 },
    );
  });
});

function pair(first: RuleCondition, second: RuleCondition): ToolRule[] {
  return [
    { id: "a", tools: ["pay"], when: first, deny: "x" },
    { id: "b", tools: ["pay"], when: second, deny: "y" },
  ];
}
