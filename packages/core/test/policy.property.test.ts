import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { flatten } from "../src/guard/define.js";
import { Policy } from "../src/guard/policy.js";
import { patternDenies } from "../src/guard/tool-names.js";
import {
  allow,
  deny,
  forTools,
  type GuardrailProvider,
  modify,
  rewrite,
  type ToolOutcome,
  ToolRunner,
  when,
} from "../src/index.js";
import type { ToolPattern } from "../src/provider/index.js";
import { spyTool } from "./support/runners.js";

const declared = ["a", "ab", "b_x", "b_y", "constructor"];
const undeclared = ["a_z", "b_", "zz", "__proto__", "b_löschen"];
const patterns = ["a*", "b_*", "*x", "?", "*"];

type Scope = readonly (string | ToolPattern)[];
const scope: fc.Arbitrary<Scope> = fc.array(
  fc.oneof(
    fc.constantFrom(...declared),
    fc.constantFrom(...patterns).map((pattern) => ({ pattern })),
  ),
  { minLength: 1, maxLength: 3 },
);

/** A guard as data: the tools that it is limited to, and what it does. */
interface Rule {
  readonly scopes: readonly Scope[];
  readonly kind: "allow" | "deny" | "raise" | "sometimes" | "full" | "redact";
}
const rules: fc.Arbitrary<readonly Rule[]> = fc.array(
  fc.record({
    scopes: fc.array(scope, { maxLength: 2 }),
    kind: fc.constantFrom<Rule["kind"]>(
      "allow",
      "allow",
      "deny",
      "raise",
      "sometimes",
      "full",
      "redact",
    ),
  }),
  { maxLength: 8 },
);

function guardOf({ kind }: Rule, index: number, settled: string[]): GuardrailProvider {
  const name = `${kind}-${index}`;
  const provider: GuardrailProvider = {
    name,
    evaluate: ({ args }) => {
      if (kind === "deny") return deny("no");
      if (kind === "raise" && args["n"] === 0) return modify({ n: 1 });
      return allow();
    },
    admit: kind === "full" ? ({ args }) => (args["n"] === 1 ? deny("full") : allow()) : undefined,
    evaluateResult: kind === "redact" ? () => rewrite({ content: `by ${name}` }) : undefined,
    settle: () => void settled.push(name),
  };
  return kind === "sometimes" ? when(({ args }) => args["n"] === 1, provider) : provider;
}

/** The plain scan: each rule of each scope is looked at. */
function covers({ scopes }: Rule, toolName: string): boolean {
  return scopes.every((each) =>
    each.some((one) =>
      typeof one === "string" ? one === toolName : patternDenies(one.pattern, toolName),
    ),
  );
}

function scoped(rule: Rule, guard: GuardrailProvider): GuardrailProvider {
  return rule.scopes.reduce((inner, each) => forTools(each, inner), guard);
}

function told({ runId: _, result, ...rest }: ToolOutcome): unknown {
  return { ...rest, content: result.content };
}

describe("guards that are limited to tools", () => {
  it("P3 leave an outcome as if those of other tools did not exist", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.constantFrom(...declared, ...undeclared),
        fc.nat(1),
        async (all, name, n) => {
          const run = async (
            guards: (settled: string[]) => readonly GuardrailProvider[],
          ): Promise<unknown> => {
            const settled: string[] = [];
            const tools = declared.map((each) => spyTool(each));
            const runner = new ToolRunner({ tools, guardrails: guards(settled) });
            const outcome = await runner.run({ name, arguments: { n }, callId: "c" });
            return { outcome: told(outcome), settled };
          };
          const made = await run((settled) =>
            all.map((rule, index) => scoped(rule, guardOf(rule, index, settled))),
          );
          const expected = await run((settled) =>
            all.flatMap((rule, index) =>
              covers(rule, name) ? [guardOf(rule, index, settled)] : [],
            ),
          );
          expect(made).toEqual(expected);
        },
      ),
      { numRuns: inject("long") ? 3_000 : 300 },
    );
  });

  it("are found for each tool as a look at all of them finds them, in their order", () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(...declared, ...undeclared), (all, name) => {
        const guards = flatten(all.map((rule, index) => scoped(rule, guardOf(rule, index, []))));
        const policy = new Policy(guards);
        expect(policy.covering(name)).toEqual(guards.filter((guard) => guard.covers(name)));
        expect(policy.general).toEqual(guards.filter(({ facts }) => facts.only.length === 0));
      }),
      { numRuns: 2_000 },
    );
  });

  it("are not asked what they cover when a tool is called that others are limited to", async () => {
    const looked = new Set<string>();
    const tools = ["a", "b", "c"].map((name) => spyTool(name));
    const guardrails = tools.map(({ name }) =>
      forTools([name], {
        name,
        evaluate: () => allow(),
        settle: ({ toolName }) => void looked.add(`${name} settles ${toolName}`),
      }),
    );
    const runner = new ToolRunner({ tools, guardrails });
    const { decisions } = await runner.run({ name: "b" });
    expect(decisions.map(({ provider }) => provider)).toEqual(["b"]);
    expect([...looked]).toEqual(["b settles b"]);
  });

  it("count for how often a call is asked about only where they cover its tool", async () => {
    let asked = 0;
    const restless = (name: string, to: number): GuardrailProvider => ({
      name,
      evaluate: () => {
        asked++;
        return modify({ n: to });
      },
    });
    const others = Array.from({ length: 20 }, (_, index) =>
      forTools(["other"], { name: `other-${index}`, evaluate: () => allow() }),
    );
    const runner = new ToolRunner({
      tools: [spyTool("send"), spyTool("other")],
      guardrails: [restless("up", 1), restless("down", 0), ...others],
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ basis: "unstable" });
    expect(asked).toBe(6);
  });
});

it("the guards of a tool that none is limited to are one list for all such tools", () => {
  const everywhere = { name: "everywhere", evaluate: () => allow() };
  const somewhere = forTools(["a"], { name: "somewhere", evaluate: () => allow() });
  const policy = new Policy(flatten([everywhere, somewhere]));
  expect(policy.covering("b")).toBe(policy.general);
  expect(policy.covering("a").map(({ facts }) => facts.name)).toEqual(["everywhere", "somewhere"]);
});
