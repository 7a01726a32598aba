import type { CallerSignal } from "@toolstile/core/provider";
import { CannotJudge } from "./cannot-judge.js";
import type { Prompt } from "./prompt.js";
import type { Direction, RailPorts, RailSubject } from "./rail.js";
import { lastUserText, type UserText } from "./user-text.js";

/** The tokens that a verdict may take where the prompt sets none: some models think first. */
const roomForThought = 1_024;

/**
 * The text that a model answers to a question.
 *
 * @throws CannotJudge for an answer that calls tools or has no text: it is not a verdict.
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

/**
 * The settings of a request as the prompt has them.
 *
 * @param maxTokens the default if the prompt has none; null where the model's own counts.
 */
export function settingsOf(
  prompt: Prompt,
  temperature: number,
  maxTokens: number | null = roomForThought,
): Readonly<Record<string, unknown>> {
  const limit = prompt.maxTokens ?? maxTokens;
  return {
    temperature,
    ...(limit === null ? {} : { max_tokens: limit }),
    ...(prompt.stop === undefined ? {} : { stop: prompt.stop }),
  };
}

/**
 * The text that an input rail judges.
 *
 * @throws CannotJudge where no user has said anything, and where all there is
 * is no text and the rail can read nothing else, or words are in a document or
 * in sound. Beside text, images are not judged by a rail that reads text.
 */
export function inputText(user: UserText | undefined, readsParts: boolean): UserText {
  if (user === undefined) throw new CannotJudge("there is no user message to judge");
  if (readsParts) return user;
  if (user.text.trim() === "" && user.hasOtherParts) {
    throw new CannotJudge("the user message has no text to judge");
  }
  if (user.hasOtherWords) {
    throw new CannotJudge("the user message has a document or sound, which this rail cannot read");
  }
  return user;
}

/** The answer that an output rail judges; `undefined` where there is none, as beside calls. */
export function answerText(subject: RailSubject): string | undefined {
  return subject.botResponse === "" ? undefined : subject.botResponse;
}

/** The text that a rail judges which reads nothing but text: what the user said last, or the answer. @throws CannotJudge, as `inputText`. */
export function judgedText({ messages, botResponse }: RailSubject, direction: Direction): string {
  if (direction === "output") return botResponse ?? "";
  return inputText(lastUserText(messages), false).text;
}

/** The same where each text has a beginning and an end of its own: with what the user said in several messages, each of them. */
export function judgedTexts(subject: RailSubject, direction: Direction): readonly string[] {
  const text = judgedText(subject, direction);
  if (direction === "output") return [text];
  if (subject.joined !== undefined) return [text, ...text.split("\n")];
  const texts = lastUserText(subject.messages)?.texts ?? [];
  return texts.length > 1 ? [text, ...texts] : [text];
}

/**
 * The text that an input rail judges as a whole, and behind it that of each message and part, where there are several or one has
 * a name: as the user sent them, for a rail that rewrote them may have made one of all.
 */
export function judgedMessages(subject: RailSubject): readonly string[] {
  const text = judgedText(subject, "input");
  const { said = [] } = subject.joined ?? lastUserText(subject.messages) ?? {};
  return [text].concat(said);
}

/** A name that the APIs of models take is not longer: it hides nothing. */
const longestName = 64;

/** A service is asked about no more texts, one after the other. */
const mostTexts = 32;

/**
 * The text that a service judges as a whole, and behind it that of each message and part beside which much stands: the
 * service may read only so many tokens, or find the share of something.
 *
 * A text that a rail rewrote is taken apart by lines, counted from the last: masked text is sent to nobody.
 *
 * @throws CannotJudge where there are too many to ask about.
 */
export function textsForService(subject: RailSubject, direction: Direction): readonly string[] {
  const text = judgedText(subject, direction);
  if (direction === "output") return [text];
  const said =
    subject.joined === undefined
      ? (lastUserText(subject.messages)?.said ?? [])
      : linesOf(text, subject.joined.lines);
  const hidden = said.filter(
    (each) => each.trim() !== "" && text.length - each.length > longestName,
  );
  const texts = [...new Set([text, ...hidden])];
  if (texts.length > mostTexts) {
    throw new CannotJudge(
      `the user said more than ${mostTexts} messages and parts since the model's last answer`,
    );
  }
  return texts;
}

/** The lines of a text that stand where those of each message and part stood, if those behind it are as many as they were. */
function linesOf(text: string, counts: readonly (readonly number[])[]): readonly string[] {
  const left = text.split("\n");
  return counts
    .toReversed()
    .flatMap((ofMessage) => {
      const message = left.splice(Math.max(0, left.length - sumOf(ofMessage)));
      const whole = message.join("\n");
      const parts = ofMessage.toReversed().map((count) => message.splice(-count).join("\n"));
      return [...parts, whole];
    })
    .toReversed();
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
