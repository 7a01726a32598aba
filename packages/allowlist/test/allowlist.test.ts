import { call, testProvider } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type AllowlistRules, allowlist, plugin, type ToolRule } from "../src/index.js";

const args = { note: "quite a private note" };
const asks = (toolName: string, agentName?: string, principal?: string) =>
  call(args, toolName, { agentName, context: { principal } });
const decides = (rules: Iterable<ToolRule> | AllowlistRules, asked: ReturnType<typeof call>) =>
  (allowlist(rules).evaluate(asked) as { decision: string }).decision;
const reasonOf = (rules: Iterable<ToolRule> | AllowlistRules, asked: ReturnType<typeof call>) =>
  (allowlist(rules).evaluate(asked) as { reason: string }).reason;

describe("an allowlist of names", () => {
  testProvider(it, () => allowlist(["search", "constructor", { pattern: "crm_*" }]), {
    allowed: [asks("search"), asks("constructor"), asks("crm_find")],
    denied: [asks("delete"), asks("toString"), asks("__proto__"), asks("Search"), asks("crm")],
  });
});

describe("an allowlist with rules by agent and principal", () => {
  testProvider(
    it,
    () =>
      allowlist({
        allow: ["search", "refund", "read"],
        agents: { support: { allow: ["search", "refund"] } },
        principals: { planted: { allow: ["read"] }, alice: { deny: ["refund"] } },
      }),
    {
      allowed: [asks("search", "support", "alice"), asks("refund", "support", "bob")],
      denied: [asks("refund", "support", "alice"), asks("read", "support", "bob"), asks("read")],
    },
  );
});

describe("allowlist", () => {
  it("says which tool, and a code to branch on", () => {
    expect(allowlist(["search"]).evaluate(asks("x"))).toEqual({
      decision: "deny",
      reason: "tool call 'x' is not an allowed tool",
      code: "not_allowed",
    });
  });

  it.each([
    ["allows what is named", ["a"], "a", "allow"],
    ["denies what is not", ["a"], "b", "deny"],
    ["denies everything where nothing is named", [], "a", "deny"],
    ["lets a deny win over an allow", { allow: ["a", "b"], deny: ["b"] }, "b", "deny"],
    [
      "lets a denied pattern win over a name",
      { allow: ["a_b"], deny: [{ pattern: "a_*" }] },
      "a_b",
      "deny",
    ],
    ["allows the rest of a pattern", { allow: [{ pattern: "*" }], deny: ["b"] }, "a", "allow"],
  ] as [string, ToolRule[] | AllowlistRules, string, string][])(
    "%s",
    (_, rules, name, decision) => {
      expect(decides(rules, asks(name))).toBe(decision);
    },
  );

  const rules: AllowlistRules = {
    allow: ["read", "write", "drop"],
    agents: {
      writer: { allow: ["read", "write"] },
      reader: { allow: ["read"] },
      careful: { deny: ["drop"] },
      stranger: { allow: ["elsewhere"] },
    },
  };
  it.each([
    ["holds an agent to its own list", "write", "reader", "deny"],
    ["allows what both lists name", "write", "writer", "allow"],
    ["never widens the general list for an agent", "elsewhere", "stranger", "deny"],
    ["denies one agent one tool", "drop", "careful", "deny"],
    ["leaves that agent the rest", "write", "careful", "allow"],
    ["holds an agent without rules to the general list alone", "drop", "another", "allow"],
    ["compares agents byte for byte", "write", "Reader", "allow"],
  ])("%s", (_, toolName, agentName, decision) => {
    expect(decides(rules, asks(toolName, agentName))).toBe(decision);
  });

  it("denies an agent without rules where there is no general list", () => {
    const own = { agents: { reader: { allow: ["read"] } } };
    expect(decides(own, asks("read", "reader"))).toBe("allow");
    expect(decides(own, asks("read", "another"))).toBe("deny");
  });

  it.each([undefined, ""])("holds a call of no agent (%o) to the rules of all", (agentName) => {
    const narrow = {
      allow: ["read", "write", "drop"],
      agents: { writer: { allow: ["read", "write"] }, careful: { deny: ["write"] } },
    };
    expect(decides(narrow, asks("read", agentName))).toBe("allow");
    expect(decides(narrow, asks("write", agentName))).toBe("deny");
    expect(decides(narrow, asks("drop", agentName))).toBe("deny");
  });

  it("holds a principal to its own list beside the agent's, and nobody to all", () => {
    const both = {
      agents: { a: { allow: ["read", "write"] } },
      principals: { alice: { allow: ["read", "drop"] }, bob: { allow: ["write"] } },
    };
    expect(decides(both, asks("read", "a", "alice"))).toBe("allow");
    expect(decides(both, asks("write", "a", "alice"))).toBe("deny");
    expect(decides(both, asks("drop", "a", "alice"))).toBe("deny");
    expect(decides(both, asks("read", "a"))).toBe("deny");
  });

  it("judges the tool's own name, whatever the model called it", () => {
    const aliased = call(args, "search", { requestedName: "find" });
    const alias = call(args, "delete", { requestedName: "search" });
    expect(decides(["search"], aliased)).toBe("allow");
    expect(decides(["search"], alias)).toBe("deny");
  });

  it("P8 gives tools and agents named after Object's members no special powers", () => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      expect(decides(["search"], asks(name))).toBe("deny");
      expect(decides([name], asks(name))).toBe("allow");
      expect(decides({ agents: { a: { allow: ["search"] } } }, asks("search", name))).toBe("deny");
      const own = { agents: new Map([[name, { allow: ["search"] }]]) };
      expect(decides(own, asks("search", name))).toBe("allow");
    }
  });

  it("P8 takes no rule, agent or principal from Object.prototype", () => {
    const own = {
      agents: { reader: { allow: ["read"] } },
      principals: { bob: { allow: ["read"] } },
    };
    const { agentName: _, ...agentless } = asks("read", undefined, "bob");
    const planted = { allow: ["read"], agentName: "reader", principal: "bob", reader: {} };
    Object.assign(Object.prototype, planted);
    try {
      const { evaluate } = allowlist({
        ...own,
        agents: { ...own.agents, other: { deny: ["read"] } },
      });
      expect(evaluate(agentless)).toMatchObject({ decision: "deny" });
      expect(evaluate({ ...asks("read", "reader"), context: {} })).toMatchObject({
        decision: "allow",
      });
      expect(evaluate(asks("drop", "reader", "bob"))).toMatchObject({ decision: "deny" });
      expect(() => allowlist({ deny: ["read"] })).toThrow("'allow' must be given");
    } finally {
      for (const key of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, key);
    }
  });

  it("P5 tells a runner every name in its rules, and no pattern", () => {
    const { tools } = allowlist({
      allow: ["a", { pattern: "p_*" }],
      deny: ["b"],
      agents: { x: { allow: ["a", "c"] } },
      principals: { y: { deny: ["d"] } },
    });
    expect([...(tools ?? [])].sort()).toEqual(["a", "b", "c", "d"]);
    expect(allowlist(["a"], { unknownTools: "ignore" }).tools).toBe(undefined);
  });

  it.each([
    [
      "a text in place of a list",
      "search",
      'must be an array of tool names, as in allowlist(["search"])',
    ],
    ["nothing for rules", undefined, 'must be an array of tool names, as in allowlist(["search"])'],
    ["null for rules", null, 'must be an array of tool names, as in allowlist(["search"])'],
    [
      "a text for allow",
      { allow: "search" },
      "allowlist(): 'allow' must be an array of tool names",
    ],
    ["a name with a star", ["crm_*"], "write { pattern: 'crm_*' }"],
    ["a name with a question mark", ["crm_?"], "write { pattern: 'crm_?' }"],
    ["an empty name", [""], "must not hold an empty name"],
    ["an empty pattern", [{ pattern: "" }], "1 to 256 characters"],
    ["a pattern that is too long", [{ pattern: "a".repeat(257) }], "1 to 256 characters"],
    ["a misspelt pattern", [{ patern: "a" }], "Did you mean 'pattern'?"],
    ["a number for a name", [7], "a rule of 'rules': the options must be an object, received 7"],
    ["a misspelt rule", { allow: [], agent: {} }, "Did you mean 'agents'?"],
    ["a misspelt rule of an agent", { agents: { a: { alow: [] } } }, "Did you mean 'allow'?"],
    ["an agent without a rule", { allow: [], agents: { a: {} } }, "must have 'allow' or 'deny'"],
    [
      "an agent without a name",
      { agents: { "": { allow: [] } } },
      "'agents' must not hold an empty name",
    ],
    [
      "agents in a list",
      { agents: [{ allow: [] }] },
      "'agents' must be an object of rules by name, or a Map, received",
    ],
    [
      "rules lost to __proto__",
      { agents: { __proto__: { allow: [] } } },
      "'agents' must be a plain object",
    ],
    [
      "null for agents",
      { allow: [], agents: null },
      "'agents' must be an object of rules by name, or a Map, received",
    ],
    [
      "null for principals",
      { allow: [], principals: null },
      "'principals' must be an object of rules by name, or a Map, received null",
    ],
    ["null for an agent", { agents: { a: null } }, "the options must be an object, received null"],
    ["null for allow", { allow: null }, "'allow' must be an array of tool names"],
    ["null for a rule", [null], "the options must be an object, received null"],
    ["nothing but denials", { deny: ["a"] }, 'allow: [{ pattern: "*" }]'],
    ["nothing at all", {}, "'allow' must be given"],
  ])("refuses %s, and says the way out", (_, rules, message) => {
    expect(() => allowlist(rules as AllowlistRules)).toThrow(message);
  });

  it("says of names in place of a list what is wrong with the first", () => {
    const spread = allowlist as (...names: string[]) => unknown;
    expect(() => spread("search", "refund")).toThrow("must be an array of tool names");
  });

  const denied = ["drop"];
  const denying = { deny: denied };
  class Config {
    allow = ["drop", "search"];
    get deny() {
      return denied;
    }
  }
  const inherited = (members: object) => Object.assign(Object.create(denying), members);
  it.each<[string, unknown]>([
    ["of a class", new Config()],
    ["on a prototype", inherited({ allow: ["drop"] })],
    ["set by __proto__", { allow: ["drop"], __proto__: denying }],
    ["beside the names of a list", Object.assign(["drop"], denying)],
    [
      "of a class of lists",
      Object.setPrototypeOf(["drop"], Object.create(Array.prototype, { deny: { value: denied } })),
    ],
    ["of an agent's class", { agents: { a: new Config() } }],
    ["of an agent, on a prototype", { agents: new Map([["a", inherited({ allow: ["drop"] })]]) }],
    ["of agents on a prototype", { allow: ["drop"], agents: Object.create({ a: denying }) }],
    ["in an inherited pattern", { allow: ["drop"], deny: [Object.create({ pattern: "d*" })] }],
  ])("P5 refuses a deny that would be lost: %s", (_, rules) => {
    expect(() => allowlist(rules as AllowlistRules)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
    );
  });

  it.each<[string, () => object]>([
    ["its rules", () => Object.defineProperty({ allow: ["drop"] }, "deny", { value: denied })],
    [
      "an agent's rules",
      () => ({
        allow: ["drop"],
        agents: Object.defineProperty({}, "a", {
          value: Object.defineProperty({}, "deny", { value: denied }),
        }),
      }),
    ],
    ["a bare object", () => Object.assign(Object.create(null), { allow: ["drop"], deny: denied })],
  ])("reads a deny also where it is hidden: %s", (_, rules) => {
    expect(decides(rules(), asks("drop", "a"))).toBe("deny");
  });

  it("refuses options that would be lost", () => {
    const options = Object.create({ unknownTools: "ignore" });
    expect(() => allowlist(["a"], options)).toThrow("the options must be a plain object");
    expect(() => plugin.create(new Config() as AllowlistRules)).toThrow("must be a plain object");
  });

  it.each(["crm_l\u00f6schen", "crm_ delete", `crm_${"x".repeat(300)}`, "crm_\n", "crm_\u{1f4a3}"])(
    "denies under a denied pattern also %j, whatever allows it",
    (name) => {
      const rules = { allow: [name, { pattern: "*" }], deny: [{ pattern: "crm_*" }] };
      expect(decides(rules, asks(name))).toBe("deny");
      expect(decides({ allow: [name], agents: { a: rules } }, asks(name, "a"))).toBe("deny");
      expect(decides({ allow: [name] }, asks(name))).toBe("allow");
      expect(decides({ allow: [{ pattern: "*" }] }, asks(name))).toBe("deny");
    },
  );

  it.each([
    ["an unknown option", { names: "x" }, "Did you mean 'name'?"],
    [
      "an empty name",
      { name: "" },
      "allowlist(): 'name' must be a non-empty string, received an empty string",
    ],
    ["an unknown choice", { unknownTools: "warn" }, '"error" or "ignore"'],
  ])("refuses %s in its options", (_, options, message) => {
    expect(() => allowlist(["a"], options as object)).toThrow(message);
  });

  it("reads its rules once", () => {
    const names = ["a"];
    const provider = allowlist({ allow: names, agents: { x: { allow: names } } });
    names.push("b");
    expect(provider.evaluate(asks("b", "x"))).toMatchObject({ decision: "deny" });
  });
});

describe("the reason", () => {
  it.each([
    ["Search", "'search' only by case"],
    ["search ", "'search' only by white space or invisible characters"],
    ["\u200bsearch", "'search' only by white space or invisible characters"],
    ["se\u{e0061}arch", "'search' only by white space or invisible characters"],
    ["s\u0435arch", "'search' only by characters that look alike"],
    ["\uff53\uff45arch", "'search' only by characters that look alike"],
    ["sear\u03f2h", "'search' only by characters that look alike"],
    ["5earch", "'search' only by characters that look alike"],
    ["l1st", "'list' only by characters that look alike"],
    ["forrnat", "'format' only by characters that look alike"],
  ])("calls out that %o differs from an allowed name", (name, hint) => {
    const reason = reasonOf(["search", "list", "format"], asks(name));
    expect(reason).toMatch(/^tool call '.*' is not an allowed tool: it differs from /);
    expect(reason.endsWith(hint)).toBe(true);
  });

  it("shows what cannot be seen", () => {
    expect(reasonOf(["search"], asks("se\u200barch"))).toContain("'se\\u{200b}arch'");
  });

  it("never names a tool that the caller may not call either", () => {
    const rules = { allow: ["read", "Read"], deny: ["Read"], agents: { a: { deny: ["read"] } } };
    expect(reasonOf(rules, asks("READ", "b"))).toContain("'read' only by case");
    expect(reasonOf(rules, asks("READ", "a"))).toBe("tool call 'READ' is not an allowed tool");
  });

  it("gives no hint for a name of any length, and cuts it", () => {
    const reason = reasonOf(["a".repeat(300)], asks("A".repeat(300)));
    expect(reason).toBe(`tool call '${"A".repeat(64)}…' is not an allowed tool`);
  });
});
