import { allow, deny, type ResultGuardrail, rewrite, type ToolResult } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, type ResultCases, result, testResultGuardrail } from "../src/index.js";
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

const wrong: [string, string, () => object][] = [
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
    "rewrites the results that it should, and leaves alone what it made",
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
    Object.getPrototypeOf(given) === Object.prototype ? judge(claimed) : allow();
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
