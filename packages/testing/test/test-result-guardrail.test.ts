import {
  allow,
  allowAll,
  deny,
  type ResultGuardrail,
  rewrite,
  type ToolResult,
} from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, type ResultCases, result, testProvider, testResultGuardrail } from "../src/index.js";
import { failingSentences } from "./failing-sentences.js";

const asked = call({ query: "oolong" });
const cases: ResultCases = {
  allowed: [
    { call: asked, result: result(asked, "a tea") },
    { call: asked, result: result(asked, [{ type: "text", text: "a tea" }]) },
  ],
  withheld: {
    call: asked,
    result: result(asked, "the key is sk-1234", { structured: { a: "b" } }),
  },
  rewritten: { call: asked, result: result(asked, "mail someone@example.org") },
};

function judge({ content }: ToolResult) {
  if (typeof content !== "string") return allow();
  if (content.includes("sk-")) return deny("the result holds a key");
  return content.includes("@") ? rewrite({ content: content.replaceAll("@", " at ") }) : allow();
}
const good = (): ResultGuardrail => ({ name: "good", evaluateResult: (_, given) => judge(given) });

describe("a judge of results that does as it should", () => {
  testResultGuardrail(it, good, cases);
});

describe("a provider that judges calls and results", () => {
  testResultGuardrail(it, () => ({ ...good(), evaluate: () => allow() }), cases);
});

/** The number of questions to all guards of one fault: a new guard is not a new count. */
const counted = { times: 0 };

const wrong: [string, string, () => object][] = [
  ["rewrites nothing", "rewrites the results that it should", () => replacing(() => allow())],
  [
    "rewrites otherwise each time",
    "in a runner, gives the model the result as it rewrote it",
    () => replacing(() => rewrite({ content: `written ${++counted.times}` })),
  ],
  [
    "lets a result through to nobody but the kit",
    "in a runner, lets the result through as it is",
    () => ({
      ...good(),
      evaluateResult: (asked: { run: object }, given: ToolResult) =>
        isOfKit(asked) ? judge(given) : deny("no"),
    }),
  ],
  [
    "withholds everything",
    "lets through the results that it should",
    () => ({ ...good(), evaluateResult: () => deny("no") }),
  ],
  [
    "lets everything through",
    "withholds the results that it should, with a reason",
    () => ({ ...good(), evaluateResult: () => allow() }),
  ],
  [
    "rewrites again what it rewrote",
    "leaves alone what it rewrote",
    () => replacing(({ content }) => rewrite({ content: `${content as string}@` })),
  ],
  [
    "rewrites to an object",
    "answers every question in time and in one of the known shapes",
    () => replacing(() => rewrite({ content: {} as never })),
  ],
  [
    "modifies arguments of a call that has run",
    "answers every question in time and in one of the known shapes",
    () => replacing(() => ({ decision: "modify", modifiedArgs: {} })),
  ],
  [
    "quotes the result",
    "says no value of the arguments or the result",
    () => ({
      ...good(),
      evaluateResult: (_: unknown, given: ToolResult) =>
        judge(given).decision === "deny" ? deny(`it says ${given.content}`) : judge(given),
    }),
  ],
  [
    "shows what it withholds in what replaces it",
    "in a runner, keeps from the model what it withholds",
    () => ({
      ...good(),
      evaluateResult: (_: unknown, given: ToolResult) =>
        judge(given).decision === "deny"
          ? deny("no", { replacement: given.content })
          : judge(given),
    }),
  ],
  [
    "takes a runner for a friend",
    "in a runner, keeps from the model what it withholds",
    () => ({ ...good(), evaluateResult: stateful() }),
  ],
  [
    "judges calls only",
    "has a name, an evaluateResult, and no member that nothing calls",
    () => ({ name: "calls", evaluate: () => allow() }),
  ],
  [
    "is no provider and admits",
    "has a name, an evaluateResult, and no member that nothing calls",
    () => ({ ...good(), admit: () => allow() }),
  ],
  [
    "writes into the result",
    "changes nothing in what it is asked, frozen or not",
    () => ({
      ...good(),
      evaluateResult(_: unknown, given: { content: unknown }) {
        const verdict = judge(given as ToolResult);
        if (!Object.isFrozen(given)) given.content = "";
        return verdict;
      },
    }),
  ],
];

describe("the kit for results", () => {
  it.each(wrong)("finds a guardrail that %s", async (_, sentence, make) => {
    const failed = await failingSentences((test) => {
      testResultGuardrail(test, make as () => ResultGuardrail, cases);
    });
    expect([...failed.keys()]).toContain(sentence);
  });

  it("has no test about results alone that no planted fault turns red", () => {
    const names: string[] = [];
    testResultGuardrail((name) => names.push(name), good, cases);
    const ofCalls: string[] = [];
    testProvider((name) => ofCalls.push(name), allowAll, { allowed: asked });
    const found = new Set([...wrong.map(([, sentence]) => sentence), ...ofCalls]);
    expect(names.filter((name) => !found.has(name))).toEqual([]);
  });

  it("takes the type of a content part for no secret", async () => {
    const failed = await failingSentences((test) => {
      testResultGuardrail(
        test,
        () => ({ name: "parts", evaluateResult: () => deny("text is not read here") }),
        { withheld: { call: asked, result: result(asked, [{ type: "text", text: "a tea" }]) } },
      );
    });
    expect([...failed.keys()]).toEqual([]);
  });

  it("refuses to test nothing", () => {
    expect(() => testResultGuardrail(it, good, {})).toThrow("must be given at least one case");
  });
});

/** Judges as it should until it is asked through a runner. */
function stateful() {
  return (given: { run: object }, claimed: ToolResult) =>
    isOfKit(given) ? judge(claimed) : allow();
}

/** True for a call that the kit made, false for one of a runner. */
function isOfKit(asked: object): boolean {
  return Object.getPrototypeOf(asked) === Object.prototype;
}

/** Answers the one result that should be rewritten in another way. */
function replacing(answer: (given: ToolResult) => unknown): object {
  return {
    ...good(),
    evaluateResult: (_: unknown, given: ToolResult) =>
      judge(given).decision === "modify" || String(given.content).endsWith("@")
        ? answer(given)
        : judge(given),
  };
}
