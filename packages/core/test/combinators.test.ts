import { describe, expect, it } from "vitest";
import { speaking } from "../src/guard/by-phase.js";
import { allowAll, forTools, shared, when, withTimeout } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten, type Guardrail } from "../src/guard/define.js";
import { Deliberation } from "../src/guard/deliberation.js";
import { shadow } from "../src/guard/shadow.js";
import { allow, deny, modify } from "../src/guard/verdicts.js";
import { parallel, ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { callOf, foreignCall, outcome, provider, resultOf } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { whilePlanted } from "./support/planted.js";
import { guard, spyTool } from "./support/runners.js";

const runnerOf = (guardrails: ToolRunnerOptions["guardrails"], more: object = {}) =>
  new ToolRunner({ tools: [spyTool(), spyTool("other")], guardrails, onFault: () => {}, ...more });

function deliberation(
  guardrails: readonly Guardrail[],
  args: object = {},
  toolName = "send_mail",
): Deliberation {
  const guards = speaking(flatten(guardrails), "call", toolName);
  const folding = new Deliberation(guards, "call", callOf(args, { toolName }));
  folding.run();
  return folding;
}

/** A guard that has every member and notes what of it is used. */
function everything(name: string, used: string[]): GuardrailProvider {
  const note = <T>(what: string, answer: T): T => {
    used.push(what);
    return answer;
  };
  return {
    name,
    evaluate: () => note("evaluate", deny("call")),
    admit: () => note("admit", deny("admit")),
    evaluateResult: () => note("evaluateResult", deny("result")),
    settle: () => note("settle", undefined),
    register: (tool) => note(`register ${tool.name}`, undefined),
    tools: ["send_mail"],
    checksArguments: () => note("checksArguments", true),
    timeoutMs: 100,
    close: () => note("close", undefined),
  };
}

describe("allowAll", () => {
  it("allows, counts, and can be named", () => {
    const made = allowAll();
    expect(made.name).toBe("allow-all");
    expect(made.evaluate(foreignCall())).toBe(allow());
    expect(Object.isFrozen(made)).toBe(true);
    expect(deliberation([made]).judged).toBe(true);
    expect(allowAll({ name: "open" }).name).toBe("open");
  });

  it("P5 refuses an option that nobody reads", () => {
    expect(errorOf(() => allowAll({ nmae: "x" } as never)).code).toBe("ERR_UNKNOWN_OPTION");
    expect(errorOf(() => allowAll({ name: "" })).code).toBe("ERR_INVALID_OPTION");
  });

  it("P8 is not renamed by a planted name", () => {
    expect(whilePlanted({ name: "planted" }, () => allowAll().name)).toBe("allow-all");
  });
});

describe("shared", () => {
  it("forwards every member to the guard inside, and closes it never", async () => {
    const used: string[] = [];
    const made = shared(everything("inner", used));
    expect(made.name).toBe("shared(inner)");
    expect(made.evaluate(foreignCall())).toEqual(deny("call"));
    expect(made.admit?.(foreignCall())).toEqual(deny("admit"));
    expect(made.evaluateResult?.(foreignCall(), resultOf())).toEqual(deny("result"));
    await made.settle?.(foreignCall(), outcome);
    made.register?.({ name: "send_mail" });
    expect(made.checksArguments?.({ name: "send_mail" })).toBe(true);
    expect(made.tools).toEqual(["send_mail"]);
    await made.close?.();
    expect(used).toEqual([
      "evaluate",
      "admit",
      "evaluateResult",
      "settle",
      "register send_mail",
      "checksArguments",
    ]);
    const [guard] = flatten([shadow(made)]);
    expect(guard?.names).toEqual(["inner"]);
  });
});

const transparent: readonly (readonly [string, (inner: Guardrail) => GuardrailProvider])[] = [
  ["forTools", (inner) => forTools(["send_mail", "other"], inner)],
  ["when", (inner) => when(() => true, inner)],
  ["withTimeout", (inner) => withTimeout(inner, 50)],
];

describe.each(transparent)("%s", (kind, wrap) => {
  it("forwards every member to the guard inside", async () => {
    const used: string[] = [];
    const made = wrap(everything("inner", used));
    expect(made.name).toBe(`${kind}(inner)`);
    expect(made.evaluate(foreignCall())).toEqual(deny("call"));
    expect(made.admit?.(foreignCall())).toEqual(deny("admit"));
    expect(made.evaluateResult?.(foreignCall(), resultOf())).toEqual(deny("result"));
    await made.settle?.(foreignCall(), outcome);
    made.register?.({ name: "send_mail" });
    await made.close?.();
    expect(used).toEqual([
      "evaluate",
      "admit",
      "evaluateResult",
      "settle",
      "register send_mail",
      "close",
    ]);
    expect(made.tools).toContain("send_mail");
  });

  it("leaves the records under the name of the guard inside", () => {
    const [guard] = flatten([wrap(provider("inner"))]);
    expect(guard?.facts.name).toBe("inner");
    expect(guard?.facts.counts).toBe(true);
  });

  it("says of arguments what the guard inside says, where it is asked of every call", () => {
    const checks = { ...provider("a"), checksArguments: () => true };
    expect(wrap(checks).checksArguments?.({ name: "send_mail" })).toBe(kind !== "when");
    expect(wrap(provider("a")).checksArguments?.({ name: "send_mail" })).toBe(false);
  });

  it("takes a chain apart", () => {
    const guards = flatten([wrap(chain([provider("a"), provider("b")]))]);
    expect(guards.map(({ facts }) => facts.name)).toEqual(["a", "b"]);
  });

  it("P1 keeps a fault a fault", async () => {
    const broken = wrap(provider("broken", () => Promise.reject(new Error("hunter2"))));
    const folding = new Deliberation(flatten([broken]), "call", callOf());
    await folding.run();
    expect(folding.denial).toMatchObject({ basis: "error", decidedBy: "broken" });
  });

  it("keeps a judge of results a judge of results", () => {
    const made = wrap({ name: "judge", evaluateResult: () => deny("no") });
    expect(flatten([made])[0]?.facts.counts).toBe(false);
    expect(made.evaluateResult?.(foreignCall(), resultOf())).toEqual(deny("no"));
  });

  it("P5 refuses what is no guardrail", () => {
    expect(errorOf(() => wrap((() => provider("a")) as never)).code).toBe("ERR_INVALID_PROVIDER");
    expect(errorOf(() => wrap({ ...provider("a"), admitt: 1 } as never)).code).toBe(
      "ERR_UNKNOWN_MEMBER",
    );
  });
});

describe("forTools", () => {
  it("P3 gives a guard no say, and no weight, for any other tool", () => {
    const inner = provider("a", () => deny("no"));
    const made = forTools(["delete_file"], inner);
    expect(deliberation([made], {}, "delete_file").denial?.reason).toBe("no");
    const other = deliberation([made], {}, "send_mail");
    expect(other.denial).toBeUndefined();
    expect(other.judged).toBe(false);
    expect(other.records).toEqual([]);
    expect(inner.asked).toHaveLength(1);
  });

  it("narrows, and never widens, when it is put round itself", () => {
    const inner = provider("a", () => deny("no"));
    const both = forTools(["x", "y"], forTools(["y", "z"], inner));
    for (const [name, asked] of [
      ["x", false],
      ["y", true],
      ["z", false],
    ] as const) {
      expect(deliberation([both], {}, name).denial !== undefined).toBe(asked);
    }
    expect([...(both.tools ?? [])].sort()).toEqual(["x", "y", "y", "z"]);
  });

  it("takes the names from any iterable, once", () => {
    const names = new Set(["a"]);
    const made = forTools(
      names,
      provider("x", () => deny("no")),
    );
    names.add("send_mail");
    expect(deliberation([made], {}, "send_mail").denial).toBeUndefined();
    expect(
      deliberation(
        [
          forTools(
            ["a"].values(),
            provider("x", () => deny("no")),
          ),
        ],
        {},
        "a",
      ).denial,
    ).toBeDefined();
  });

  it("registers only the tools that it is for", () => {
    const used: string[] = [];
    const made = forTools(["a"], everything("x", used));
    made.register?.({ name: "a" });
    made.register?.({ name: "b" });
    expect(used).toEqual(["register a"]);
    expect(made.checksArguments?.({ name: "a" })).toBe(true);
    expect(made.checksArguments?.({ name: "b" })).toBe(false);
  });

  it("takes patterns, of which a wildcard stands for any character", () => {
    const mine = provider("mine");
    const [scoped] = flatten([forTools(["send", { pattern: "github_*" }], mine)]);
    const covered = ["send", "github_", "github_é", "gitlab_x", "github"].map((name) =>
      scoped?.covers(name),
    );
    expect(covered).toEqual([true, true, true, false, false]);
    expect(scoped?.facts.tools).toEqual(["send"]);
    const [inner] = flatten([forTools([{ pattern: "*_x" }], forTools([{ pattern: "a_*" }], mine))]);
    expect(["a_x", "a_y", "b_x"].map((name) => inner?.covers(name))).toEqual([true, false, false]);
  });

  it.each([
    ["text", "send_mail"],
    ["an empty list", []],
    ["nothing", undefined],
    ["null", null],
    ["a list with a number", ["a", 1]],
    ["a list with a hole", ["a", undefined]],
    ["an empty pattern", [{ pattern: "" }]],
    ["a pattern that is too long", [{ pattern: "a".repeat(257) }]],
    ["an object that is no pattern", [{ patern: "a*" }]],
  ])("P5 refuses %s in the place of names", (_, tools) => {
    const error = errorOf(() => forTools(tools as never, provider("a")));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toContain(
      'forTools(): the first argument must be a list of tool names that is not empty, or of { pattern: "github_*" }, received ',
    );
  });
});

describe("when", () => {
  it("P6 asks its condition anew for the arguments of each question", () => {
    const seen: unknown[] = [];
    const inner = provider("inner", () => deny("big"));
    const guarded = when(({ args }) => {
      seen.push(args["n"]);
      return (args["n"] as number) > 5;
    }, inner);
    const raises = provider("raises", ({ args }) => (args["n"] === 1 ? modify({ n: 9 }) : allow()));
    const folding = deliberation([guarded, raises], { n: 1 });
    expect(seen).toEqual([1, 9]);
    expect(folding.denial?.reason).toBe("big");
  });

  it("P3 gives no weight to a guard whose condition is not met", () => {
    expect(deliberation([when(() => false, provider("a"))]).judged).toBe(false);
    expect(deliberation([when(() => true, provider("a"))]).judged).toBe(true);
  });

  it.each<readonly [string, () => unknown, string]>([
    ["is a promise of false", async () => false, "malformed"],
    ["is a promise of true", async () => true, "malformed"],
    ["is undefined", () => undefined, "malformed"],
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
      "error",
    ],
  ])("P1 denies where its condition %s, in every phase", (_, condition, basis) => {
    const inner = { ...provider("a"), admit: () => allow(), evaluateResult: () => allow() };
    const made = when(condition as () => boolean, inner);
    for (const phase of ["call", "admit", "result"] as const) {
      const folding = new Deliberation(flatten([made]), phase, callOf(), resultOf());
      folding.run();
      expect(folding.denial).toMatchObject({ decision: "deny", basis, decidedBy: "a" });
      expect(JSON.stringify(folding.records)).not.toContain("hunter2");
    }
  });

  it("needs all of several conditions", () => {
    const inner = provider("a", () => deny("no"));
    for (const [one, other] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const made = when(
        () => one,
        when(() => other, inner),
      );
      expect(deliberation([made]).denial !== undefined).toBe(one && other);
    }
  });

  it("settles the guard inside whatever its condition says", async () => {
    for (const condition of [
      () => false,
      () => {
        throw new Error("x");
      },
    ]) {
      const used: string[] = [];
      await when(condition, everything("a", used)).settle?.(foreignCall(), outcome);
      expect(used).toEqual(["settle"]);
    }
  });

  it("P6 shows its condition the frozen call", () => {
    let call: unknown;
    deliberation(
      [
        when((given) => {
          call = given;
          return true;
        }, provider("a")),
      ],
      { a: [1] },
    );
    expect(Object.isFrozen(call)).toBe(true);
    expect(Object.isFrozen((call as { args: { a: unknown } }).args.a)).toBe(true);
  });

  it.each([
    ["true", true],
    ["nothing", undefined],
    ["text", "args.n > 5"],
  ])("P5 refuses %s in the place of a condition", (_, condition) => {
    const error = errorOf(() => when(condition as never, provider("a")));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toMatch(/^when\(\): the condition must be a function, call => boolean, /);
  });
});

describe("a condition", () => {
  it("is asked once for each question, also of guards that are asked at once", async () => {
    const asked: string[] = [];
    const condition = (name: string) => () => asked.push(name) > 0;
    const guardrails = [
      when(condition("outer"), parallel([when(condition("inner"), allowAll()), guard("b")])),
    ];
    expect((await runnerOf(guardrails).run({ name: "send" })).status).toBe("executed");
    expect(asked).toEqual(["outer", "inner"]);
  });
});
