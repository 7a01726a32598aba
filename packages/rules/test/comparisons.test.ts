import { call } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleCondition } from "../src/index.js";
import { decisionOf, guard, saysOf } from "./ask.js";

const at = (checks: Omit<RuleCondition, "at">, value: unknown) =>
  saysOf({ at: "/x", ...checks }, value === undefined ? {} : { x: value });

describe("a comparison", () => {
  it.each<[Omit<RuleCondition, "at">, unknown, string]>([
    [{ above: 200 }, 201, "true"],
    [{ above: 200 }, 200, "false"],
    [{ atLeast: 200 }, 200, "true"],
    [{ atLeast: 200 }, 199.5, "false"],
    [{ below: 0 }, -1, "true"],
    [{ below: 0 }, 0, "false"],
    [{ atMost: 0 }, 0, "true"],
    [{ above: 0, atMost: 10 }, 10, "true"],
    [{ above: 0, atMost: 10 }, 11, "false"],
    [{ above: 200 }, "201", "untold"],
    [{ above: 200 }, [201], "untold"],
    [{ above: 200 }, null, "untold"],
    [{ above: 200 }, undefined, "untold"],
    [{ above: 200, optional: true }, undefined, "neither"],
    [{ above: 200, optional: true }, null, "untold"],
    [{ equals: "a" }, "a", "true"],
    [{ equals: "a" }, "b", "false"],
    [{ equals: 1 }, true, "untold"],
    [{ equals: "1" }, 1, "untold"],
    [{ equals: null }, null, "true"],
    [{ equals: null }, "", "untold"],
    [{ equals: false }, false, "true"],
    [{ equals: { a: 1, b: [2] } }, { b: [2], a: 1 }, "true"],
    [{ equals: { a: 1 } }, { a: 1, b: 2 }, "false"],
    [{ oneOf: ["a", 1, null] }, 1, "true"],
    [{ oneOf: ["a", 1] }, 2, "false"],
    [{ oneOf: ["a", 1] }, null, "untold"],
    [{ oneOf: [[1], [2]] }, [2], "true"],
    [{ length: { above: 2 } }, "abc", "true"],
    [{ length: { above: 2 } }, "😀😀", "false"],
    [{ length: { atMost: 2, atLeast: 1 } }, [], "false"],
    [{ length: { atMost: 2 } }, { a: 1 }, "untold"],
    [{ present: true }, null, "true"],
    [{ present: true }, undefined, "false"],
    [{ present: false }, undefined, "true"],
  ])("%j says of %j: %s", (checks, value, expected) => {
    if (expected === "neither") expect(() => at(checks, value)).toThrow("applies in neither way");
    else expect(at(checks, value)).toBe(expected);
  });

  it.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
    "P8 finds no member %s that is not the arguments' own",
    (name) => {
      expect(saysOf({ at: `/${name}`, present: true }, {})).toBe("false");
      expect(saysOf({ at: `/list/${name}`, present: true }, { list: [1] })).toBe("untold");
    },
  );

  it.each<[string, object, string]>([
    ["", { a: 1 }, "true"],
    ["/a~1b/~0", { "a/b": { "~": 1 } }, "true"],
    ["/list/1", { list: [0, 1] }, "true"],
    ["/list/2", { list: [0, 1] }, "false"],
    ["/list/01", { list: [0, 1] }, "untold"],
    ["/list/-1", { list: [0, 1] }, "untold"],
    ["/list/length", { list: [0, 1] }, "untold"],
    ["/", { "": 1 }, "true"],
    ["/text/0", { text: "abc" }, "untold"],
    ["/none/raw", { none: null }, "untold"],
    ["/list/*", { list: "abc" }, "untold"],
    ["/list/*", { list: [] }, "false"],
    ["/list/*", {}, "false"],
  ])("looks at %j in %j: %s", (pointer, args, expected) => {
    expect(saysOf({ at: pointer, present: true }, args)).toBe(expected);
  });
});

describe("a condition about each of several values", () => {
  const decision = (rule: object, to: unknown) =>
    decisionOf(guard({ ...rule, deny: "no" }), call(to === undefined ? {} : { to }, "tool"));
  const evil = { at: "/to/*", equals: "evil" } as const;
  const ann = { at: "/to/*", equals: "ann" } as const;

  it.each<[object, unknown, string]>([
    [{ when: evil }, ["ann", "evil"], "deny"],
    [{ when: evil }, ["ann", "bob"], "allow"],
    [{ require: ann }, ["ann", "ann"], "allow"],
    [{ require: ann }, ["ann", "evil"], "deny"],
    [{ require: ann }, { first: "ann" }, "allow"],
    [{ require: { not: evil } }, ["ann", "bob"], "allow"],
    [{ require: { not: evil } }, ["ann", "evil"], "deny"],
    [{ when: { not: ann } }, ["ann", "ann"], "allow"],
    [{ when: { not: ann } }, ["ann", "evil"], "deny"],
    [{ when: evil }, ["ann", 7], "deny"],
    [{ when: evil }, [], "deny"],
    [{ when: evil }, "ann", "deny"],
    [{ when: evil }, undefined, "deny"],
    [{ require: ann }, [], "deny"],
    [{ require: { ...ann, optional: true } }, undefined, "allow"],
    [{ require: { ...ann, optional: true } }, [], "allow"],
    [{ require: { ...ann, optional: true } }, [7], "deny"],
    [{ when: { ...evil, optional: true } }, undefined, "allow"],
    [{ when: { not: { ...ann, optional: true } } }, undefined, "allow"],
  ])("%j has one value for which the rule applies decide on %j: %s", async (rule, to, expected) => {
    expect(await decision(rule, to)).toBe(expected);
  });
});

describe("conditions made of others", () => {
  const a = { at: "/a", equals: true } as const;
  const b = { at: "/b", equals: true } as const;
  const value = fc.constantFrom<boolean | undefined>(true, false, undefined);
  const args = (a: boolean | undefined, b: boolean | undefined) => ({
    ...(a !== undefined && { a }),
    ...(b !== undefined && { b }),
  });
  const word = (outcome: boolean | undefined) => (outcome === undefined ? "untold" : `${outcome}`);

  it("follow the logic in which what cannot be told stays so unless it does not matter", () => {
    fc.assert(
      fc.property(value, value, (x, y) => {
        const all =
          x === false || y === false
            ? false
            : x === undefined || y === undefined
              ? undefined
              : true;
        const any =
          x === true || y === true ? true : x === undefined || y === undefined ? undefined : false;
        expect(saysOf({ all: [a, b] }, args(x, y))).toBe(word(all));
        expect(saysOf({ any: [a, b] }, args(x, y))).toBe(word(any));
        expect(saysOf({ not: a }, args(x, y))).toBe(word(x === undefined ? undefined : !x));
        expect(saysOf({ not: { all: [{ not: a }, { not: b }] } }, args(x, y))).toBe(word(any));
      }),
    );
  });
});

describe("a rule about a value in something of another kind", () => {
  const under = { pathUnder: ["/docs"], optional: true } as const;
  it.each<[object, object]>([
    [{ require: { at: "/paths/*", ...under } }, { paths: "/etc/passwd" }],
    [{ require: { at: "/o/*/path", ...under } }, { o: [{ path: "/docs/a" }, "/etc/passwd"] }],
    [{ require: { at: "/o/path", ...under } }, { o: '{"path":"/etc"}' }],
    [{ require: { at: "/o/path", ...under } }, { o: [{ path: "/etc" }] }],
    [{ require: { at: "/o/path", ...under } }, { o: null }],
    [{ when: { at: "/o/raw", present: true } }, { o: '{"raw":1}' }],
    [{ require: { at: "/o/raw", present: false } }, { o: [{ raw: 1 }] }],
  ])("applies, also where the value is optional: %j of %j", async (rule, args) => {
    expect(await decisionOf(guard({ ...rule, deny: "no" }), call(args, "tool"))).toBe("deny");
  });
});

describe("a rule about the presence of several values", () => {
  const present = (wanted: boolean) => ({ at: "/items/*/token", present: wanted }) as const;
  const [one, both, none] = [
    [{ token: 1 }, {}],
    [{ token: 1 }, { token: 1 }],
    [{}, {}],
  ];
  it.each<[object, object, string]>([
    [{ require: present(true) }, one, "deny"],
    [{ require: present(true) }, both, "allow"],
    [{ require: present(false) }, one, "deny"],
    [{ require: present(false) }, none, "allow"],
    [{ when: present(true) }, one, "deny"],
    [{ when: present(true) }, none, "allow"],
    [{ when: present(false) }, one, "deny"],
    [{ when: present(false) }, both, "allow"],
    [{ when: { not: present(true) } }, one, "deny"],
    [{ require: { not: present(true) } }, one, "deny"],
  ])("applies if one is enough for it: %j of %j: %s", async (rule, items, expected) => {
    const made = guard({ ...rule, deny: "no" });
    expect(await decisionOf(made, call({ items }, "tool"))).toBe(expected);
  });
});

it("P6 a rule keeps its own copy of the value that it compares with", async () => {
  const wanted = { a: 1 };
  const made = guard({ require: { at: "/x", equals: wanted }, deny: "no" });
  wanted.a = 2;
  expect(await decisionOf(made, call({ x: { a: 1 } }, "tool"))).toBe("allow");
});
