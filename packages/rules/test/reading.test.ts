import type { GuardrailProvider } from "@toolstile/core";
import { OptionFaults } from "@toolstile/core/provider";
import { describe, expect, it } from "vitest";
import { rules, type ToolRule } from "../src/index.js";

const read = (rule: object) => rules({ rules: [{ id: "r", ...rule } as ToolRule] });
const when = (condition: object) => ({ deny: "no", when: condition });
const at = (checks: object) => when({ at: "/a", ...checks });

describe("rules()", () => {
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "the options must be an object, received undefined"],
    ["no rules", {}, "'rules' must be a list of rules, received undefined"],
    ["an empty list", { rules: [] }, "'rules' must have at least 1 item"],
    ["a misspelt option", { rule: [] }, "has no option 'rule'. Did you mean 'rules'?"],
    ["a rule that is no object", { rules: [7] }, "rules[0]: the options must be an object"],
    [
      "an id twice",
      {
        rules: [
          { id: "a", deny: "x" },
          { id: "a", deny: "x" },
        ],
      },
      "rules[1]: another rule has the id 'a'",
    ],
    ["a wrong clock", { rules: [{ id: "a", deny: "x" }], now: 7 }, "'now' must be a function"],
  ])("P5 refuses %s", (_, options, message) => {
    expect(() => rules(options as never)).toThrow(message);
  });

  it.each<[object, string]>([
    [{ id: "a b", deny: "x" }, "'id' must be 1 to 64 letters, digits"],
    [{ id: undefined, deny: "x" }, "'id' must be 1 to 64 letters, digits"],
    [{ dney: "x" }, "rules[0] has no option 'dney'. Did you mean 'deny'?"],
    [{}, "a rule must have one of: deny, ask, change, withhold, cut"],
    [{ deny: "x", ask: "y" }, "'deny' and 'ask' must stand in rules of their own"],
    [{ deny: "" }, "'deny' must be a reason, as text, received an empty string"],
    [{ deny: "x", expiresInMs: 1 }, "'expiresInMs' must stand beside 'ask'"],
    [{ deny: "x", tools: [] }, "'tools' must hold at least one"],
    [{ deny: "x", tools: ["a*"] }, "write { pattern: 'a*' }"],
    [{ deny: "x", tools: [{ patern: "a*" }] }, "has no option 'patern'. Did you mean 'pattern'?"],
    [{ deny: "x", tools: [{ pattern: "a".repeat(257) }] }, "at most 256 characters"],
    [{ deny: "x", tools: [""] }, "'tools[0]' must be the name of a tool"],
    [{ cut: 10 }, "'cut' must be a whole number of at least 200"],
    [{ withhold: "x", repeats: 3 }, "'repeats' must stand in a rule with 'deny' or 'ask'"],
    [{ deny: "x", repeats: 3, total: { at: "/a", above: 1 } }, "in rules of their own"],
    [{ deny: "x", repeats: 0 }, "'repeats' must be a whole number from 1 to 1000"],
    [{ deny: "x", total: { at: "/a" } }, "rules[0].total: 'above' must be a finite number"],
    [
      { deny: "x", total: { at: "/a", above: 1, per: "day" } },
      '"session", "principal", "agent", "tenant"',
    ],
    [{ deny: "x", total: { at: "a", above: 1 } }, "must be a JSON Pointer"],
    [
      { deny: "x", total: { at: "/a", of: "size", above: 1 } },
      '\'of\' must be "value" or "length"',
    ],
    [{ change: [] }, "'change' must hold a change"],
    [
      { change: { at: "/a" } },
      "rules[0].change: a change must have exactly one of: set, default, clamp",
    ],
    [{ change: { at: "/a", trim: true, lowerCase: true } }, "exactly one of"],
    [{ change: { at: "/a", trim: false } }, "'trim' must be true"],
    [{ change: { at: "/a", clamp: {} } }, "'clamp' must have min or max"],
    [{ change: { at: "/a", clamp: { min: 2, max: 1 } } }, "min must not be above max"],
    [{ change: { at: "/a", clmap: { min: 2 } } }, "Did you mean 'clamp'?"],
    [{ change: { at: "/a/*", set: 1 } }, "must have a name at the end of 'at'"],
    [{ change: { at: "", set: 1 } }, "'at' must lead to a member"],
    [{ change: { at: "/__proto__", set: 1 } }, "'at' must lead to a member"],
    [{ change: { at: "/a", set: () => 1 } }, "'set' must be a JSON value"],
    [when({}), "a condition must have 'at', 'host' or 'result' with a check"],
    [when([]), "must be an object"],
    [when({ at: "/a" }), "a check must stand beside 'at'. There are: present, equals"],
    [when({ above: 1 }), "'above' must stand beside 'at', 'host' or 'result'"],
    [
      when({ at: "a", above: 1 }),
      "must be a JSON Pointer, as in /to or /items/*/name, received 'a'. Did you mean '/a'?",
    ],
    [when({ at: "/a~", above: 1 }), "must be a JSON Pointer"],
    [when({ at: "/a".repeat(33), above: 1 }), "at most 32 steps"],
    [
      when({ at: "/a", host: "/tenant", above: 1 }),
      "'at' and 'host' must not stand in one condition. Put them under 'all'",
    ],
    [
      when({ at: "/a", above: 1, not: { at: "/b", above: 1 } }),
      "'at' and 'not' must not stand in one condition",
    ],
    [when({ at: "/a", abvoe: 1 }), "rules[0].when has no option 'abvoe'. Did you mean 'above'?"],
    [when({ all: [] }), "'all' must have at least 1 item"],
    [
      when({ any: [{ at: "/a", above: "1" }] }),
      "rules[0].when.any[0]: 'above' must be a finite number, received string",
    ],
    [
      when({ not: { at: "/a", present: true, above: 1 } }),
      "'present' and 'above' must not stand in one condition",
    ],
    [when({ at: "/a", present: true, optional: true }), "'present' and 'optional' must not"],
    [when({ host: "/principle", present: true }), "'host' must be one of /agentName, /principal"],
    [when({ result: "/text", contains: "x" }), "'result' must stand in a rule on results"],
    [
      { withhold: "x", when: { result: "/txt", contains: "x" } },
      "'result' must be one of /text, /isError",
    ],
    [at({ oneOf: [] }), "'oneOf' must have at least 1 item"],
    [at({ oneOf: "a" }), "'oneOf' must be a list of values, received string"],
    [at({ equals: () => 1 }), "'equals' must be a JSON value"],
    [at({ length: 5000 }), "'length' must be an object, received 5000. Write { atMost: 5000 }"],
    [at({ length: {} }), "'length' must have above, atLeast, below or atMost"],
    [at({ length: { abov: 1 } }), "Did you mean 'above'?"],
    [at({ startsWith: [] }), "'startsWith' must have at least 1 item"],
    [at({ matches: "(?=x)" }), "'matches' cannot be used: invalid or unsupported"],
    [at({ matches: "(a" }), "'matches' cannot be used: missing closing )"],
    [at({ pathUnder: "docs" }), "'pathUnder' must be an absolute path without '..'"],
    [at({ realPathUnder: "docs" }), "'realPathUnder' must be an absolute path without '..'"],
    [at({ hostIn: "" }), "'hostIn' must be a non-empty string"],
    [at({ hostIn: [""] }), "'hostIn[0]' must be a non-empty string"],
    [at({ pathUnder: ["/srv", "docs"] }), "must hold folders of one system"],
    [at({ pathUnder: ["docs"] }), "'pathUnder[0]' must be an absolute path without '..'"],
    [at({ pathUnder: ["/srv/../x"] }), "'pathUnder[0]' must be an absolute path without '..'"],
    [at({ pathUnder: ["/srv", "C:\\x"] }), "must hold folders of one system"],
    [at({ pathHas: ["a/b"] }), "must hold names and no paths"],
    [at({ realPathHas: ["a/b"] }), "'realPathHas' must hold names and no paths"],
    [at({ hostIn: ["https://good.com"] }), "must hold hosts, as in"],
    [at({ hostIn: ["*"] }), "must hold hosts, as in"],
    [at({ hostIn: ["a.*.com"] }), "must hold hosts, as in"],
    [at({ hostIn: ["good.com:80"] }), "must hold hosts, as in"],
    [at({ hostIn: ["10.0.0.0/33"] }), "must hold hosts, as in"],
    [at({ hostIn: ["0x7f.1"] }), "must hold hosts, as in"],
    [at({ urlScheme: ["https:"] }), "must hold schemes"],
    [at({ command: ["*"] }), "must hold commands as plain words"],
    [at({ command: ["git * log"] }), "must hold commands as plain words"],
    [at({ command: ["rm | x"] }), "must hold commands as plain words"],
    [at({ emailDomain: ["@example.com"] }), "must hold domains"],
    [at({ emailDomain: ["com"] }), "must hold domains"],
    [
      when({ time: { zone: "Europe/Berln", from: "08:00", to: "18:00" } }),
      "rules[0].when.time: 'zone' must be a time zone",
    ],
    [when({ time: { zone: "UTC" } }), "'from' and 'to', or 'weekdays', must be given"],
    [when({ time: { zone: "UTC", from: "08:00" } }), "'from' and 'to' must be given together"],
    [
      when({ time: { zone: "UTC", from: "8:00", to: "18:00" } }),
      "'from' must be a time of the day in quotes",
    ],
    [when({ time: { zone: "UTC", weekdays: [] } }), "'weekdays' must have at least 1 item"],
    [
      when({ time: { zone: "UTC", weekdays: ["mon"] } }),
      "'weekdays[0]' must be one of monday, tuesday, wednesday, thursday, friday, saturday, sunday. Did you mean 'monday'?",
    ],
    [when({ time: { zone: "UTC", weekdays: [1] } }), "friday, saturday, sunday."],
    [when({ cel: "args.a >" }), "rules[0].when.cel: line 1, column 8: it is not CEL: found > but"],
    [
      when({ cel: "args.a = 1" }),
      "found = but expecting end of input. To compare two values, write ==",
    ],
    [when({ cel: "args.a === 1" }), "To compare two values, write =="],
    [when({ cel: "args.a !== 1" }), "To compare two values, write !="],
    [when({ cel: "arg.a > 1" }), "there is no variable 'arg'. Did you mean 'args'?"],
    [when({ cel: "result.text == ''" }), "there is no variable 'result'"],
    [
      when({ cel: "host.principle == ''" }),
      "there is no member 'principle'. Did you mean 'principal'?",
    ],
    [when({ cel: "'a'" }), "must be true or false, and is a string"],
    [when(deep(17)), "at most 16 deep"],
  ])("P5 refuses the rule %j", (rule, message) => {
    expect(() => read(rule)).toThrow(message);
    expect(() => read(rule)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_(INVALID|UNKNOWN)_OPTION$/) }),
    );
  });

  it.each([
    ["pathUnder", "/srv"],
    ["pathHas", ".env"],
    ["realPathHas", ".env"],
    ["hostIn", "example.com"],
    ["urlScheme", "https"],
    ["command", "git status"],
    ["emailDomain", "example.com"],
    ["startsWith", "a"],
  ])("takes one text for %s, and nothing that is no text", (check, text) => {
    expect(() => read(at({ [check]: text }))).not.toThrow();
    expect(() => read(at({ [check]: 7 }))).toThrow(`'${check}' must be a text or a list of texts`);
  });

  it("P5 tells of all rules that are wrong, with the place and the id of each", () => {
    const wrong = [
      { id: "both", deny: "no", cut: 300 },
      { id: "right", deny: "no" },
      { id: "cel", deny: "no", when: { any: [{ cel: "args.a >" }] } },
      { id: "cel", deny: "no" },
    ];
    const error = catchError(() => rules({ rules: wrong }));
    expect(OptionFaults.of(error)).toEqual([
      {
        path: ["rules", 0],
        text: "in the rule 'both': 'deny' and 'cut' must stand in rules of their own.",
      },
      {
        path: ["rules", 2, "when", "any", 0, "cel"],
        text: expect.stringMatching(/^in the rule 'cel': line 1, column 8: it is not CEL/),
      },
    ]);
    expect(String(error)).toContain("rules[0]: 'deny' and 'cut'");
    expect(String(error)).toContain("rules[2].when.any[0].cel: line 1, column 8");
  });

  it("P5 tells of all rules that do not fit a tool, with the place and the id of each", () => {
    const guard = rules({
      rules: [
        { id: "a", deny: "no", tools: ["pay"], when: { at: "/amuont", above: 1 } },
        { id: "b", deny: "no", when: { cel: "args.amount.size() > 1" } },
      ],
    }) as GuardrailProvider;
    const parameters = { type: "object", properties: { amount: { type: "integer" } } } as const;
    const error = catchError(() => guard.register?.({ name: "pay", parameters }));
    expect(OptionFaults.of(error)).toEqual([
      {
        path: ["rules", 0],
        text: expect.stringMatching(/^in the rule 'a': for the tool 'pay', 'at' leads to/),
      },
      {
        path: ["rules", 1],
        text: expect.stringMatching(/^in the rule 'b': for the tool 'pay': line 1, column/),
      },
    ]);
  });

  it("reads no option that is planted on the root of all objects", () => {
    Object.defineProperty(Object.prototype, "when", {
      value: { at: "/a", above: 9 },
      configurable: true,
    });
    try {
      const made = read({ deny: "no" }) as { evaluate: (call: object) => object };
      const asked = { toolName: "x", args: { a: 1 }, context: {} };
      expect(made.evaluate(asked)).toMatchObject({ decision: "deny" });
    } finally {
      Reflect.deleteProperty(Object.prototype, "when");
    }
  });
});

function catchError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

function deep(levels: number): object {
  return levels === 0 ? { at: "/a", above: 1 } : { not: deep(levels - 1) };
}
