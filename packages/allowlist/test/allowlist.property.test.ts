import { type GuardrailProvider, ToolstileError } from "@toolstile/core";
import { patternAllows as allowsName, patternDenies as deniesName } from "@toolstile/core/provider";
import { call } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { type AllowlistRules, allowlist, type ToolRule, type ToolRules } from "../src/index.js";
import { skeleton } from "../src/look-alike.js";

const tool = fc.constantFrom(
  "a",
  "ab",
  "abc",
  "b",
  "bc",
  "aé",
  " ",
  "é b\nc",
  "constructor",
  "__proto__",
);
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

const expressionOf = (pattern: string, wildcard: string) =>
  new RegExp(`^${pattern.replaceAll("*", `${wildcard}*`).replaceAll("?", wildcard)}$`, "u");

/** The rule of the documentation, said another way: with regular expressions, and nothing prepared. */
function reference(
  given: AllowlistRules,
  { toolName, agentName, context }: ReturnType<typeof call>,
) {
  const covers = (each: Iterable<ToolRule>, wildcard: string) =>
    [...each].some((one) =>
      typeof one === "string"
        ? one === toolName
        : expressionOf(one.pattern, wildcard).test(toolName),
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
    ruling.every(({ deny }) => deny === undefined || !covers(deny, "[^]")) &&
    ruling.every(({ allow }) => allow === undefined || covers(allow, "[!-~]")) &&
    ruling.some(({ allow }) => allow !== undefined)
  );
}

function named(all: readonly ToolRules[]): Record<string, ToolRules> {
  return Object.fromEntries(all.map((own, index) => [`agent-${index}`, own]));
}

describe("allowlist", () => {
  it("answers as its documentation says", { tags: "longer" }, () => {
    fc.assert(
      fc.property(rules, asked, (given, each) => {
        expect(allows(allowlist(given), each)).toBe(reference(given, each));
      }),
      { numRuns: inject("long") ? 2_000 : 400 },
    );
  });

  it("holds a call that hides its agent to the rules of each, as if they were asked one by one", {
    tags: "longer",
  }, () => {
    const patterned = fc.record(
      {
        allow: fc.array(
          fc.oneof(
            { weight: 1, arbitrary: tool },
            { weight: 2, arbitrary: fc.constantFrom({ pattern: "a*" }, { pattern: "*" }) },
            { weight: 2, arbitrary: fc.constantFrom({ pattern: "?b*" }, { pattern: "*c" }) },
          ),
          { minLength: 1, maxLength: 5 },
        ),
        deny: list,
      },
      { requiredKeys: ["allow"] },
    );
    const agents = fc.array(patterned, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(agents, tool, (all, toolName) => {
        const unnamed = allows(allowlist({ agents: named(all) }), call({}, toolName));
        const each = all.map((own) =>
          allows(allowlist({ agents: { x: own } }), call({}, toolName)),
        );
        expect(unnamed).toBe(!each.includes(false));
      }),
      { numRuns: inject("long") ? 2_000 : 400 },
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

describe("a pattern", () => {
  const character = fc.constantFrom("a", "b", "_", "é", " ", "\n", "\u{1f4a3}", "\ud83d");
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "é"), maxLength: 8 });
  const name = fc.string({ unit: character, maxLength: 8 });

  it("agrees with a regular expression, of printable ASCII where it allows and of all where it denies", {
    tags: "longer",
  }, () => {
    fc.assert(
      fc.property(pattern, name, (glob, each) => {
        expect(allowsName(glob, each)).toBe(expressionOf(glob, "[!-~]").test(each));
        expect(deniesName(glob, each)).toBe(expressionOf(glob, "[^]").test(each));
      }),
      { numRuns: inject("long") ? 5_000 : 1_000 },
    );
  });

  /** What a pattern matches with no bound on names, by all places in it that a name's beginning may end at. */
  function covers(glob: string, each: string): boolean {
    const wanted = [...glob];
    const withStars = (places: Iterable<number>): Set<number> => {
      const reached = new Set(places);
      for (const place of reached) if (wanted[place] === "*") reached.add(place + 1);
      return reached;
    };
    let places = withStars([0]);
    for (const character of each) {
      const on = [...places].filter((place) =>
        [character, "*", "?"].includes(wanted[place] ?? "end"),
      );
      places = withStars(on.map((place) => (wanted[place] === "*" ? place : place + 1)));
    }
    return places.has(wanted.length);
  }

  it("denies every name that it would deny if names had no bound", { tags: "longer" }, () => {
    fc.assert(
      fc.property(pattern, name, name, fc.nat(80), (glob, start, end, times) => {
        const each = start + "ab_é ".repeat(times) + end;
        const denied = deniesName(glob, each);
        if (each.length <= 256) expect(denied).toBe(covers(glob, each));
        else if (covers(glob, each)) expect(denied).toBe(true);
      }),
      { numRuns: inject("long") ? 2_000 : 400 },
    );
  });
});

describe("rules that are nonsense", () => {
  it("P5 are refused with a ToolstileError, or read", { tags: "longer" }, () => {
    const odd = fc.oneof(fc.anything(), fc.constantFrom(null, undefined, "a", ["a"], [null]));
    const member = fc.constantFrom("allow", "deny", "agents", "principals", "pattern", "name");
    const nonsense = fc.oneof(
      odd,
      fc.dictionary(member, fc.oneof(odd, fc.dictionary(member, odd))),
    );
    fc.assert(
      fc.property(nonsense, nonsense, (given, options) => {
        try {
          allowlist(given as AllowlistRules, options as object);
        } catch (error) {
          expect(ToolstileError.isInstance(error)).toBe(true);
        }
      }),
      { numRuns: inject("long") ? 1_000 : 200 },
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
