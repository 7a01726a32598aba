import type { CallerSignal } from "@toolstile/core";
import { CannotJudge } from "./cannot-judge.js";
import type { Prompt } from "./prompt.js";
import type { RailPorts, RailSubject } from "./rail.js";
import type { UserText } from "./user-text.js";

/** The body of a question to a model, without its messages. */
export interface QuestionSettings {
  readonly temperature: number;
  /** Where the prompt says none: verdicts are short. */
  readonly maxTokens: number;
}

/**
 * The text that a model answers to a question.
 *
 * @throws CannotJudge for an answer that asks for tools or has no text: it is no verdict.
 */
export async function guardAnswer(
  ports: RailPorts,
  model: string,
  body: Readonly<Record<string, unknown>>,
  signal: CallerSignal | undefined,
): Promise<string> {
  const { content, calls, isRefusal } = await ports.ask(model, body, signal);
  if (isRefusal === true) throw new CannotJudge("the model refused to answer");
  if (calls.length > 0) throw new CannotJudge("the model asked for tools in place of an answer");
  if (typeof content !== "string" || content.trim() === "") {
    throw new CannotJudge("the model gave no text");
  }
  return content;
}

/** The settings of a request as the prompt has them. */
export function settingsOf(
  prompt: Prompt,
  { temperature, maxTokens }: QuestionSettings,
): Readonly<Record<string, unknown>> {
  return {
    temperature,
    max_tokens: prompt.maxTokens ?? maxTokens,
    ...(prompt.stop === undefined ? {} : { stop: prompt.stop }),
  };
}

/**
 * What an input rail judges.
 *
 * @throws CannotJudge where no user has said anything, and where all there is
 * is no text and the rail can read nothing else. Beside text, other parts are
 * not judged by a rail that reads text.
 */
export function inputText(user: UserText | undefined, readsParts: boolean): UserText {
  if (user === undefined) throw new CannotJudge("there is no user message to judge");
  if (user.text.trim() === "" && user.hasOtherParts && !readsParts) {
    throw new CannotJudge("the user message has no text to judge");
  }
  return user;
}

/** The answer that an output rail judges; `undefined` where there is none, as beside calls. */
export function answerText(subject: RailSubject): string | undefined {
  return subject.botResponse === "" ? undefined : subject.botResponse;
}
