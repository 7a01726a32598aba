import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { failOpen, shadow } from "../src/advisory.js";
import { chain } from "../src/chain.js";
import { ToolstileError } from "../src/errors.js";
import { parallel } from "../src/parallel.js";
import type { GuardrailProvider, GuardrailResult, ToolCall } from "../src/protocol.js";
import { checkedTimeout, flatten, givenName, member } from "../src/provider.js";
import { allow, deny } from "../src/verdict.js";
import { callOf, foreignCall, provider } from "./support/calls.js";
import { whilePlanted } from "./support/planted.js";

function errorOf(act: () => unknown): ToolstileError {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolstileError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function evaluated(guardrail: unknown): unknown {
  return chain([guardrail as GuardrailProvider]).evaluate(foreignCall());
}

class Counting implements GuardrailProvider {
  readonly name = "counting";
  #asked = 0;
  evaluate(): GuardrailResult {
    this.#asked++;
    return this.#asked > 1 ? deny(`asked ${this.#asked} times`) : allow();
  }
}
class Inherited extends Counting {
  settle(): void {}
}

describe("a guardrail", () => {
  it("may be a class instance with private state, and methods up its prototypes", () => {
    const counting = chain([new Counting()]);
    expect(counting.evaluate(foreignCall())).toEqual(allow());
    expect(counting.evaluate(foreignCall())).toEqual(deny("asked 2 times"));
    const inherited = chain([new Inherited()]);
    expect(inherited.evaluate(foreignCall())).toEqual(allow());
    expect(inherited.settle).toBeTypeOf("function");
  });

  it("may name itself by a getter of its class", () => {
    const named = new (class {
      get name() {
        return "getter";
      }
      evaluate = () => deny("no");
    })();
    expect(flatten([named as GuardrailProvider])[0]?.facts.name).toBe("getter");
    expect(evaluated(named)).toEqual(deny("no"));
  });

  it.each([
    ["frozen", Object.freeze({ name: "a", evaluate: () => deny("no") })],
    [
      "without prototype",
      Object.assign(Object.create(null), { name: "a", evaluate: () => deny("no") }),
    ],
    [
      "of another realm",
      runInNewContext("({ name: 'a', evaluate: () => ({ decision: 'deny', reason: 'no' }) })"),
    ],
    [
      "with hidden members",
      Object.defineProperties(
        {},
        {
          name: { value: "a" },
          evaluate: { value: () => deny("no") },
        },
      ),
    ],
    ["a proxy of one", new Proxy({ name: "a", evaluate: () => deny("no") }, {})],
  ])("may be %s", (_, guardrail) => {
    expect(evaluated(guardrail)).toEqual(deny("no"));
  });

  it("is asked as itself", () => {
    const guardrail = {
      name: "self",
      word: "no",
      evaluate(this: { word: string }) {
        return deny(this.word);
      },
    };
    expect(evaluated(guardrail)).toEqual(deny("no"));
  });

  it("P6 is read once: what it becomes later changes nothing", () => {
    const guardrail = { name: "a", evaluate: (): GuardrailResult => deny("no"), timeoutMs: 5 };
    const made = chain([guardrail]);
    guardrail.evaluate = () => allow();
    guardrail.name = "b";
    expect(made.evaluate(foreignCall())).toEqual(deny("no"));
    expect(flatten([made])[0]?.facts.name).toBe("a");
  });

  it("P6 has its list of tools copied", () => {
    const tools = ["a"];
    const [link] = flatten([{ ...provider("x"), tools }]);
    tools.push("b");
    expect(link?.facts.tools).toEqual(["a"]);
  });

  it("counts if it judges calls, and does not if it judges results alone", () => {
    expect(flatten([provider("a")])[0]?.facts.counts).toBe(true);
    const judge = { name: "b", evaluateResult: () => allow() };
    expect(flatten([judge])[0]?.facts.counts).toBe(false);
    expect(flatten([judge])[0]?.answers("call")).toBe(false);
    expect(flatten([judge])[0]?.answers("result")).toBe(true);
  });
});

describe("P5 what is no guardrail", () => {
  it.each([
    ["a factory that was not called", () => provider("a"), "Was a factory passed uncalled?"],
    ["null", null, "object"],
    ["undefined", undefined, "object"],
    ["text", "allowlist", "object"],
    ["a list of guards", [provider("a")], "name"],
    ["an object without a name", { evaluate: () => allow() }, "name"],
    ["one whose name is empty", { name: "", evaluate: () => allow() }, "name"],
    ["one whose name is a number", { name: 1, evaluate: () => allow() }, "name"],
    ["one whose name is a boxed text", { name: Object("a"), evaluate: () => allow() }, "name"],
    ["a promise of one", Promise.resolve(provider("a")), "name"],
    ["one that judges nothing", { name: "a" }, "neither evaluate(call) nor evaluateResult"],
    ["an observer", { name: "a", settle: () => undefined }, "Observers go under `observers`"],
    ["one whose evaluate is data", { name: "a", evaluate: true }, "'a'.evaluate is not a function"],
    ["one whose evaluate is null", { name: "a", evaluate: null }, "'a'.evaluate is not a function"],
    ["one whose admit is data", { ...provider("a"), admit: 1 }, "'a'.admit is not a function"],
    ["one whose settle is data", { ...provider("a"), settle: {} }, "'a'.settle is not a function"],
    [
      "one whose evaluateResult is text",
      { ...provider("a"), evaluateResult: "x" },
      "'a'.evaluateResult is not a function",
    ],
    [
      "one whose register is data",
      { ...provider("a"), register: [] },
      "'a'.register is not a function",
    ],
    ["one whose close is data", { ...provider("a"), close: 1 }, "'a'.close is not a function"],
    [
      "one whose checksArguments is true",
      { ...provider("a"), checksArguments: true },
      "'a'.checksArguments is not a function",
    ],
    [
      "one whose tools is text",
      { ...provider("a"), tools: "send_mail" },
      "'a'.tools is a list of names",
    ],
    [
      "one whose tools is a Set",
      { ...provider("a"), tools: new Set(["x"]) },
      "'a'.tools is a list of names",
    ],
    [
      "one whose tools are not names",
      { ...provider("a"), tools: ["x", 1] },
      "'a'.tools is a list of names",
    ],
  ])("is refused: %s", (_, guardrail, says) => {
    const error = errorOf(() => flatten([guardrail as never]));
    expect(error.code).toBe("ERR_INVALID_PROVIDER");
    expect(error.message).toContain(says);
  });

  it.each([[0], [-1], [Number.NaN], ["5000"], [null], [{}], [5n]])(
    "is refused for a timeoutMs of %s",
    (timeoutMs) => {
      const error = errorOf(() => flatten([{ ...provider("a"), timeoutMs } as never]));
      expect(error.code).toBe("ERR_INVALID_OPTION");
      expect(error.message).toContain("'a'.timeoutMs is a positive number of milliseconds");
    },
  );

  it("is named by its place in the list where it has no name", () => {
    for (const wrong of [undefined, { evaluate: () => allow() }]) {
      expect(errorOf(() => flatten([provider("a"), wrong as never])).message).toContain(
        "number 2 ",
      );
    }
  });

  it("is not refused for members that are undefined", () => {
    const guardrail = {
      ...provider("a"),
      admit: undefined,
      evaluateResult: undefined,
      settle: undefined,
      register: undefined,
      tools: undefined,
      checksArguments: undefined,
      timeoutMs: undefined,
      close: undefined,
    };
    const [link] = flatten([guardrail]);
    expect(link?.answers("admit")).toBe(false);
    expect(link?.facts.tools).toEqual([]);
  });
});

describe("P5 a misspelt member", () => {
  it.each([
    ["evaluates", "evaluate"],
    ["Evaluate", "evaluate"],
    ["evalute", "evaluate"],
    ["evaluateResults", "evaluateResult"],
    ["evaluateReslut", "evaluateResult"],
    ["evaluate_result", "evaluateResult"],
    ["evaluateCall", undefined],
    ["admits", "admit"],
    ["Admit", "admit"],
    ["admitCall", undefined],
    ["settled", "settle"],
    ["settles", "settle"],
    ["setle", "settle"],
    ["registers", "register"],
    ["registr", "register"],
    ["checkArguments", "checksArguments"],
    ["checksArgument", "checksArguments"],
    ["checksArgs", undefined],
  ])("%s is named, with the nearest right one where there is one", (key, right) => {
    const misspelt = { ...provider("a"), [key]: () => allow() };
    if (key === "checksArgs") return expect(() => flatten([misspelt])).not.toThrow();
    const error = errorOf(() => flatten([misspelt]));
    expect(error.code).toBe("ERR_UNKNOWN_MEMBER");
    expect(error.message).toContain(`'${key}', which nobody would call.`);
    if (right !== undefined) expect(error.message).toContain(`Did you mean '${right}'?`);
  });

  it.each([
    ["on the object", { ...provider("a"), admitt: () => allow() }],
    ["hidden", Object.defineProperty({ ...provider("a") }, "admitt", { value: () => allow() })],
    [
      "on its class",
      new (class extends Counting {
        admitt() {}
      })(),
    ],
    [
      "on a class above it",
      new (class extends class extends Counting {
        admitt() {}
      } {})(),
    ],
    [
      "on an object without prototype",
      Object.assign(Object.create(null), provider("a"), { admitt: 1 }),
    ],
    [
      "as a getter",
      new (class extends Counting {
        get admitt() {
          return 1;
        }
      })(),
    ],
  ])("is found %s", (_, guardrail) => {
    expect(errorOf(() => flatten([guardrail as GuardrailProvider])).code).toBe(
      "ERR_UNKNOWN_MEMBER",
    );
  });

  it.each([
    ["value"],
    ["limit"],
    ["cache"],
    ["state"],
    ["rules"],
    ["isAdmitted"],
    ["onSettle"],
    ["registry"],
    ["tool"],
    ["closed"],
    ["names"],
    ["asked"],
    ["constructor"],
    ["mutate"],
    ["permit"],
  ])("is not seen in %s, a member of the provider's own", (key) => {
    expect(() => flatten([{ ...provider("a"), [key]: 1 } as never])).not.toThrow();
  });
});

describe("flatten", () => {
  it("P5 names the two of one name", () => {
    const error = errorOf(() => flatten([provider("a"), provider("b"), provider("a")]));
    expect(error.code).toBe("ERR_DUPLICATE_PROVIDER");
    expect(error.message).toContain("'a'");
  });

  it("P5 names the two of one name also where one stands inside what is asked as one", () => {
    const same = (): GuardrailProvider => provider("same");
    for (const guards of [
      [parallel([same()]), same()],
      [same(), shadow(chain([provider("a"), same()]))],
      [same(), shadow(same())],
      [failOpen(same()), failOpen(parallel([same()]))],
      [failOpen(shadow(same())), same()],
      [parallel([provider("a"), shadow(same())]), parallel([same()])],
      [parallel([provider("a")], { name: "same" }), same()],
      [parallel([same()], { name: "same" })],
    ]) {
      const error = errorOf(() => flatten(guards));
      expect(error.code).toBe("ERR_DUPLICATE_PROVIDER");
      expect(error.message).toContain("'same'");
    }
    expect(() =>
      flatten([shadow(provider("a")), failOpen(provider("b")), parallel([provider("c")])]),
    ).not.toThrow();
  });

  it("P8 knows names as names: constructor and __proto__ are two like others", () => {
    const links = flatten(
      ["constructor", "__proto__", "toString", "hasOwnProperty"].map((name) => provider(name)),
    );
    expect(links.map(({ facts }) => facts.name)).toEqual([
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
    ]);
    expect(errorOf(() => flatten([provider("__proto__"), provider("__proto__")])).code).toBe(
      "ERR_DUPLICATE_PROVIDER",
    );
  });

  it("P3 takes a chain apart, and refuses a copy of one, of which it cannot tell what counts", () => {
    const made = chain([provider("a"), provider("b")]);
    expect(flatten([made]).map(({ facts }) => facts.name)).toEqual(["a", "b"]);
    expect(errorOf(() => flatten([{ ...made }])).code).toBe("ERR_INVALID_PROVIDER");
  });

  it("P2 shows a strange name only in quotes", () => {
    const error = errorOf(() => flatten([provider("a\nb"), provider("a\nb")]));
    expect(error.message).toContain("'a\\u{a}b'");
    expect(error.message).not.toContain("\n");
  });
});

describe("P8 a guardrail under a polluted prototype", () => {
  const planted = {
    name: "planted",
    evaluate: () => allow(),
    evaluateResult: () => allow(),
    admit: () => allow(),
    settle: () => undefined,
    register: () => undefined,
    checksArguments: () => true,
    tools: ["planted"],
    timeoutMs: 1,
    close: () => undefined,
  };

  it("does not take what is planted for its members", () => {
    const error = whilePlanted(planted, () => errorOf(() => flatten([{} as never])));
    expect(error.code).toBe("ERR_INVALID_PROVIDER");
    const [link] = whilePlanted(planted, () =>
      flatten([{ name: "a", evaluate: () => deny("no") }]),
    );
    expect(link?.answers("admit")).toBe(false);
    expect(link?.answers("result")).toBe(false);
    expect(link?.facts).toMatchObject({
      tools: [],
      checksArguments: undefined,
      register: undefined,
      settle: undefined,
      close: undefined,
    });
  });

  it("denies as it does without, asked at once", () => {
    const guardrail = {
      name: "a",
      evaluate: (_call: ToolCall) => ({ decision: "deny" as const, reason: "no" }),
    };
    const words = {
      ...planted,
      decision: "allow",
      reason: "x",
      only: undefined,
      when: [],
      value: "allow",
      issues: [],
      modifiedArgs: {},
      args: {},
      get: () => "allow",
    };
    const answer = whilePlanted(words, () => chain([guardrail]).evaluate(callOf()));
    expect(Object.entries(answer).sort()).toEqual([
      ["decision", "deny"],
      ["reason", "no"],
    ]);
  });
});

describe("member", () => {
  it("finds what an object or its classes have, and not what all objects have", () => {
    class Base {
      inherited = () => 1;
      method() {}
    }
    const object = new (class extends Base {})();
    expect(member(object, "inherited")).toBe(object.inherited);
    expect(member(object, "method")).toBe(Base.prototype.method);
    expect(member(object, "toString")).toBeUndefined();
    expect(member(object, "hasOwnProperty")).toBeUndefined();
    expect(member(Object.create(null, { own: { value: 1 } }), "own")).toBe(1);
    expect(member(Object.create(null), "own")).toBeUndefined();
    expect(member({ toString: 1 }, "toString")).toBe(1);
  });
});

describe("checkedTimeout", () => {
  it.each([[1], [0.5], [Number.POSITIVE_INFINITY], [Number.MAX_SAFE_INTEGER]])(
    "takes %d",
    (value) => {
      expect(checkedTimeout(value, "x")).toBe(value);
    },
  );
});

describe("givenName", () => {
  it("P8 does not take a planted name for a given one", () => {
    expect(whilePlanted({ name: "planted" }, () => givenName("chain()", {}))).toBeUndefined();
    expect(givenName("chain()", { name: "mine" })).toBe("mine");
  });
});
