import {
  type Awaitable,
  checkOptions,
  type GuardrailProvider,
  type ResultGuardrail,
  type ToolCall,
  type ToolResult,
} from "@toolstile/core";
import { decisionSentences } from "./decision-sentences.js";
import { memberSentences } from "./member-sentences.js";
import { checkCall, listed, type Question } from "./question.js";
import { resultRunnerSentences } from "./runner-sentences.js";
import { applicable, registerSentences, type TestFunction } from "./test-provider.js";
import { verdictSentences } from "./verdict-sentences.js";

/** A call and the result to judge. Make them with `call()` and `result()`. */
export interface Exchange {
  readonly call: ToolCall;
  readonly result: ToolResult;
}

/** What a judge of results is tried with; at least one is needed. */
export interface ResultCases {
  readonly allowed?: Exchange | readonly Exchange[] | undefined;
  readonly withheld?: Exchange | readonly Exchange[] | undefined;
  readonly rewritten?: Exchange | readonly Exchange[] | undefined;
  /** Functions of the guardrail's own, which the protocol does not know. */
  readonly members?: readonly string[] | undefined;
  /** How long an answer may take before it counts as never. Default 2,000 ms. */
  readonly answerWithinMs?: number | undefined;
}

const expectations = [
  ["allowed", "allow"],
  ["withheld", "deny"],
  ["rewritten", "modify"],
] as const;

const decisions = decisionSentences({
  allow: "lets through the results that it should",
  deny: "withholds the results that it should, with a reason",
  modify: "rewrites the results that it should, and leaves alone what it made",
});

/**
 * Register the tests that everything with an `evaluateResult` passes.
 *
 * Each test makes a guardrail of its own. Give content and arguments that
 * occur in no rule: a string of four characters or more that turns up in a
 * reason is a leak.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` without a case, or for what is no call.
 */
export function testResultGuardrail(
  it: TestFunction,
  makeGuardrail: () => Awaitable<ResultGuardrail | GuardrailProvider>,
  cases: ResultCases,
): void {
  checkOptions("testResultGuardrail", cases, [
    "allowed",
    "withheld",
    "rewritten",
    "members",
    "answerWithinMs",
  ]);
  const questions = expectations.flatMap(([key, expected]) =>
    listed<Exchange>(cases[key]).map(({ call, result }, index): Question => {
      checkCall(call, `testResultGuardrail: ${key}[${index}].call`);
      return { where: `${key}[${index}]`, expected, call, result };
    }),
  );
  registerSentences(
    it,
    [
      ...memberSentences("evaluateResult"),
      ...applicable(decisions, questions),
      ...verdictSentences,
      ...applicable(resultRunnerSentences, questions),
    ],
    {
      makeGuard: makeGuardrail,
      questions,
      tools: [],
      members: cases.members ?? [],
      withinMs: cases.answerWithinMs ?? 2_000,
    },
  );
}
