import { describe, expect, it } from "vitest";
import { allowAll } from "../src/guard/combinators.js";
import { chain } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { liveChain } from "../src/guard/live-chain.js";
import { parallel } from "../src/guard/parallel.js";
import { allow } from "../src/guard/verdicts.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { Counting, provider } from "./support/calls.js";
import { errorOf } from "./support/errors.js";

describe("P5 what is no guardrail", () => {
  it.each([
    ["a factory that was not called", () => provider("a"), "Was a factory passed uncalled?"],
    ["null", null, "object"],
    ["undefined", undefined, "object"],
    ["text", "allowlist", "object"],
    ["a list of guards", [provider("a")], "name"],
    ["an object without a name", { evaluate: () => allow() }, "name"],
    ["one whose name is empty", { name: "", evaluate: () => allow() }, "name"],
    ["one with the name that core has", { name: "core", evaluate: () => allow() }, "'core'"],
    ["one whose name is a number", { name: 1, evaluate: () => allow() }, "name"],
    ["one whose name is a boxed text", { name: Object("a"), evaluate: () => allow() }, "name"],
    ["a promise of one", Promise.resolve(provider("a")), "name"],
    ["one that judges nothing", { name: "a" }, "neither evaluate(call) nor evaluateResult"],
    ["an observer", { name: "a", settle: () => undefined }, "Observers go under `observers`"],
    [
      "one whose evaluate is data",
      { name: "a", evaluate: true },
      "Guardrail 'a': `evaluate` must be a function, received ",
    ],
    [
      "one whose evaluate is null",
      { name: "a", evaluate: null },
      "Guardrail 'a': `evaluate` must be a function, received ",
    ],
    [
      "one whose admit is data",
      { ...provider("a"), admit: 1 },
      "Guardrail 'a': `admit` must be a function, received ",
    ],
    [
      "one whose settle is data",
      { ...provider("a"), settle: {} },
      "Guardrail 'a': `settle` must be a function, received ",
    ],
    [
      "one whose evaluateResult is text",
      { ...provider("a"), evaluateResult: "x" },
      "Guardrail 'a': `evaluateResult` must be a function, received ",
    ],
    [
      "one whose register is data",
      { ...provider("a"), register: [] },
      "Guardrail 'a': `register` must be a function, received ",
    ],
    [
      "one whose close is data",
      { ...provider("a"), close: 1 },
      "Guardrail 'a': `close` must be a function, received ",
    ],
    [
      "one whose checksArguments is true",
      { ...provider("a"), checksArguments: true },
      "Guardrail 'a': `checksArguments` must be a function, received ",
    ],
    [
      "one whose tools is text",
      { ...provider("a"), tools: "send_mail" },
      "Guardrail 'a': `tools` must be a list of tool names, received ",
    ],
    [
      "one whose tools is a Set",
      { ...provider("a"), tools: new Set(["x"]) },
      "Guardrail 'a': `tools` must be a list of tool names, received ",
    ],
    [
      "one whose tools are not names",
      { ...provider("a"), tools: ["x", 1] },
      "Guardrail 'a': `tools` must be a list of tool names, received ",
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
      expect(error.message).toContain("'a': 'timeoutMs' must be a positive number of milliseconds");
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
    const [guard] = flatten([guardrail]);
    expect(guard?.answers("admit")).toBe(false);
    expect(guard?.facts.tools).toEqual([]);
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
    expect(error.message).toContain(`'${key}', which core does not call.`);
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

describe("P5 the name that records give to core", () => {
  it.each([
    ["chain()", () => chain([provider("a")], { name: "core" })],
    ["parallel()", () => parallel([provider("a")], { name: "core" })],
    ["allowAll()", () => allowAll({ name: "core" })],
    ["liveChain()", () => liveChain([provider("a")], { name: "core" })],
  ])("is no name of what %s makes", (_, make) => {
    expect(errorOf(make)).toMatchObject({ code: "ERR_INVALID_PROVIDER" });
  });
});
