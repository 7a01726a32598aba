import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { timeout } from "../src/errors/option-readers.js";
import { chain } from "../src/guard/compose.js";
import { flatten, givenName } from "../src/guard/define.js";
import { allow, deny } from "../src/guard/verdicts.js";
import { member } from "../src/json/own.js";
import type { GuardrailProvider, GuardrailResult, ToolCall } from "../src/protocol/guardrail.js";
import { Counting, callOf, foreignCall, provider } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { whilePlanted } from "./support/planted.js";

function evaluated(guardrail: unknown): unknown {
  return chain([guardrail as GuardrailProvider]).evaluate(foreignCall());
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
    const [guard] = flatten([{ ...provider("x"), tools }]);
    tools.push("b");
    expect(guard?.facts.tools).toEqual(["a"]);
  });

  it("counts if it judges calls, and does not if it judges results alone", () => {
    expect(flatten([provider("a")])[0]?.facts.counts).toBe(true);
    const judge = { name: "b", evaluateResult: () => allow() };
    expect(flatten([judge])[0]?.facts.counts).toBe(false);
    expect(flatten([judge])[0]?.answers("call")).toBe(false);
    expect(flatten([judge])[0]?.answers("result")).toBe(true);
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
    const [guard] = whilePlanted(planted, () =>
      flatten([{ name: "a", evaluate: () => deny("no") }]),
    );
    expect(guard?.answers("admit")).toBe(false);
    expect(guard?.answers("result")).toBe(false);
    expect(guard?.facts).toMatchObject({
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

describe("timeout", () => {
  it.each([[1], [0.5], [Number.POSITIVE_INFINITY], [Number.MAX_SAFE_INTEGER]])(
    "takes %d",
    (value) => {
      expect(timeout().read(value, "f()", "timeoutMs")).toBe(value);
    },
  );
});

describe("givenName", () => {
  it("P8 does not take a planted name for a given one", () => {
    expect(whilePlanted({ name: "planted" }, () => givenName("chain()", {}))).toBeUndefined();
    expect(givenName("chain()", { name: "mine" })).toBe("mine");
  });
});
