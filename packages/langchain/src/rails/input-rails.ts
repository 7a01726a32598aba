import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";
import { sameJson } from "@toolstile/core/provider";
import type { CheckRequest, CheckResult } from "@toolstile/iorails";
import { besideAnswer, besideWords } from "./beside.js";
import { copyOf, spokenCalls } from "./chat-messages.js";
import { restored, saysNothing, shownOf } from "./content.js";
import type { CheckedTurn, Rails } from "./rails.js";

/** The findings about one side of a turn. */
export interface RailsFinding {
  /** The conversation as rails have left it. */
  readonly messages: readonly BaseMessage[];
  /** Messages that replace those with the same ids. */
  readonly changed: readonly BaseMessage[];
  readonly blocked?: CheckResult;
}

/**
 * Judge what goes to the model and was not judged before, whoever is said to
 * have said it: a user, a tool, or in a history of the caller's the model itself.
 *
 * @param open - the places of the messages to judge.
 * @throws TypeError for what no rail can read.
 */
export async function judgeInput(
  rails: Rails,
  turn: CheckedTurn,
  open: readonly number[],
): Promise<RailsFinding> {
  const messages = [...turn.messages];
  const changed = new Map<number, BaseMessage>();
  const found = (blocked: CheckResult): RailsFinding => ({
    messages,
    changed: [...changed.values()],
    blocked,
  });
  /** Replaces a message's text by the text of the rails. The rest of its content stays. */
  const take = (at: number, content: unknown): void => {
    const message = messages[at] as BaseMessage;
    if (sameJson(shownOf(message.content), content)) return;
    const taken = restored(content, message.content) as MessageContent;
    messages[at] = copyOf(message, { content: taken });
    changed.set(at, messages[at]);
  };
  const results = open.filter((at) => ToolMessage.isInstance(messages[at]));
  if (results.length > 0) {
    const result = await rails.check("tool_input", { ...turn, messages });
    if (result.status === "blocked") return found(result);
    for (const at of results) take(at, result.messages[at]?.content);
  }
  const spoken: CheckRequest["messages"][number][] = [];
  for (const at of open) {
    const message = messages[at] as BaseMessage;
    const before = { ...turn, messages: answeredBefore(messages, at) };
    // Read before anything of it is changed.
    const beside = besideOf(message, messages.slice(0, at));
    if (message.getType() === "human" || !saysNothing(message.content)) {
      // Whatever the model reads is judged as if the user had said it.
      const said = { role: "user", content: shownOf(message.content) };
      const result = await rails.check("input", before, said);
      if (result.status === "blocked") return found(result);
      take(at, result.messages[before.messages.length]?.content);
      if (!ToolMessage.isInstance(message)) {
        spoken.push({ role: "user", content: shownOf(messages[at]?.content) });
      }
    }
    if (beside === "") continue;
    const result = await rails.check("input", before, { role: "user", content: beside });
    if (result.status !== "passed") return found({ ...result, status: "blocked" });
  }
  if (spoken.length < 2) return { messages, changed: [...changed.values()] };
  // Each may be harmless by itself.
  const first = { ...turn, messages: answeredBefore(messages, open[0] as number) };
  const result = await rails.check("input", first, ...spoken);
  // What a rail would have it be, it says in no form that several messages have.
  if (result.status !== "passed") return found({ ...result, status: "blocked" });
  return { messages, changed: [...changed.values()] };
}

/** The conversation before a message, but for what was said to the model and waits for its answer as well. */
function answeredBefore(messages: readonly BaseMessage[], at: number): readonly BaseMessage[] {
  const before = messages.slice(0, at);
  const answered = before.findLastIndex((message) => isAIMessage(message));
  return before.filter((each, place) => place <= answered || ToolMessage.isInstance(each));
}

function besideOf(message: BaseMessage, before: readonly BaseMessage[]): string {
  if (!isAIMessage(message)) return besideWords(message, before).join("\n");
  const { name } = message;
  const words = [name ?? "", spokenCalls(message as AIMessage), besideAnswer(message as AIMessage)];
  return words.filter((each) => each !== "").join("\n");
}
