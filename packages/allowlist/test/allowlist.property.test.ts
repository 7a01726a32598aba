import type { GuardrailProvider } from "@toolstile/core";
import { call } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AllowlistRules, allowlist, type ToolRule, type ToolRules } from "../src/index.js";
import { skeleton } from "../src/look-alike.js";
import { matches } from "../src/pattern.js";

const tool = fc.constantFrom("a", "ab", "abc", "b", "bc", "constructor", "__proto__");
const rule: fc.Arbitrary<ToolRule> = fc.oneof(
  tool,
  fc.constantFrom({ pattern: "a*" }, { pattern: "?" }, { pattern: "*c" }),
);
const list = fc.array(rule, { maxLength: 4 });
const toolRules: fc.Arbitrary<ToolRules> = fc
  .record({ allow: list, deny: list }, { requiredKeys: [] })
  .filter(({ allow, deny }) => allow !== undefined || deny !== undefined);
const byName = fc.dictionary(fc.constantFrom("x", "y", "constructor"), toolRules);
const rules: fc.Arbitrary<AllowlistRules> = fc.record(
  { allow: list, deny: list, agents: byName, principals: byName },
  { requiredKeys: ["allow"] },
);
const asker = fc.option(fc.constantFrom("x", "y", "z", "constructor"), { nil: undefined });
const asked = fc
  .record({ toolName: tool, agentName: asker, principal: asker })
  .map(({ toolName, agentName, principal }) =>
    call({}, toolName, { agentName, context: { principal } }),
  );
const allows = (provider: GuardrailProvider, given: ReturnType<typeof call>) =>
  (provider.evaluate(given) as { decision: string }).decision === "allow";

/** The rule of the documentation, said another way: with regular expressions, and nothing prepared. */
function reference(
  given: AllowlistRules,
  { toolName, agentName, context }: ReturnType<typeof call>,
) {
  const covers = (each: Iterable<ToolRule>) =>
    [...each].some((one) =>
      typeof one === "string"
        ? one === toolName
        : new RegExp(`^${one.pattern.replaceAll("*", "[!-~]*").replaceAll("?", "[!-~]")}$`).test(
            toolName,
          ),
    );
  const of = (named: AllowlistRules["agents"], name: string | undefined) => {
    const entries = Object.entries(named ?? {});
    return entries.filter(([key]) => name === undefined || key === name).map(([, own]) => own);
  };
  const ruling: ToolRules[] = [
    given,
    ...of(given.agents, agentName),
    ...of(given.principals, context.principal),
  ];
  return (
    ruling.every(({ deny }) => deny === undefined || !covers(deny)) &&
    ruling.every(({ allow }) => allow === undefined || covers(allow)) &&
    ruling.some(({ allow }) => allow !== undefined)
  );
}

describe("allowlist", () => {
  it("answers as its documentation says", () => {
    fc.assert(
      fc.property(rules, asked, (given, each) => {
        expect(allows(allowlist(given), each)).toBe(reference(given, each));
      }),
      { numRuns: 2_000 },
    );
  });

  it("only ever narrows: a further rule of an agent lets nothing more through", () => {
    fc.assert(
      fc.property(rules, toolRules, asker, asked, (given, more, name, each) => {
        if (name === undefined || Object.hasOwn(given.agents ?? {}, name)) return;
        const wider = allowlist(given);
        const narrower = allowlist({ ...given, agents: { ...given.agents, [name]: more } });
        if (allows(narrower, each)) expect(allows(wider, each)).toBe(true);
      }),
    );
  });

  it("never lets a call that hides its agent do what some agent may not", () => {
    fc.assert(
      fc.property(rules, asked, (given, each) => {
        const provider = allowlist(given);
        const { context } = each;
        if (!allows(provider, call({}, each.toolName, { context }))) return;
        for (const agentName of Object.keys(given.agents ?? {})) {
          expect(allows(provider, call({}, each.toolName, { context, agentName }))).toBe(true);
        }
      }),
    );
  });

  it("denies every name that is not the allowed one, however alike", () => {
    const change = fc.oneof(
      fc.constantFrom("\u200b", "\u00ad", " ", "\u202e", "\u{e0041}", "\u0301", "\0"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.nat(12), fc.nat(1), change, (at, taken, put) => {
        const name = "search_files";
        const other = name.slice(0, at) + put + name.slice(at + taken);
        fc.pre(other !== name);
        expect(allows(allowlist([name]), call({}, other))).toBe(false);
        expect(allows(allowlist([name]), call({}, other.toUpperCase()))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("matches", () => {
  it("agrees with a regular expression", () => {
    const character = fc.constantFrom("a", "b", "_", "é", " ");
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, fc.string({ unit: character, maxLength: 8 }), (glob, name) => {
        const expression = glob.replaceAll("*", "[!-~]*").replaceAll("?", "[!-~]");
        expect(matches(glob, name)).toBe(new RegExp(`^${expression}$`).test(name));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("skeleton", () => {
  it("is one for all that read the same, and stays where it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (name) => {
        expect(skeleton(skeleton(name))).toBe(skeleton(name));
        expect(skeleton(`${name}\u200b`)).toBe(skeleton(name));
      }),
    );
  });
});
