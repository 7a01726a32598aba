import type { ResultGuardrail } from "@toolstile/core";
import { call, result } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type RuleCondition, rules, type ToolRule } from "../src/index.js";
import { guard, provider } from "./ask.js";

const secret = "hunter2";

async function reasonOf(
  rule: Omit<ToolRule, "id" | "deny">,
  args: object,
  options: Parameters<typeof call>[2] = {},
): Promise<string> {
  const answer = await guard({ deny: "no", ...rule }).evaluate(call(args, "tool", options));
  if (answer.decision !== "deny") return answer.decision;
  expect(answer.metadata).toMatchObject({ undecided: true });
  return answer.reason;
}

describe("the reason of a rule that applies in doubt", () => {
  it.each<[RuleCondition, object, string]>([
    [{ at: "/a", above: 1 }, {}, "/a is missing"],
    [{ at: "/a/b", above: 1 }, { a: {} }, "/a/b is missing"],
    [{ at: "/a/*", above: 1 }, { a: [] }, "/a/* is missing"],
    [{ at: "/a", above: 1 }, { a: secret }, "/a must be a number, received a string"],
    [{ at: "/a", above: 1 }, { a: null }, "/a must be a number, received null"],
    [{ at: "/a/*", above: 1 }, { a: [[7]] }, "/a/* must be a number, received a list"],
    [
      { at: "/a", length: { above: 1 } },
      { a: 7 },
      "/a must be a string or a list, received a number",
    ],
    [{ at: "/a", equals: 7 }, { a: {} }, "/a must be a number, received an object"],
    [
      { at: "/a/b", above: 1 },
      { a: secret },
      "the way to /a/b leads through a value of another kind",
    ],
    [
      { at: "/a/b", present: true },
      { a: secret },
      "the way to /a/b leads through a value of another kind",
    ],
    [{ at: "/a", pathUnder: "/srv" }, { a: secret }, "/a must be an absolute path"],
    [{ at: "/a", pathUnder: "/srv" }, { a: `../${secret}` }, "/a must be an absolute path"],
    [{ at: "/a", realPathUnder: "/srv" }, { a: secret }, "/a must be an absolute path"],
    [{ at: "/a", pathUnder: "/srv" }, { a: "" }, "/a must not be empty"],
    [
      { at: "/a", pathUnder: "/srv" },
      { a: `/srv/../${secret}` },
      "/a must be a path without '..', ",
    ],
    [{ at: "/a", pathHas: ".env" }, { a: `${secret}/..` }, "/a must be a path without '..', "],
    [
      { at: "/a", pathUnder: "/srv" },
      { a: `/SRV/${secret}` },
      "/a names a folder in letters that some systems take for those of another",
    ],
    [{ at: "/a", pathHas: ".env" }, { a: `/${secret}~1` }, "/a has a short name such as A~1, "],
    [
      { at: "/a", hostIn: "example.com" },
      { a: `http://${secret}@example.com` },
      "/a can be read in two ways",
    ],
    [
      { at: "/a", matches: "(a+b){100}" },
      { a: secret.repeat(9_000) },
      "/a is too long for the pattern",
    ],
    [{ at: "", contains: secret } as never, {}, "the whole must be a string, received an object"],
    [{ host: "/principal", equals: "ann" }, {}, "/principal of the host is missing"],
    [{ not: { at: "/a", above: 1 } }, {}, "/a is missing"],
    [
      {
        all: [
          { at: "/b", above: 1 },
          { at: "/a", above: 1 },
        ],
      },
      { b: 2 },
      "/a is missing",
    ],
    [
      {
        any: [
          { at: "/b", above: 1 },
          { at: "/a", above: 1 },
        ],
      },
      { b: 1 },
      "/a is missing",
    ],
    [
      { cel: "args.a > 1" },
      {},
      "its expression failed: a member or an entry that it reads is missing",
    ],
    [
      { cel: "args.a > 1" },
      { a: secret },
      "its expression failed: a value that it reads is of another kind",
    ],
    [{ cel: "args.a" }, { a: secret }, "its expression failed: it is neither true nor false"],
    [{ cel: "1 / args.a > 1" }, { a: 0 }, "its expression failed: it divides by zero"],
  ])("says of the condition %j what is in doubt, and where", async (condition, args, doubt) => {
    for (const rule of [{ when: condition }, { require: condition }]) {
      const reason = await reasonOf(rule, args);
      expect(reason).toContain(`no (${doubt}`);
      expect(reason).not.toContain(secret);
    }
  });

  it("names the condition that is in doubt, not the one that is told", async () => {
    const rule = { when: { at: "/a", above: 1 }, require: { at: "/b", equals: "x" } } as const;
    expect(await reasonOf(rule, { a: 2 })).toBe("no (/b is missing)");
    expect(await reasonOf(rule, {})).toBe("no (/a is missing)");
  });

  it("says of a path whose end is asked about that it must be absolute", async () => {
    const when = { at: "/a", realPathHas: ".env" };
    expect(await reasonOf({ when }, { a: secret })).toBe("no (/a must be an absolute path)");
  });

  it("says that there are too many values", async () => {
    const when = { at: "/a/*", realPathUnder: "/srv" };
    const args = { a: new Array(101).fill("/srv/x") };
    expect(await reasonOf({ when }, args)).toBe("no (/a/* must have at most 100 values)");
  });

  it("says that the time is none", () => {
    const time = { zone: "UTC", weekdays: ["monday"] };
    const made = provider({
      rules: [{ id: "a", when: { time }, deny: "no" }],
      now: () => Number.NaN,
    });
    expect(made.evaluate(call({}))).toMatchObject({ reason: "no (the clock tells no time)" });
  });

  it("says of a result which place of it is in doubt", async () => {
    const when = { result: "/structured/rows", length: { above: 1 } };
    const made = rules({ rules: [{ id: "a", when, withhold: "no" }] }) as ResultGuardrail;
    const asked = call({});
    expect(await made.evaluateResult(asked, result(asked, "x"))).toMatchObject({
      reason: "no (/structured/rows of the result is missing)",
    });
  });

  it("says of a total what must be added up", async () => {
    const total = { at: "/a", above: 1 };
    expect(await reasonOf({ total }, { a: -1 })).toBe(
      "no (/a must be a number of at least 0, which is added up)",
    );
    expect(await reasonOf({ total: { ...total, of: "length" } }, { a: 7 })).toBe(
      "no (/a must be a string or a list, whose length is added up)",
    );
    const context = { sessionId: "s".repeat(1_025) };
    expect(await reasonOf({ total }, { a: 1 }, { context })).toBe(
      "no (the session must have at most 1024 characters)",
    );
    expect(await reasonOf({ repeats: 1 }, {}, { context })).toBe(
      "no (the id of the session must have at most 1024 characters)",
    );
  });

  it("says which change cannot be made", async () => {
    const change = [
      { at: "/b", trim: true },
      { at: "/a", clamp: { max: 3 } },
    ] as const;
    const answer = await guard({ change }).evaluate(call({ a: secret, b: " " }));
    expect(answer).toMatchObject({
      reason:
        "the rule 'rule-0' cannot make its change ('clamp' cannot be made: a value at /a, or on the way there, is missing or of another kind)",
    });
  });

  it("is only the reason where the rule surely applies", async () => {
    const answer = await guard({ when: { at: "/a", above: 1 }, deny: "no" }).evaluate(
      call({ a: 2 }),
    );
    expect(answer).toMatchObject({ decision: "deny", reason: "no" });
  });
});
