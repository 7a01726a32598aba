import { isJsonObject, ownText, ownValue, quoted } from "@toolstile/core/provider";
import { ModelError } from "../errors.js";
import { given } from "./fields.js";
import type { TokenUsage } from "./message.js";

/** The error that says what about an answer cannot be read. */
export type Refusal = (what: string) => ModelError;

export function refusalFor(model: string): Refusal {
  return (what) =>
    new ModelError(
      "malformed",
      model,
      `The answer of model ${quoted(model)} cannot be read: ${what}.`,
    );
}

/**
 * Refuse an answer, or a chunk of one, in which the provider reports an error.
 *
 * @throws ModelError "provider", without the provider's words.
 */
export function refuseReportedError(answer: unknown, model: string): void {
  const reported = isReported(answer) || choicesIn(answer).some(isReported);
  if (!reported) return;
  throw new ModelError(
    "provider",
    model,
    `The provider of model ${quoted(model)} reported an error in its answer.`,
  );
}

/** Some providers write an `error` that is null or empty beside every answer. */
function isReported(value: unknown): boolean {
  const error = given(value, "error") ?? "";
  return (
    (error !== "" && error !== false) ||
    ownValue(value, "object") === "error" ||
    ownValue(value, "type") === "error" ||
    ownValue(value, "finish_reason") === "error"
  );
}

function choicesIn(answer: unknown): readonly unknown[] {
  const choices = ownValue(answer, "choices");
  return Array.isArray(choices) ? choices : [];
}

/**
 * The choices of the first alternative; the others are not read.
 *
 * A choice without an index is the first alternative if it stands first.
 */
export function firstChoices(answer: object, refuse: Refusal): readonly object[] {
  const choices = given(answer, "choices") ?? [];
  if (!Array.isArray(choices)) throw refuse("its choices are not a list");
  return choices.filter((choice, position): choice is object => {
    if (!isJsonObject(choice)) throw refuse("one of its choices is not an object");
    const index = given(choice, "index");
    return index === 0 || (index === undefined && position === 0);
  });
}

export interface ReadText {
  readonly text: string;
  readonly reasoning: string;
  /** True if the provider marks the text as a refusal. */
  readonly isRefusal: boolean;
}

/**
 * The text and the reasoning of a message or a delta.
 *
 * A refusal is text: it is what the user is meant to read.
 */
export function readText(message: object, refuse: Refusal): ReadText {
  const content = given(message, "content") ?? "";
  const refusal = ownText(message, "refusal") ?? "";
  // Where both are there, one mirrors the other.
  const reasoning = ownText(message, "reasoning_content") ?? ownText(message, "reasoning") ?? "";
  const isRefusal = refusal !== "" || hasRefusalPart(content);
  if (typeof content === "string") return { text: content + refusal, reasoning, isRefusal };
  if (!Array.isArray(content)) throw refuse("its content is neither text nor a list of parts");
  return {
    text: content.map((part) => readPart(part, refuse)).join("") + refusal,
    reasoning: reasoning + content.map(thinkingOf).join(""),
    isRefusal,
  };
}

function hasRefusalPart(content: unknown): boolean {
  return Array.isArray(content) && content.some((part) => ownValue(part, "type") === "refusal");
}

function readPart(part: unknown, refuse: Refusal): string {
  const type = ownValue(part, "type");
  if (type === "thinking") return "";
  const text = ownValue(part, type === "refusal" ? "refusal" : "text");
  // What no guard can read must not go past them.
  if (typeof text !== "string") throw refuse("its content has a part that is not text");
  return text;
}

/** Mistral has reasoning as a part of its own: docs.mistral.ai, "Reasoning". */
function thinkingOf(part: unknown): string {
  if (ownValue(part, "type") !== "thinking") return "";
  const thinking = ownValue(part, "thinking");
  if (typeof thinking === "string") return thinking;
  if (!Array.isArray(thinking)) return "";
  return thinking.map((piece) => ownText(piece, "text") ?? "").join("");
}

/** The tokens that an answer says it took, if it says. */
export function readUsage(answer: unknown): TokenUsage | undefined {
  const usage = ownValue(answer, "usage");
  if (!isJsonObject(usage)) return undefined;
  const inputTokens = count(usage, "prompt_tokens");
  const outputTokens = count(usage, "completion_tokens");
  const reasoningTokens = count(ownValue(usage, "completion_tokens_details"), "reasoning_tokens");
  if ((inputTokens ?? outputTokens ?? reasoningTokens) === undefined) return undefined;
  return { inputTokens, outputTokens, reasoningTokens };
}

function count(usage: unknown, key: string): number | undefined {
  const tokens = ownValue(usage, key);
  return typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0
    ? tokens
    : undefined;
}
