import type { GuardrailProvider, ToolCall, ToolDefinition } from "@toolstile/core";
import {
  type Awaitable,
  list,
  type OptionTable,
  positive,
  readOptions,
  text,
  unchecked,
} from "@toolstile/core/provider";
import { admissionSentences } from "./admission-sentences.js";
import { decisionSentences } from "./decision-sentences.js";
import type { KitLimits } from "./limits.js";
import { memberSentences } from "./member-sentences.js";
import { checkCall, listed, type Question } from "./question.js";
import { applicable, registerSentences, type TestFunction } from "./register.js";
import { runnerSentences } from "./runner-sentences.js";
import { verdictSentences } from "./verdict-sentences.js";

/** The cases that a provider is tried with. Make the calls with `call()`; at least one is needed. */
export interface ProviderCases {
  readonly allowed?: ToolCall | readonly ToolCall[] | undefined;
  readonly denied?: ToolCall | readonly ToolCall[] | undefined;
  readonly modified?: ToolCall | readonly ToolCall[] | undefined;
  /** Tools that the provider is told of before it is asked, beside those that the calls carry. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Functions of the provider's own, which the protocol does not know. */
  readonly members?: readonly string[] | undefined;
  /** The time after which an answer counts as none. Default 2,000 ms. */
  readonly answerWithinMs?: number | undefined;
  /** The things that the provider truly cannot do, each with its reason: `{ deterministic: "it asks a model" }`. The tests that need it are skipped, and say so. */
  readonly cannot?: KitLimits | undefined;
}

const table = {
  allowed: unchecked<ToolCall | readonly ToolCall[]>(),
  denied: unchecked<ToolCall | readonly ToolCall[]>(),
  modified: unchecked<ToolCall | readonly ToolCall[]>(),
  tools: list(unchecked<ToolDefinition>()),
  members: list(text()),
  answerWithinMs: positive().default(2_000),
  cannot: unchecked<KitLimits>(),
} satisfies OptionTable<ProviderCases>;

const expectations = [
  ["allowed", "allow"],
  ["denied", "deny"],
  ["modified", "modify"],
] as const;

const decisions = decisionSentences({
  allow: "allows what it should allow",
  deny: "denies what it should deny, with a reason",
  modify: "modifies what it should modify",
  settle: "leaves alone what it modified",
});

/**
 * Register the tests that every guardrail provider passes.
 *
 * Each test makes a provider of its own. Give arguments that occur in no rule:
 * a string of four characters or more that turns up in a reason is a leak. A
 * provider that counts by time should be given a clock that stands still. Run
 * these tests one after the other: the kit plants data on `Object.prototype`
 * while it asks, which everything in the thread sees.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` if there is no call, if a case is not a call, or
 * for a limit that takes no test away.
 */
export function testProvider(
  it: TestFunction,
  makeProvider: () => Awaitable<GuardrailProvider>,
  cases: ProviderCases,
): void {
  const {
    members = [],
    answerWithinMs,
    cannot,
    tools = [],
    ...asked
  } = readOptions("testProvider()", cases, table);
  const questions = expectations.flatMap(([key, expected]) =>
    listed<ToolCall>(asked[key]).map((each, index): Question => {
      checkCall(each, `testProvider: ${key}[${index}]`);
      return { where: `${key}[${index}]`, expected, call: each, result: undefined };
    }),
  );
  registerSentences(
    it,
    [
      ...memberSentences("evaluate"),
      ...applicable(decisions, questions),
      ...verdictSentences,
      ...admissionSentences,
      ...applicable(runnerSentences, questions),
    ],
    {
      makeGuard: makeProvider,
      questions,
      tools,
      members,
      withinMs: answerWithinMs,
    },
    "testProvider()",
    cannot,
  );
}
