import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";
import type { CheckResult } from "@toolstile/iorails";
import { textOf } from "./chat-messages.js";
import type { CheckedTurn, Rails } from "./rails.js";

/** What came of one side of a turn. */
export interface RailsFinding {
  /** In the place of those with their ids. */
  readonly changed: readonly BaseMessage[];
  readonly blocked?: CheckResult;
}

/**
 * Judge what the model has not answered yet: what the user says, and results of tools.
 *
 * Whatever stands before the model's last message was judged when it was new.
 */
export async function judgeInput(rails: Rails, turn: CheckedTurn): Promise<RailsFinding> {
  const fresh = turn.messages.findLastIndex((message) => isAIMessage(message)) + 1;
  const messages = [...turn.messages];
  const changed = new Map<number, BaseMessage>();
  const take = (at: number, content: unknown): void => {
    const message = messages[at] as BaseMessage;
    if (JSON.stringify(message.content) === JSON.stringify(content)) return;
    messages[at] = copyWith(message, content as MessageContent);
    changed.set(at, messages[at]);
  };
  const found = (blocked: CheckResult): RailsFinding => ({
    changed: [...changed.values()],
    blocked,
  });
  if (messages.slice(fresh).some((message) => ToolMessage.isInstance(message))) {
    const result = await rails.check("tool_input", { ...turn, messages });
    if (result.status === "blocked") return found(result);
    for (let at = fresh; at < messages.length; at++) {
      if (ToolMessage.isInstance(messages[at])) take(at, result.messages[at]?.content);
    }
  }
  for (let at = fresh; at < messages.length; at++) {
    const message = messages[at] as BaseMessage;
    const isResult = ToolMessage.isInstance(message);
    if (!isResult && !HumanMessage.isInstance(message)) continue;
    // A result is judged as if the user had said it: the model reads either.
    const before = messages.slice(0, isResult ? at : at + 1);
    if (isResult && textOf(message).trim() === "") continue;
    const said = isResult ? { role: "user", content: message.content } : undefined;
    const result = await rails.check("input", { ...turn, messages: before }, said);
    if (result.status === "blocked") return found(result);
    take(at, result.messages[at]?.content);
  }
  return { changed: [...changed.values()] };
}

/** The same message with other words: its id, its name and all else stay. */
function copyWith(message: BaseMessage, content: MessageContent): BaseMessage {
  const { id, name, additional_kwargs, response_metadata } = message;
  const kept = { content, id, name, additional_kwargs, response_metadata };
  if (!ToolMessage.isInstance(message)) return new HumanMessage(given(kept) as never);
  const { tool_call_id, artifact, status, metadata } = message;
  return new ToolMessage(given({ ...kept, tool_call_id, artifact, status, metadata }) as never);
}

export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
