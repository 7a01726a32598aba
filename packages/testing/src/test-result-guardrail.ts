import type { GuardrailProvider, ResultGuardrail, ToolCall, ToolResult } from "@toolstile/core";
import {
  type Awaitable,
  list,
  type OptionTable,
  positive,
  readOptions,
  text,
  unchecked,
} from "@toolstile/core/provider";
import { decisionSentences } from "./decision-sentences.js";
import type { KitLimits } from "./limits.js";
import { memberSentences } from "./member-sentences.js";
import { checkCall, listed, type Question } from "./question.js";
import { applicable, registerSentences, type TestFunction } from "./register.js";
import { resultRunnerSentences } from "./runner-sentences.js";
import { verdictSentences } from "./verdict-sentences.js";

/** A call and the result to judge. Make them with `call()` and `result()`. */
export interface Exchange {
  readonly call: ToolCall;
  readonly result: ToolResult;
}

/** The cases that a judge of results is tried with; at least one is needed. */
export interface ResultCases {
  readonly allowed?: Exchange | readonly Exchange[] | undefined;
  readonly withheld?: Exchange | readonly Exchange[] | undefined;
  readonly rewritten?: Exchange | readonly Exchange[] | undefined;
  /** Functions of the guardrail's own, which the protocol does not know. */
  readonly members?: readonly string[] | undefined;
  /** The time after which an answer counts as none. Default 2,000 ms. */
  readonly answerWithinMs?: number | undefined;
  /** The things that the guardrail truly cannot do, each with its reason. The tests that need it are skipped, and say so. */
  readonly cannot?: KitLimits | undefined;
}

const table = {
  allowed: unchecked<Exchange | readonly Exchange[]>(),
  withheld: unchecked<Exchange | readonly Exchange[]>(),
  rewritten: unchecked<Exchange | readonly Exchange[]>(),
  members: list(text()),
  answerWithinMs: positive().default(2_000),
  cannot: unchecked<KitLimits>(),
} satisfies OptionTable<ResultCases>;

const expectations = [
  ["allowed", "allow"],
  ["withheld", "deny"],
  ["rewritten", "modify"],
] as const;

const decisions = decisionSentences({
  allow: "lets through the results that it should",
  deny: "withholds the results that it should, with a reason",
  modify: "rewrites the results that it should",
  settle: "leaves alone what it rewrote",
});

/**
 * Register the tests that everything with an `evaluateResult` passes.
 *
 * Each test makes a guardrail of its own. Give content and arguments that
 * occur in no rule: a string of four characters or more that turns up in a
 * reason is a leak.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` if there is no case, or if a case is not a call.
 */
export function testResultGuardrail(
  it: TestFunction,
  makeGuardrail: () => Awaitable<ResultGuardrail | GuardrailProvider>,
  cases: ResultCases,
): void {
  const {
    members = [],
    answerWithinMs,
    cannot,
    ...asked
  } = readOptions("testResultGuardrail()", cases, table);
  const questions = expectations.flatMap(([key, expected]) =>
    listed<Exchange>(asked[key]).map(({ call, result }, index): Question => {
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
      members,
      withinMs: answerWithinMs,
    },
    "testResultGuardrail()",
    cannot,
  );
}
